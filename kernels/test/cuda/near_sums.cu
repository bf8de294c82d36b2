#include "near_sums.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "../native/check.hpp"
#include "../native/fixtures.hpp"
#include "cuda/cuda_engine.hpp"
#include "cuda/memory.hpp"
#include "cuda/registered_variants.hpp"
#include "fixed_point.hpp"
#include "plans.hpp"

namespace centroid_lab::cuda_test {
namespace {

using cuda::Buffer;

struct Sums {
  std::vector<long long> sums;
  std::vector<unsigned> counts;
  std::vector<std::int32_t> labels;
};

constexpr const char* by_chunks = "neighbour-boxes";

/// Points and centroids in engine units, and what makes them hard.
struct NearTrap {
  const char* name;
  std::function<float(std::mt19937&, std::size_t row, int feature)> point;
  std::function<float(std::mt19937&, std::size_t row, int feature)> centroid;
};

float between(std::mt19937& random, float low, float high) { return std::uniform_real_distribution<float>(low, high)(random); }

std::vector<NearTrap> near_traps() {
  const auto noise = [](std::mt19937& random, std::size_t, int) { return between(random, -0.9F, 0.9F); };
  const auto lattice = [](std::mt19937& random, std::size_t, int) { return static_cast<float>(static_cast<int>(random() % 17) - 8) / 16; };
  const auto fine = [](std::mt19937& random, std::size_t, int) { return 0.75F + static_cast<float>(random() % 9) * 0x1p-22F; };
  const auto scaled = [](float by) {
    return [by](std::mt19937& random, std::size_t, int feature) { return between(random, -0.9F, 0.9F) * (feature == 0 ? 1 : by); };
  };
  const auto mostly = [](float outside) {
    return [outside](std::mt19937& random, std::size_t row, int) { return row % 1000 == 7 ? outside * between(random, 0.5F, 1) : between(random, -1e-4F, 1e-4F); };
  };
  const auto edges = [](std::mt19937& random, std::size_t, int) { return (static_cast<float>(random() % 257) - 128) / 128 * 0.9F; };
  return {
      {"noise", noise, noise},
      {"ties on a lattice", lattice, lattice},
      {"fine lattice far off", fine, fine},
      {"equal centroids", noise, [](std::mt19937& random, std::size_t row, int) { return row % 3 == 0 ? between(random, -0.5F, 0.5F) : 0.25F; }},
      {"equal points", [](std::mt19937&, std::size_t, int) { return 0.3F; }, noise},
      {"all zero", [](std::mt19937&, std::size_t, int) { return 0.0F; }, noise},
      {"a constant feature", scaled(0), noise},
      {"a tiny feature", scaled(0x1p-60F), scaled(0x1p-60F)},
      {"a denormal feature", scaled(0x1p-130F), scaled(0x1p-130F)},
      {"outliers", mostly(0.9F), mostly(0.9F)},
      {"centroids among the bulk only", mostly(0.9F), [](std::mt19937& random, std::size_t, int) { return between(random, -1e-4F, 1e-4F); }},
      {"edges of cells", edges, edges},
      {"far centroids", noise, [](std::mt19937& random, std::size_t row, int) { return std::ldexp(between(random, -1, 1), static_cast<int>(row * 7 % 90)); }},
      {"centroids past float32's squares", noise, [](std::mt19937& random, std::size_t row, int) { return row % 2 == 0 ? between(random, 1e37F, 3e38F) : between(random, -1, 1); }},
      {"all centroids far", noise, [](std::mt19937& random, std::size_t, int) { return between(random, 1e8F, 1e9F); }},
      {"all on a line", [](std::mt19937& random, std::size_t, int) { return between(random, -0.9F, 0.9F); }, [](std::mt19937&, std::size_t row, int) { return 0.001F * static_cast<float>(row); }},
      {"close centroids", noise, [](std::mt19937& random, std::size_t, int) { return 0.1F + between(random, -1e-6F, 1e-6F); }},
  };
}

/// Two passes of `fused` by a regime: the sums of one, those and the labels of one that writes labels.
Sums pass_of(const cuda::VariantPlan& plan, const Fixture& fixture, const std::vector<float>& centroids, int k) {
  const FixedPoint fixed(fixture.points);
  const std::size_t d = fixture.points.d, clusters = static_cast<std::size_t>(k);
  const Buffer<float> x(fixture.x), scale(std::vector<float>(fixed.scale(), fixed.scale() + d)), rows(centroids);
  const Buffer<long long> sums(std::vector<long long>(d * clusters));
  const Buffer<unsigned> counts{std::vector<unsigned>(clusters)};
  const Buffer<int> halted(std::vector<int>(1));
  const Buffer<std::int32_t> labels(fixture.points.n);
  cuda::Problem problem;
  problem.x = x.get();
  problem.n = fixture.points.n;
  problem.d = static_cast<int>(d);
  problem.k = k;
  problem.max_abs = fixture.points.max_abs.data();
  problem.scale = scale.get();
  cuda::check(cudaGetDeviceProperties(&problem.device, 0), "cudaGetDeviceProperties");
  problem.regimes = plan.regimes;
  const auto variant = cuda::registered_variant("fused").make(problem);
  const cuda::Stream stream;
  cuda::Pass pass;
  pass.centroids = rows.get();
  pass.k = k;
  pass.count = fixture.points.n;
  pass.fixed_sums = sums.get();
  pass.counts = counts.get();
  pass.halted = halted.get();
  pass.stream = stream.get();
  Sums answer{std::vector<long long>(d * clusters), std::vector<unsigned>(clusters), std::vector<std::int32_t>(fixture.points.n)};
  variant->enqueue_assign(pass);
  stream.wait();
  sums.read(answer.sums.data(), answer.sums.size());
  counts.read(answer.counts.data(), answer.counts.size());
  sums.clear(stream.get());
  counts.clear(stream.get());
  pass.labels = labels.get();
  pass.write_labels = true;
  variant->enqueue_assign(pass);
  stream.wait();
  labels.read(answer.labels.data(), answer.labels.size());
  std::vector<long long> again(d * clusters);
  sums.read(again.data(), again.size());
  expect(again == answer.sums, name_of(plan), ": other sums where labels are written");
  return answer;
}

std::size_t differing(const Sums& a, const Sums& b) {
  std::size_t off = 0;
  for (std::size_t at = 0; at < a.sums.size(); at++) off += a.sums[at] != b.sums[at];
  for (std::size_t at = 0; at < a.counts.size(); at++) off += a.counts[at] != b.counts[at];
  for (std::size_t at = 0; at < a.labels.size(); at++) off += a.labels[at] != b.labels[at];
  return off;
}

void check_trap(const char* regime, const NearTrap& trap, std::size_t n, std::size_t d, int k) {
  std::mt19937 random(static_cast<unsigned>(n + static_cast<std::size_t>(k)));
  std::vector<float> x(d * n), centroids(d * static_cast<std::size_t>(k));
  for (std::size_t at = 0; at < x.size(); at++) x[at] = trap.point(random, at / d, static_cast<int>(at % d));
  for (std::size_t at = 0; at < centroids.size(); at++) centroids[at] = trap.centroid(random, at / d, static_cast<int>(at % d));
  const Fixture fixture(x, n, d);
  const std::string what = std::string(regime) + ", " + trap.name + " n=" + std::to_string(n) + " d=" + std::to_string(d) +
                           " k=" + std::to_string(k);
  Sums plain;
  by_plain_regime([&](const auto& plan) { plain = pass_of(plan, fixture, centroids, k); });
  const bool ran = unless_refused(plan_of("fused", {regime}), [&](const auto& plan) {
    const std::size_t off = differing(pass_of(plan, fixture, centroids, k), plain);
    expect(off == 0, what, ": ", off, " sums, counts and labels are others");
  });
  expect(ran, what, ": refused");
}

/// A run from the first points, in pieces of `budget` iterations.
Advance run_of(const cuda::VariantPlan& plan, const Fixture& fixture, const Rules& rules, std::int64_t budget) {
  const auto session = cuda::make_clustering(plan, fixture.points, rules, 0);
  const std::size_t d = fixture.points.d;
  std::vector<float> centroids(fixture.x.begin(), fixture.x.begin() + static_cast<std::ptrdiff_t>(d * rules.k));
  // One that loses all its points, for the policies on empty clusters.
  std::fill_n(centroids.begin() + static_cast<std::ptrdiff_t>(d), d, 3.0F);
  session->start(centroids.data());
  Advance all;
  const CancelFlag never{false};
  while (all.iterations.size() < 24) {
    const Advance some = session->advance(std::min<std::int64_t>(budget, 24 - static_cast<std::int64_t>(all.iterations.size())), 1e300, never);
    all.iterations.insert(all.iterations.end(), some.iterations.begin(), some.iterations.end());
    all.centroids.insert(all.centroids.end(), some.centroids.begin(), some.centroids.end());
  }
  return all;
}

/// Two runs the same: centroids to the last bit, figures to the rounding of their sums.
void expect_same(const Advance& a, const Advance& b, double slack, const std::string& what) {
  expect(a.centroids.size() == b.centroids.size() && a.iterations.size() == b.iterations.size(), what, ": another length");
  expect(std::memcmp(a.centroids.data(), b.centroids.data(), std::min(a.centroids.size(), b.centroids.size()) * sizeof(float)) == 0, what,
         ": other centroids");
  std::size_t off = 0;
  for (std::size_t at = 0; at < std::min(a.iterations.size(), b.iterations.size()); at++) {
    const IterationStats &x = a.iterations[at], &y = b.iterations[at];
    off += std::abs(x.inertia - y.inertia) > slack * std::abs(x.inertia);
    off += std::abs(x.shift_squared - y.shift_squared) > slack * x.shift_squared;
    off += x.max_coordinate_shift != y.max_coordinate_shift || x.empty_clusters != y.empty_clusters || x.iteration != y.iteration;
  }
  expect(off == 0, what, ": ", off, " figures of iterations differ");
}

/// Whole runs by both ways, and by the first in pieces, under each policy on empty clusters.
void check_runs(const char* regime, std::size_t n, std::size_t d, std::size_t k) {
  const Fixture fixture(values_of(Kind::noise, d * n), n, d);
  for (const EmptyPolicy empty : {EmptyPolicy::keep, EmptyPolicy::farthest, EmptyPolicy::drop}) {
    Rules rules;
    rules.k = k;
    rules.empty = empty;
    rules.track_inertia = rules.track_centroids = true;
    const std::string what = std::string("runs by ") + regime + ", d=" + std::to_string(d) + " k=" + std::to_string(k) +
                             " policy=" + std::to_string(static_cast<int>(empty));
    const cuda::VariantPlan plan = plan_of("fused", {regime});
    const Advance one = run_of(plan, fixture, rules, 24);
    by_plain_regime([&](const auto& plain) { expect_same(one, run_of(plain, fixture, rules, 24), 1e-9, what); });
    expect_same(one, run_of(plan, fixture, rules, 5), 0, what + " in pieces");
  }
}

void report(const char* what, std::size_t traps, int before) {
  std::printf("%-20s %4zu traps  %s\n", what, traps, failures == before ? "ok" : "FAILED");
  std::fflush(stdout);
}

}  // namespace

void check_near_sums(bool small) {
  const int before = failures;
  const std::size_t n = small ? 5'001 : 20'001;
  for (const NearTrap& trap : near_traps()) {
    for (const std::size_t d : {1, 2, 3, 8, 13, 32}) {
      check_trap(by_chunks, trap, n, d, 5);
      if (!small || d == 2 || d == 8) check_trap(by_chunks, trap, n, d, 100);
    }
  }
  check_runs(by_chunks, 300'001, 2, 10);
  check_runs(by_chunks, small ? 20'001 : 300'001, 8, 60);
  report("chunks of neighbours", near_traps().size(), before);
}

}  // namespace centroid_lab::cuda_test
