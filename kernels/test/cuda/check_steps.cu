#include "check_steps.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <tuple>

#include "../native/fixtures.hpp"
#include "bounded_runs.hpp"
#include "centroid_copies.hpp"
#include "cluster_totals.hpp"
#include "cuda/cuda_engine.hpp"
#include "lloyd.hpp"
#include "plans.hpp"
#include "reference.hpp"
#include "share.hpp"
#include "staged_points.hpp"
#include "traps.hpp"
#include "whole_launches.hpp"
#include "worked_example.hpp"

namespace centroid_lab::cuda_test {
namespace {

const CancelFlag never{false};

struct Case {
  Kind kind;
  std::size_t n;
  std::size_t d;
  std::size_t k;
};

using cuda::VariantPlan;

std::string case_name(const VariantPlan& plan, const Case& at) {
  return name_of(plan) + " n=" + std::to_string(at.n) + " d=" + std::to_string(at.d) + " k=" + std::to_string(at.k) +
         " kind=" + std::to_string(static_cast<int>(at.kind));
}

/// Sizes around every boundary a kernel may have.
std::vector<Case> cases(bool small) {
  std::vector<Case> all;
  const std::vector<std::size_t> dimensions{1, 2, 3, 4, 5, 8, 9, 16, 31, 64, 100, 128, 300};
  const std::vector<std::size_t> clusters{1, 2, 5, 10, 31, 33, 64, 200, 257, 512, 1025, 5000};
  const std::vector<std::size_t> counts{1, 31, 255, 256, 257, 1023, 1025, 4097, 100'003};
  const double most = small ? 2e6 : 4e8;
  for (std::size_t row = 0; row < dimensions.size(); row++) {
    for (std::size_t column = 0; column < clusters.size(); column++) {
      if (small && (row * 5 + column) % 4 != 0) continue;
      for (std::size_t turn = 0; turn < counts.size(); turn++) {
        const std::size_t n = std::max(counts[(row * 4 + column * 7 + turn) % counts.size()], clusters[column]);
        const double work = static_cast<double>(n) * static_cast<double>(dimensions[row] * clusters[column]);
        if (work > most) continue;
        all.push_back({Kind::noise, n, dimensions[row], clusters[column]});
        break;
      }
    }
  }
  for (const Kind kind : {Kind::lattice, Kind::far, Kind::tiny, Kind::equal}) {
    for (const auto& [n, d, k] : {std::tuple<std::size_t, std::size_t, std::size_t>{1025, 2, 5}, {3000, 3, 65},
                                  {2049, 16, 20}, {1500, 64, 33}, {700, 100, 9}, {1300, 128, 129}}) {
      if (!small || n * d * k <= 2'000'000) all.push_back({kind, n, d, k});
    }
  }
  return all;
}

/// One step of a session from given centroids: labels, inertia, means, J and shift.
std::vector<float> check_step(Clustering& session, const Points& points, std::size_t k, const float* centroids,
                              const std::string& what) {
  std::vector<std::int32_t> labels(points.n);
  std::vector<std::int64_t> counts;
  double inertia = -1;
  session.start(centroids);
  expect(session.read(never, labels.data(), inertia), what, ": read was cancelled");
  const std::size_t wrong = inexact_labels(points, centroids, k, labels, 1);
  expect(wrong == 0, what, ": ", wrong, " inexact labels");
  if (what.compare(0, 5, "fused") == 0) {
    const std::size_t others = uncanonical_labels(points, centroids, k, labels, 1);
    expect(others == 0, what, ": ", others, " labels are not canonical");
  }
  if (wrong > 0) return {};
  const double expected = inertia_of_labels(points, centroids, k, labels.data(), never);
  const double total = moments_of(points).squares;
  expect(std::abs(inertia - expected) <= 1e-9 * total + 1e-300, what, ": inertia ", inertia, ", not ", expected);
  session.start(centroids);
  const Advance one = session.advance(1, 1e300, never);
  expect(one.iterations.size() == 1, what, ": ", one.iterations.size(), " iterations");
  if (one.iterations.size() != 1) return {};
  const IterationStats& stats = one.iterations[0];
  expect(std::abs(stats.inertia - expected) <= 1e-9 * total + 1e-300, what, ": J ", stats.inertia, ", not ", expected);
  expect(stats.changed == static_cast<std::int64_t>(points.n), what, ": ", stats.changed, " changed");
  const std::vector<double> means = means_of(points, centroids, k, labels, counts);
  std::size_t off = 0;
  for (std::size_t at = 0; at < means.size(); at++) {
    const double bound = 1e-6 * points.max_abs[at % points.d] + std::ldexp(std::abs(means[at]), -23);
    if (!(std::abs(one.centroids[at] - means[at]) <= bound)) off++;
  }
  expect(off == 0, what, ": ", off, " coordinates of the centroids are off");
  const auto empty = std::count(counts.begin(), counts.end(), 0);
  expect(stats.empty_clusters == empty, what, ": ", stats.empty_clusters, " empty clusters, not ", empty);
  return one.centroids;
}

Rules rules_of(std::size_t k, EmptyPolicy empty = EmptyPolicy::keep) {
  Rules rules;
  rules.k = k;
  rules.empty = empty;
  rules.track_changed = rules.track_inertia = rules.track_centroids = true;
  return rules;
}

void check_case(const VariantPlan& plan, const Case& at) {
  const Fixture fixture(values_of(at.kind, at.n * at.d), at.n, at.d);
  const std::string what = case_name(plan, at);
  auto session = cuda::make_clustering(plan, fixture.points, rules_of(at.k), 0);
  std::vector<float> centroids(fixture.x.begin(), fixture.x.begin() + static_cast<std::ptrdiff_t>(at.k * at.d));
  for (int step = 0; step < 2 && !centroids.empty(); step++) {
    centroids = check_step(*session, fixture.points, at.k, centroids.data(), what);
  }
}

/// Points whose label is not the lowest of the nearest centroids, for coordinates that float64 holds exactly.
std::size_t not_lowest(const Trap& trap, const std::vector<std::int32_t>& labels) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < trap.n; i++) {
    std::size_t nearest = 0;
    double smallest = INFINITY;
    for (std::size_t c = 0; c < trap.k; c++) {
      const double distance = squared_distance(trap.x.data() + i * trap.d, trap.centroids.data() + c * trap.d, trap.d);
      if (distance < smallest) smallest = distance, nearest = c;
    }
    if (labels[i] != static_cast<std::int32_t>(nearest)) wrong++;
  }
  return wrong;
}

void check_trap(const VariantPlan& plan, const Trap& trap) {
  const Fixture fixture(trap.x, trap.n, trap.d);
  const std::string what = name_of(plan) + " " + trap.name + " n=" + std::to_string(trap.n) + " d=" + std::to_string(trap.d) +
                           " k=" + std::to_string(trap.k);
  auto session = cuda::make_clustering(plan, fixture.points, rules_of(trap.k), 0);
  check_step(*session, fixture.points, trap.k, trap.centroids.data(), what);
  if (!trap.exact) return;
  std::vector<std::int32_t> labels(trap.n);
  double inertia = 0;
  session->start(trap.centroids.data());
  session->read(never, labels.data(), inertia);
  const std::size_t wrong = not_lowest(trap, labels);
  expect(wrong == 0, what, ": ", wrong, " labels are not the lowest of the nearest");
}

/// A session of few clusters, opened later, takes nothing from one of many, nor the other way round, in turns: their
/// kernels are the same, and constant memory is one for both.
void check_beside(const VariantPlan& plan, std::size_t d) {
  const Fixture fixture(values_of(Kind::noise, 3000 * d), 3000, d);
  const auto many = cuda::make_clustering(plan, fixture.points, rules_of(400), 0);
  const auto few = cuda::make_clustering(plan, fixture.points, rules_of(20), 0);
  const std::string what = name_of(plan) + " beside another, d=" + std::to_string(d);
  for (int turn = 0; turn < 2; turn++) {
    check_step(*many, fixture.points, 400, fixture.x.data(), what);
    check_step(*few, fixture.points, 20, fixture.x.data(), what);
  }
}

/// Whole runs: cut into budgets or not, again and again, the same; under each policy, with clusters that lie far off.
void check_runs(const VariantPlan& plan, EmptyPolicy empty, std::size_t n, std::size_t d, std::size_t k) {
  const Fixture fixture(values_of(Kind::noise, n * d), n, d);
  const std::string what = case_name(plan, {Kind::noise, n, d, k}) + " policy=" + std::to_string(static_cast<int>(empty));
  std::vector<float> centroids(fixture.x.begin(), fixture.x.begin() + static_cast<std::ptrdiff_t>(k * d));
  for (std::size_t c = 2; c < k; c += 3) std::fill_n(centroids.begin() + static_cast<std::ptrdiff_t>(c * d), d, 3.0F);
  auto session = cuda::make_clustering(plan, fixture.points, rules_of(k, empty), 0);
  session->start(centroids.data());
  const Advance whole = session->advance(20, 1e300, never);
  expect(whole.iterations.size() == 20, what, ": ", whole.iterations.size(), " of 20 iterations");
  Lloyd host(fixture.points, rules_of(k, empty), make_variant({"sequential", {}, {}}, fixture.points, k, Machine{1}));
  host.start(centroids.data());
  const Advance expected = host.advance(1, 1e300, never);
  std::size_t off = 0;
  for (std::size_t at = 0; at < k * d; at++) {
    const float a = whole.centroids[at], b = expected.centroids[at];
    if (std::isnan(a) != std::isnan(b) || std::abs(a - b) > 2e-6) off++;
  }
  expect(off == 0, what, ": ", off, " coordinates differ from the CPU's after one iteration");
  expect(whole.iterations[0].empty_clusters == expected.iterations[0].empty_clusters, what, ": empty clusters");
  const std::string& variant = plan.variant;
  if (variant == "global-atomics" || variant == "shared-centroids" || variant == "thrust" || variant == "distance-matrix")
    return;
  for (int again = 0; again < 3; again++) {
    session->start(centroids.data());
    Advance cut;
    for (std::int64_t budget = 1; cut.iterations.size() < 20; budget = budget % 5 + 1) {
      const Advance some = session->advance(std::min<std::int64_t>(budget, 20 - static_cast<std::int64_t>(cut.iterations.size())), 1e300, never);
      cut.iterations.insert(cut.iterations.end(), some.iterations.begin(), some.iterations.end());
      cut.centroids.insert(cut.centroids.end(), some.centroids.begin(), some.centroids.end());
      std::vector<std::int32_t> labels(n);
      double inertia = 0;
      if (budget == 3) session->read(never, labels.data(), inertia);
    }
    bool same = true;
    for (std::size_t at = 0; at < cut.centroids.size(); at++) {
      same &= std::memcmp(&cut.centroids[at], &whole.centroids[at], sizeof(float)) == 0;
    }
    for (std::size_t at = 0; at < cut.iterations.size(); at++) {
      same &= cut.iterations[at].changed == whole.iterations[at].changed &&
              cut.iterations[at].shift_squared == whole.iterations[at].shift_squared &&
              cut.iterations[at].inertia == whole.iterations[at].inertia;
    }
    expect(same, what, ": cut into budgets the run is another");
  }
}

/// Numbers of workers that are no power of two, no multiple of 32, more than a block adds at once, and more than there
/// are points.
void check_workers(bool small) {
  for (const int workers : {1, 7, 33, 511, 513, 1000, 4099, 65536}) {
    VariantPlan plan("partial-sums");
    plan.workers = workers;
    const auto check = [&](const Case& at) {
      if (is_ours()) check_case(plan, at);
    };
    check({Kind::noise, 1, 1, 1});
    check({Kind::noise, 500, 3, 7});
    check({Kind::noise, 5001, 2, 200});
    check({Kind::noise, 4099, 33, 10});
    check({Kind::lattice, 3000, 3, 65});
    for (const EmptyPolicy empty : {EmptyPolicy::keep, EmptyPolicy::farthest, EmptyPolicy::drop}) {
      if (is_ours()) check_runs(plan, empty, 1500, 20, 50);
    }
    if (small) continue;
    // Several ranges of clusters.
    if (workers > 1) check({Kind::noise, 70'000, 40, 60});
    // So long a slice that the update is cut.
    else check({Kind::noise, 600'001, 1, 3});
  }
}

/// A check by each regime that can, if it is this process's.
template <class Check>
void by_each_regime(const std::string& variant, const Check& check) {
  for (const VariantPlan& plan : plans_of(variant)) {
    if (is_ours()) unless_refused(plan, check);
  }
}

/// The filter by matrix units as the device and the data would not have it: other instructions, points in cells or in balls.
void check_filter(const std::vector<Case>& all, const std::vector<Trap>& hard, const cuda::FilterTuning& tuning) {
  VariantPlan plan = plan_of("fused", {"matrix-filter", "tiled"});
  plan.filter = tuning;
  const auto check = [&](const auto& what) {
    if (is_ours()) unless_refused(plan, what);
  };
  for (const Case& at : all) {
    if (at.d <= 32 || static_cast<double>(at.n) * static_cast<double>(at.d * at.k) >= 5e7) continue;
    check([&](const VariantPlan& tuned) { check_case(tuned, at); });
  }
  for (const Trap& trap : hard) check([&](const VariantPlan& tuned) { check_trap(tuned, trap); });
  for (const EmptyPolicy empty : {EmptyPolicy::keep, EmptyPolicy::drop}) {
    check([&](const VariantPlan& tuned) { check_runs(tuned, empty, 5000, 64, 300); });
  }
}

void check_filters(const std::vector<Case>& all, const std::vector<Trap>& hard) {
  cuda::FilterTuning cells, balls, older;
  cells.cells = 5;
  balls.balls = true;
  older.without_wgmma = true;
  for (const cuda::FilterTuning& tuning : {cells, balls, older}) check_filter(all, hard, tuning);
}

/// Some of each kind: a tool that watches every access takes a minute for them.
void keep_few(std::vector<Case>& all) {
  std::vector<Case> few;
  for (std::size_t at = 0; at < all.size(); at += 4) few.push_back(all[at]);
  all = few;
}

void report(const std::string& variant, std::size_t count, bool good) {
  std::printf("%-20s %4zu cases  %s\n", variant.c_str(), count, good ? "ok" : "FAILED");
  report_runs(variant);
}

/// Tiles whose brute force leaves distances out by itself, or keeps sums, begun as the data have it.
void check_with_others(EmptyPolicy empty) {
  for (const char* others : {"neighbour-boxes", "matrix-filter"}) {
    VariantPlan plan = plan_of("fused", {"tile-bounds"});
    plan.other_passes = {others};
    if (is_ours()) unless_refused(plan, [&](const VariantPlan& tiles) { check_runs(tiles, empty, 9000, 8, 60); });
    if (is_ours()) unless_refused(plan, [&](const VariantPlan& tiles) { check_runs(tiles, empty, 12'000, 24, 130); });
  }
}

void check_policies(const std::string& variant, bool small) {
  for (const EmptyPolicy empty : {EmptyPolicy::keep, EmptyPolicy::farthest, EmptyPolicy::drop}) {
    const auto check = [&](std::size_t n, std::size_t d, std::size_t k) {
      by_each_regime(variant, [&](const VariantPlan& plan) { check_runs(plan, empty, n, d, k); });
    };
    check(3001, 2, 7);
    check(1500, 20, 50);
    // Enough points for tiles and chunks.
    if (!cuda::regimes_of(variant_of(variant)).empty()) check(9000, 8, 60);
    if (!small) check(20'000, 64, 300);
    if (variant == "fused") check_with_others(empty);
  }
}

void check_variant(const std::string& variant, const std::vector<Case>& all, Extent extent) {
  const bool small = extent != Extent::full;
  const std::vector<Trap> hard = small ? std::vector<Trap>{} : traps();
  check_worked_example(variant_of(variant));
  if (variant == "partial-sums" && extent != Extent::least) check_workers(small);
  for (const Case& at : all) by_each_regime(variant, [&](const VariantPlan& plan) { check_case(plan, at); });
  if (variant == "fused") {
    check_staged_points(extent);
    check_centroid_copies(extent);
    check_whole_launches(extent);
    check_filters(all, hard);
    check_bounded_runs(extent);
  }
  if (extent == Extent::least) {
    return by_each_regime(variant, [&](const VariantPlan& plan) { check_runs(plan, EmptyPolicy::drop, 1500, 20, 50); });
  }
  // Made for filters.
  for (const Trap& trap : hard) {
    if (variant_of(variant) == "fused") by_each_regime(variant, [&](const VariantPlan& plan) { check_trap(plan, trap); });
  }
  for (const std::size_t d : {2, 8, 20, 100}) by_each_regime(variant, [&](const VariantPlan& plan) { check_beside(plan, d); });
  check_policies(variant, small);
}

}  // namespace

int check_variants(const std::vector<std::string>& variants, Extent extent) {
  const bool small = extent != Extent::full;
  for (const std::string& variant : variants) {
    const int before = failures;
    std::vector<Case> all = cases(small);
    if (extent == Extent::least) keep_few(all);
    try {
      check_variant(variant, all, extent);
    } catch (const std::exception& error) {
      expect(false, variant, ": ", error.what());
    }
    report(variant, all.size(), failures == before);
  }
  return failures == 0 ? 0 : 1;
}

}  // namespace centroid_lab::cuda_test
