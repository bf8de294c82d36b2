#include "plane_sums.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "../native/check.hpp"
#include "../native/fixtures.hpp"
#include "cuda/cuda_engine.hpp"
#include "cuda/device_variant.hpp"
#include "cuda/memory.hpp"
#include "fixed_point.hpp"

namespace centroid_lab::cuda_test {
namespace {

using cuda::Buffer;

struct Sums {
  std::vector<long long> sums;
  std::vector<unsigned> counts;
};

/// Points and centroids in engine units, and what makes them hard.
struct PlaneTrap {
  const char* name;
  std::function<float(std::mt19937&, std::size_t row, int feature)> point;
  std::function<float(std::mt19937&, std::size_t row, int feature)> centroid;
};

float between(std::mt19937& random, float low, float high) { return std::uniform_real_distribution<float>(low, high)(random); }

std::vector<PlaneTrap> plane_traps() {
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

/// One pass of `fused` by the way that `grid` names.
Sums pass_of(const char* grid, const Fixture& fixture, const std::vector<float>& centroids, int k) {
  setenv("CENTROID_LAB_FUSED_GRID", grid, 1);
  const FixedPoint fixed(fixture.points);
  const Buffer<float> x(fixture.x), scale(std::vector<float>(fixed.scale(), fixed.scale() + 2)), rows(centroids);
  const Buffer<long long> sums(std::vector<long long>(2 * static_cast<std::size_t>(k)));
  const Buffer<unsigned> counts(std::vector<unsigned>(static_cast<std::size_t>(k)));
  const Buffer<int> halted(std::vector<int>(1));
  cuda::Problem problem;
  problem.x = x.get();
  problem.n = fixture.points.n;
  problem.d = 2;
  problem.k = k;
  problem.max_abs = fixture.points.max_abs.data();
  problem.scale = scale.get();
  cuda::check(cudaGetDeviceProperties(&problem.device, 0), "cudaGetDeviceProperties");
  const auto variant = cuda::make_device_variant("fused", problem);
  const cuda::Stream stream;
  cuda::Pass pass;
  pass.centroids = rows.get();
  pass.k = k;
  pass.count = fixture.points.n;
  pass.fixed_sums = sums.get();
  pass.counts = counts.get();
  pass.halted = halted.get();
  pass.stream = stream.get();
  variant->enqueue_assign(pass);
  stream.wait();
  Sums answer{std::vector<long long>(2 * static_cast<std::size_t>(k)), std::vector<unsigned>(static_cast<std::size_t>(k))};
  sums.read(answer.sums.data(), answer.sums.size());
  counts.read(answer.counts.data(), answer.counts.size());
  unsetenv("CENTROID_LAB_FUSED_GRID");
  return answer;
}

void check_trap(const PlaneTrap& trap, std::size_t n, int k) {
  std::mt19937 random(static_cast<unsigned>(n + static_cast<std::size_t>(k)));
  std::vector<float> x(2 * n), centroids(2 * static_cast<std::size_t>(k));
  for (std::size_t at = 0; at < x.size(); at++) x[at] = trap.point(random, at / 2, static_cast<int>(at % 2));
  for (std::size_t at = 0; at < centroids.size(); at++) centroids[at] = trap.centroid(random, at / 2, static_cast<int>(at % 2));
  const Fixture fixture(x, n, 2);
  const Sums table = pass_of("always", fixture, centroids, k), distances = pass_of("none", fixture, centroids, k);
  std::size_t off = 0;
  for (std::size_t at = 0; at < table.sums.size(); at++) off += table.sums[at] != distances.sums[at];
  for (std::size_t at = 0; at < table.counts.size(); at++) off += table.counts[at] != distances.counts[at];
  expect(off == 0, "the table of the plane, ", trap.name, " n=", n, " k=", k, ": ", off, " sums and counts are others");
}

/// A run from the first points, in pieces of `budget` iterations.
Advance run_of(const char* grid, const Fixture& fixture, const Rules& rules, std::int64_t budget) {
  setenv("CENTROID_LAB_FUSED_GRID", grid, 1);
  const auto session = cuda::make_clustering("fused", fixture.points, rules, 0);
  unsetenv("CENTROID_LAB_FUSED_GRID");
  std::vector<float> centroids(fixture.x.begin(), fixture.x.begin() + static_cast<std::ptrdiff_t>(2 * rules.k));
  // One that loses all its points, for the policies on empty clusters.
  centroids[2] = centroids[3] = 3;
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

/// Whole runs by the table and by distances, and by the table in pieces, under each policy on empty clusters.
void check_runs(std::size_t n, std::size_t k) {
  const Fixture fixture(values_of(Kind::noise, 2 * n), n, 2);
  for (const EmptyPolicy empty : {EmptyPolicy::keep, EmptyPolicy::farthest, EmptyPolicy::drop}) {
    Rules rules;
    rules.k = k;
    rules.empty = empty;
    rules.track_inertia = rules.track_centroids = true;
    const std::string what = "runs by the table of the plane, k=" + std::to_string(k) + " policy=" + std::to_string(static_cast<int>(empty));
    const Advance table = run_of("always", fixture, rules, 24);
    expect_same(table, run_of("none", fixture, rules, 24), 1e-9, what);
    expect_same(table, run_of("always", fixture, rules, 5), 0, what + " in pieces");
  }
}

}  // namespace

void check_plane_sums(bool small) {
  const int before = failures;
  const std::size_t few = small ? 3'001 : 200'001, many = 140'001;
  for (const PlaneTrap& trap : plane_traps()) {
    for (const int k : {1, 3, 5, 10, 16}) check_trap(trap, few, k);
    for (const int k : {17, 100, 230, 300, 700}) {
      if (!small || k == 100) check_trap(trap, many, k);
    }
  }
  check_runs(600'001, 10);
  if (!small) check_runs(600'001, 100);
  std::printf("%-20s %4zu traps  %s\n", "table of the plane", plane_traps().size(), failures == before ? "ok" : "FAILED");
  std::fflush(stdout);
}

}  // namespace centroid_lab::cuda_test
