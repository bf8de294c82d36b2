#include "seeding.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "../native/check.hpp"
#include "cuda/device_seeding.hpp"
#include "cuda/memory.hpp"
#include "cuda/ordered_sums.cuh"
#include "seeding/seeding.hpp"

namespace centroid_lab::cuda_test {
namespace {

/// What is hard about each kind: nothing; points that repeat each other, distances of 0 and ties; clusters far apart, where most
/// points are passed over; squares below and above what float32 can hold, and of all sizes; equal distances far from 0; distances
/// that float32 cannot tell apart.
enum class Kind { anywhere, lattice, clusters, tiny, huge, all_sizes, far_off, corners };

float coordinate(Kind kind, std::mt19937& random, std::size_t i, std::size_t j) {
  const float share = std::uniform_real_distribution<float>(-1.0f, 1.0f)(random);
  const auto step = [&] { return static_cast<float>(std::uniform_int_distribution<int>(-2, 2)(random)); };
  switch (kind) {
    case Kind::lattice: return 0.25f * step();
    case Kind::clusters: return static_cast<float>((i * 7 + j * j * (i % 5)) % 13) + 0.01f * share;
    case Kind::tiny: return 1e-22f * share;
    case Kind::huge: return 3e38f * share;
    case Kind::all_sizes: return std::ldexp(share, 30 * static_cast<int>(step()));
    case Kind::far_off: return 4096.0f + std::ldexp(step(), -11);
    case Kind::corners: return (random() % 2 == 0 ? 1.0f : -1.0f) * (1.0f + 0x1p-20f * share);
    default: return share;
  }
}

std::vector<float> some_points(std::size_t n, std::size_t d, Kind kind) {
  std::mt19937 random(static_cast<unsigned>(n * 31 + d));
  std::vector<float> x(n * d);
  for (std::size_t at = 0; at < x.size(); at++) x[at] = coordinate(kind, random, at / d, at % d);
  return x;
}

std::vector<double> draws(std::size_t count) {
  std::mt19937_64 random(count);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  std::vector<double> answer(count);
  for (double& value : answer) value = share(random);
  return answer;
}

template <class Value>
void expect_same(const std::vector<Value>& device, const std::vector<Value>& host, const char* what, std::size_t n,
                 std::size_t d) {
  expect(device == host, "seeding, n ", n, ", d ", d, ": ", what, " differ from the processor's");
}

void check_one(std::size_t n, std::size_t d, Kind kind) {
  const std::vector<float> x = some_points(n, d, kind);
  Seeding host(x.data(), n, d, 2);
  const auto device = cuda::make_device_seeding(x.data(), n, d, 0);
  const auto last = static_cast<std::int32_t>(n - 1);
  const std::vector<std::int32_t> some{0, last / 2, last, last / 3, last / 5};
  expect_same(device->potentials(some), host.potentials(some), "potentials before a centre", n, d);
  const double potential = host.commit({last / 2});
  expect(device->commit({last / 2}) == potential, "seeding, n ", n, ", d ", d, ": the sum of D2 differs");
  expect_same(device->potentials(some), host.potentials(some), "potentials", n, d);
  const double lowered = host.commit(some);
  expect(device->commit(some) == lowered, "seeding, n ", n, ", d ", d, ": the lowered sum of D2 differs");
  std::vector<double> targets = draws(40);
  for (const double edge : {0.0, 0.5, 1.0, 2.0}) targets.push_back(edge);
  for (double& target : targets) target *= lowered;
  expect_same(device->pick(targets), host.pick(targets), "picked rows", n, d);
  expect_same(device->distances(n / 3, n - n / 3), host.distances(n / 3, n - n / 3), "distances", n, d);
  expect_same(device->nearest_counts(some), host.nearest_counts(some), "counts", n, d);
}

void check_greedy(std::size_t n, std::size_t d, std::size_t k, Kind kind) {
  const std::vector<float> x = some_points(n, d, kind);
  const std::size_t candidates = 2 + static_cast<std::size_t>(std::log(static_cast<double>(k)));
  const std::vector<double> uniforms = draws((k - 1) * candidates);
  Seeding host(x.data(), n, d, 2);
  const auto device = cuda::make_device_seeding(x.data(), n, d, 0);
  const auto first = static_cast<std::int32_t>(n / 2);
  expect_same(device->greedy(first, uniforms, candidates), host.greedy(first, uniforms, candidates), "centres", n, d);
  // What comes after builds on what it leaves.
  expect_same(device->distances(0, n), host.distances(0, n), "distances to the centres", n, d);
  expect(device->commit({0}) == host.commit({0}), "seeding, n ", n, ", d ", d, ": the sum after the centres differs");
  expect_same(device->greedy(0, uniforms, candidates), host.greedy(0, uniforms, candidates), "more centres", n, d);
}

__global__ void add_in_order(double start, const double* values, int count, double* sums) {
  __shared__ double from[cuda::ordered_values], to[cuda::ordered_values];
  for (int i = threadIdx.x; i < count; i += cuda::seeding_threads) from[i] = values[i];
  __syncthreads();
  cuda::ordered_sums(start, from, count, to);
  for (int i = threadIdx.x; i < count; i += cuda::seeding_threads) sums[i] = to[i];
}

/// Sums by a whole thread block against additions one by one.
void check_ordered_sums(double start, const std::vector<double>& values) {
  const cuda::Buffer<double> from(values), to(values.size());
  add_in_order<<<1, cuda::seeding_threads>>>(start, from.get(), static_cast<int>(values.size()), to.get());
  cuda::check_launch("add_in_order");
  std::vector<double> sums(values.size()), expected;
  to.read(sums.data(), sums.size());
  double sum = start;
  for (const double value : values) expected.push_back(sum += value);
  expect(sums == expected, "running sums of ", values.size(), " values from ", start, " on differ");
}

/// Values of few bits, half steps of the sum and less, meet ties again and again.
void check_ordered_sums() {
  std::mt19937_64 random(5);
  for (const std::size_t count : {1, 63, 65, 200, 1000, 1024}) {
    for (const int bits : {1, 2, 5, 30, 53}) {
      for (const int range : {0, 3, 60}) {
        std::vector<double> values(count);
        for (double& value : values) {
          value = std::ldexp(static_cast<double>(random() >> (64 - bits)), -static_cast<int>(random() % (range + 1)));
        }
        for (const double start : {0.0, 1.0, 0x1p52 + 1, 0x1.fffffffffffffp54, 0x1p60}) check_ordered_sums(start, values);
      }
    }
  }
}

double milliseconds_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
}

}  // namespace

void check_seeding() {
  check_ordered_sums();
  for (const Kind kind : {Kind::anywhere, Kind::lattice}) {
    for (const std::size_t n : {1, 7, 8, 255, 1023, 1024, 1025, 5003}) {
      for (const std::size_t d : {1, 2, 17}) check_one(n, d, kind);
    }
    check_one(40, 300, kind);
    check_greedy(1025, 9, 200, kind);
  }
  for (const Kind kind : {Kind::anywhere, Kind::lattice, Kind::clusters, Kind::tiny, Kind::huge, Kind::all_sizes, Kind::far_off,
                          Kind::corners}) {
    check_greedy(3000, 2, 40, kind);
    check_greedy(2500, 64, 12, kind);
    check_greedy(600, 300, 9, kind);
    // More centres than points: it ends when every point is one.
    check_greedy(5, 1, 8, kind);
  }
}

int time_seeding(std::size_t n, std::size_t d, std::size_t k) {
  const std::vector<float> x = some_points(n, d, Kind::anywhere);
  const std::size_t candidates = 2 + static_cast<std::size_t>(std::log(static_cast<double>(k)));
  const std::vector<double> uniforms = draws((k - 1) * candidates);
  double best = INFINITY;
  std::vector<std::int32_t> device_rows;
  for (int repeat = 0; repeat < 3; repeat++) {
    const auto began = std::chrono::steady_clock::now();
    device_rows = cuda::make_device_seeding(x.data(), n, d, 0)->greedy(0, uniforms, candidates);
    best = std::min(best, milliseconds_since(began));
  }
  Seeding host(x.data(), n, d, 16);
  const auto began = std::chrono::steady_clock::now();
  const bool same = host.greedy(0, uniforms, candidates) == device_rows;
  std::printf("k-means++ n %zu d %zu k %zu: device %.1f ms (upload counted), processor %.1f ms, rows %s\n", n, d, k, best,
              milliseconds_since(began), same ? "the same" : "DIFFER");
  return same ? 0 : 1;
}

}  // namespace centroid_lab::cuda_test
