// The parts that variants share: the thread pool, fixed-point sums, seedings.
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <random>
#include <stdexcept>

#include "check.hpp"
#include "cluster_totals.hpp"
#include "verification.hpp"
#include "fixed_point.hpp"
#include "fixtures.hpp"
#include "member_sums.hpp"
#include "moments.hpp"
#include "seeding/seeding.hpp"
#include "tests.hpp"
#include "thread_pool.hpp"

namespace centroid_lab {
namespace {

void test_pool() {
  ThreadPool pool(4);
  for (int round = 0; round < 2000; round++) {
    std::vector<int> visits(100, 0);
    const auto visit = [&](std::size_t, std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; i++) visits[i]++;
    };
    const bool complete = pool.share(visits.size(), 7, visit, [] { return false; });
    expect(complete && visits == std::vector<int>(100, 1), "pool: every index once");
  }
  std::atomic<int> calls{0};
  const bool complete = pool.share(
      1000, 1, [&](std::size_t, std::size_t, std::size_t) { calls++; }, [&] { return calls > 10; });
  expect(!complete && calls < 1000, "pool: stops when asked");
  for (const std::size_t thrower : {0, 3}) {
    bool caught = false;
    try {
      pool.run([&](std::size_t worker) {
        if (worker == thrower) throw std::bad_alloc();
      });
    } catch (const std::bad_alloc&) {
      caught = true;
    }
    expect(caught, "pool: what worker ", thrower, " throws comes to the caller");
    std::atomic<int> workers{0};
    pool.run([&](std::size_t) { workers++; });
    expect(workers == 4, "pool: goes on after a failure");
  }
}

void test_fixed_point() {
  // The largest sums that can occur must not overflow, and integers must be exact.
  const std::size_t n = 4096;
  const Fixture ones(std::vector<float>(n, 1.0F), n, 1);
  const FixedPoint fixed(ones.points);
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < n; i++) sum += to_fixed(1.0F, fixed.scale()[0]);
  expect(static_cast<double>(sum) * fixed.unit(0) == 4096.0, "fixed point: 4096 ones");
  const Fixture small({0x1p-100F, -0x1p-101F}, 2, 1);
  const FixedPoint finest(small.points);
  const std::int64_t half = to_fixed(0x1p-100F, finest.scale()[0]) + to_fixed(-0x1p-101F, finest.scale()[0]);
  expect(static_cast<double>(half) * finest.unit(0) == 0x1p-101, "fixed point: tiny range");
}

void test_member_sums() {
  const CancelFlag never{false};
  // The worked example of Dhanasekaran & Rubin, in sixteenths.
  const Fixture example({5 / 16.0F, 2 / 16.0F, 9 / 16.0F, 4 / 16.0F, 8 / 16.0F, 11 / 16.0F, 3 / 16.0F, 1 / 16.0F}, 8, 1);
  const std::vector<std::int32_t> clusters{0, 2, 3, 2, 1, 3, 1, 3};
  const std::vector<double> expected{5 / 16.0, 11 / 16.0, 6 / 16.0, 21 / 16.0};
  for (const std::size_t threads : {1, 3}) {
    MemberSums sums(example.points, threads);
    ExactSums exact;
    PassResult pass;
    expect(sums.sum(clusters.data(), 0, 4, never, exact), "member sums: not cancelled");
    exact.store(sums.fixed(), pass);
    expect(pass.sums == expected, "member sums: worked example, threads ", threads);
    expect(pass.counts == std::vector<std::int64_t>{1, 2, 2, 3}, "member sums: counts, threads ", threads);
    bool refused = false;
    try {
      sums.sum(clusters.data(), 1, 4, never, exact);
    } catch (const std::invalid_argument&) {
      refused = true;
    }
    expect(refused, "member sums: a label below the first cluster is refused");
    expect(!sums.sum(clusters.data(), 0, 4, CancelFlag{true}, exact), "member sums: cancelled");
  }
}

void test_member_sums_in_parallel() {
  const std::size_t n = 300'000;
  const Fixture fixture(values_of(Kind::noise, n * 3), n, 3);
  std::vector<std::int32_t> labels(n);
  for (std::size_t i = 0; i < n; i++) labels[i] = static_cast<std::int32_t>(1 + (i * 7919) % 1000);
  const CancelFlag never{false};
  ExactSums one;
  MemberSums(fixture.points, 1).sum(labels.data(), 1, 1001, never, one);
  for (const std::size_t threads : {2, 5}) {
    ExactSums many;
    MemberSums(fixture.points, threads).sum(labels.data(), 1, 1001, never, many);
    expect(many.sums == one.sums && many.counts == one.counts, "member sums: depend on threads");
  }
  expect(one.counts.back() == 0 && one.counts.front() == 300, "member sums: counts of many clusters");
}

void test_cluster_totals() {
  const CancelFlag never{false};
  const Fixture fixture(values_of(Kind::noise, 90'001 * 3), 90'001, 3);
  const std::vector<float> start(fixture.x.begin(), fixture.x.begin() + 3 * 11);
  const std::vector<double> centroids(start.begin(), start.end());
  std::vector<std::int32_t> labels(fixture.points.n);
  for (std::size_t i = 0; i < labels.size(); i++) labels[i] = static_cast<std::int32_t>((i * 7919) % 10);
  const LabelledPoints<float> labelled{fixture.x.data(), fixture.points.n, 3, labels.data(), centroids.data(), 11};
  ClusterTotals one, many;
  expect(cluster_totals(labelled, 1, never, one), "totals: one thread");
  expect(cluster_totals(labelled, 5, never, many), "totals: five threads");
  expect(one.sizes == many.sizes && one.inertias == many.inertias, "totals: depend on threads");
  expect(one.sizes[10] == 0 && one.sizes[0] == 9001 && one.sizes[1] == 9000, "totals: members");
  std::vector<double> expected(11);
  for (std::size_t i = 0; i < labels.size(); i++) {
    const auto cluster = static_cast<std::size_t>(labels[i]);
    expected[cluster] += squared_distance(fixture.points.row(i), start.data() + 3 * cluster, 3);
  }
  for (std::size_t c = 0; c < 11; c++) {
    expect(std::abs(one.inertias[c] - expected[c]) <= 1e-12 * expected[c], "totals: inertia of cluster ", c);
  }
  expect(inertia_of_labels(fixture.points, start.data(), 11, labels.data(), never) == one.inertia(), "totals: inertia");
  expect(!cluster_totals(labelled, 3, CancelFlag{true}, many), "totals: cancelled");
  labels[70'000] = 11;
  expect(!cluster_totals(labelled, 3, never, many), "totals: a label that is no cluster");
}

void test_seeding() {
  constexpr std::size_t n = 20'001;
  const Fixture fixture(values_of(Kind::noise, n * 4), n, 4);
  Seeding one(fixture.x.data(), n, 4, 1);
  Seeding many(fixture.x.data(), n, 4, 4);
  Seeding without_columns(fixture.x.data(), n, 4, 3, 0);
  const double sum = one.commit({5, 77});
  const std::vector<double> potentials = one.potentials({1, 2, 3});
  const std::vector<double> counts = one.nearest_counts({5, 77});
  for (Seeding* other : {&many, &without_columns}) {
    expect(other->commit({5, 77}) == sum, "seeding: the sum depends on threads or room");
    expect(other->nearest() == one.nearest(), "seeding: distances depend on threads or room");
    expect(other->potentials({1, 2, 3}) == potentials, "seeding: potentials depend on threads or room");
    expect(other->nearest_counts({5, 77}) == counts, "seeding: counts depend on threads or room");
  }
  expect(one.nearest()[5] == 0 && one.nearest()[77] == 0, "seeding: a centre has no distance");
  expect(counts[0] + counts[1] == n, "seeding: every point is counted once");
}

/// The rows of the plain rounds, what they leave behind, and both again from there.
void test_greedy_rounds(const std::vector<float>& x, std::size_t n, std::size_t d, std::size_t k) {
  std::mt19937_64 random(n * 31 + d);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  const std::size_t candidates = 2 + static_cast<std::size_t>(std::log(static_cast<double>(k)));
  std::vector<double> draws((k - 1) * candidates);
  for (double& draw : draws) draw = share(random);
  const auto first = static_cast<std::int32_t>(n / 2);
  const std::vector<std::int32_t> ask{0, static_cast<std::int32_t>(n - 1)};
  Seeding plain(x.data(), n, d, 2);
  const std::vector<std::int32_t> rows = plain.SeedingSteps::greedy(first, draws, candidates);
  const std::vector<double> distances = plain.nearest();
  const std::vector<double> potentials = plain.potentials(ask);
  const std::vector<std::int32_t> picked = plain.pick({0, plain.commit({first}) / 2});
  for (const char* isa : {"baseline", "avx2", "avx512"}) {
    setenv("CENTROID_LAB_ISA", isa, 1);
    for (const std::size_t threads : {1, 3}) {
      Seeding skipping(x.data(), n, d, threads);
      expect(skipping.greedy(first, draws, candidates) == rows, "greedy: rows, n ", n, ", d ", d, ", k ", k, ", ", isa);
      expect(skipping.nearest() == distances, "greedy: distances, n ", n, ", d ", d, ", k ", k, ", ", isa);
      expect(skipping.pick({0, plain.commit({first}) / 2}) == picked, "greedy: sums, n ", n, ", d ", d, ", k ", k);
      expect(skipping.potentials(ask) == potentials, "greedy: potentials afterwards, n ", n, ", d ", d, ", k ", k);
    }
    unsetenv("CENTROID_LAB_ISA");
  }
}

/// Heaps around a few points of the cube, with every `outlier`th point a hundred times as far.
std::vector<float> buckets_of(std::size_t n, std::size_t d, std::size_t buckets, std::size_t outlier) {
  const std::vector<float> centres = values_of(Kind::noise, buckets * d);
  std::vector<float> x = values_of(Kind::noise, n * d);
  for (std::size_t i = 0; i < n; i++) {
    const float far = i % outlier == outlier - 1 ? 100.0F : 1.0F;
    for (std::size_t j = 0; j < d; j++) x[i * d + j] = far * (centres[i * 7919 % buckets * d + j] + 0.02F * x[i * d + j]);
  }
  return x;
}

/// The same three points over and over around every corner of a simplex: candidates in corners without a centre would lower
/// the sum by as much, but for the rounding.
std::vector<float> equal_buckets(std::size_t n, std::size_t corners) {
  const std::vector<float> inside = values_of(Kind::noise, 6);
  std::vector<float> x;
  for (std::size_t i = 0; i < n; i++) {
    for (std::size_t j = 0; j < corners; j++) x.push_back(i * 7919 % corners == j ? 3.0F : 0.0F);
    for (std::size_t j = 0; j < 2; j++) x.push_back(inside[i / corners % 3 * 2 + j]);
  }
  return x;
}

void test_greedy() {
  struct Case {
    std::size_t n, d, k;
  };
  for (const auto& [n, d, k] : {Case{40'003, 2, 130}, Case{9'000, 8, 90}, Case{3'000, 20, 80}, Case{3'000, 21, 90},
                                Case{17'000, 2, 90}, Case{2'100, 40, 64}, Case{70, 300, 70}, Case{17'000, 21, 60}, Case{700, 1, 700}}) {
    test_greedy_rounds(buckets_of(n, d, 60, n), n, d, k);
    test_greedy_rounds(buckets_of(n, d, 9, 400), n, d, k);
    for (const Kind kind : {Kind::noise, Kind::lattice, Kind::far, Kind::tiny}) {
      test_greedy_rounds(values_of(kind, n * d), n, d, k);
    }
  }
  test_greedy_rounds(equal_buckets(3'600, 60), 3'600, 62, 90);
  // Most squares are below float32, beside a few that are not.
  std::vector<float> small = values_of(Kind::tiny, 9'000);
  for (std::size_t i = 0; i < 20; i++) small[i * 401] = 0.01F * static_cast<float>(i);
  test_greedy_rounds(small, 3'000, 3, 120);
  // Fewer places than centres, and all points in one place.
  test_greedy_rounds(values_of(Kind::lattice, 9'000), 4'500, 2, 300);
  test_greedy_rounds(values_of(Kind::equal, 9'000), 4'500, 2, 300);
}

void test_verification() {
  constexpr std::size_t n = 100'003;
  constexpr std::size_t k = 9;
  const Fixture fixture(values_of(Kind::noise, n * 3), n, 3);
  const std::vector<float> values = values_of(Kind::noise, (n + k) * 3);
  const std::vector<double> centroids(values.end() - k * 3, values.end());
  const Centres centres{centroids.data(), k};
  const CancelFlag never{false};
  const Verification one(fixture.x.data(), n, 3, 1);
  const Verification many(fixture.x.data(), n, 3, 4);
  std::vector<double> nearest(n), same_nearest(n);
  std::vector<std::int32_t> labels(n), same_labels(n);
  one.nearest(centres, {nullptr, n}, never, nearest.data(), labels.data());
  many.nearest(centres, {nullptr, n}, never, same_nearest.data(), same_labels.data());
  expect(nearest == same_nearest && labels == same_labels, "verification: depends on threads");
  expect(many.inexact(centres, {nullptr, n}, nearest.data(), labels.data(), {}, never) == 0, "verification: its own labels");
  std::vector<double> sums(k * 3), counts(k);
  many.sums(labels.data(), k, never, sums.data(), counts.data());
  expect(std::accumulate(counts.begin(), counts.end(), 0.0) == n, "verification: every point is summed once");
  labels[0] = -1;
  labels[n / 2] = k;
  labels[n - 1] = (labels[n - 1] + 1) % k;
  expect(many.inexact(centres, {nullptr, n}, nearest.data(), labels.data(), {}, never) == 3, "verification: wrong labels");
  expect(many.farther(centres, labels.data(), same_labels.data(), {}, never) == 3, "verification: farther labels");
  expect(many.same(labels.data(), same_labels.data(), never) == n - 3, "verification: labels alike");
}

}  // namespace

void test_parts() {
  test_verification();
  test_pool();
  test_fixed_point();
  test_member_sums();
  test_member_sums_in_parallel();
  test_cluster_totals();
  test_seeding();
  test_greedy();
}

}  // namespace centroid_lab
