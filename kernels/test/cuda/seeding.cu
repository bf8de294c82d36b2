#include "seeding.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "../native/check.hpp"
#include "cuda/device_seeding.hpp"
#include "seeding/seeding.hpp"

namespace centroid_lab::cuda_test {
namespace {

/// Points on a coarse lattice repeat each other and have distances of 0.
std::vector<float> some_points(std::size_t n, std::size_t d, bool lattice) {
  std::mt19937 random(static_cast<unsigned>(n * 31 + d));
  std::uniform_real_distribution<float> anywhere(-1.0f, 1.0f);
  std::uniform_int_distribution<int> step(-2, 2);
  std::vector<float> x(n * d);
  for (float& value : x) value = lattice ? 0.25f * static_cast<float>(step(random)) : anywhere(random);
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

void check_one(std::size_t n, std::size_t d, bool lattice) {
  const std::vector<float> x = some_points(n, d, lattice);
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

void check_greedy(std::size_t n, std::size_t d, std::size_t k, bool lattice) {
  const std::vector<float> x = some_points(n, d, lattice);
  const std::size_t candidates = 2 + static_cast<std::size_t>(std::log(static_cast<double>(k)));
  const std::vector<double> uniforms = draws((k - 1) * candidates);
  Seeding host(x.data(), n, d, 2);
  const auto device = cuda::make_device_seeding(x.data(), n, d, 0);
  const auto first = static_cast<std::int32_t>(n / 2);
  expect_same(device->greedy(first, uniforms, candidates), host.greedy(first, uniforms, candidates), "centres", n, d);
}

double milliseconds_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
}

}  // namespace

void check_seeding() {
  for (const bool lattice : {false, true}) {
    for (const std::size_t n : {1, 7, 8, 255, 1023, 1024, 1025, 5003}) {
      for (const std::size_t d : {1, 2, 17}) check_one(n, d, lattice);
    }
    check_one(40, 300, lattice);
    check_greedy(3000, 2, 40, lattice);
    check_greedy(1025, 9, 200, lattice);
  }
}

int time_seeding(std::size_t n, std::size_t d, std::size_t k) {
  const std::vector<float> x = some_points(n, d, false);
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
