// `mini-batch`: the same result for the same start whatever the threads, centroids near those of all points, labels of all points.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "check.hpp"
#include "check_points.hpp"
#include "lloyd.hpp"
#include "philox.hpp"
#include "tests.hpp"
#include "variant.hpp"

namespace centroid_lab {
namespace {

const CancelFlag never{false};

/// Vectors that the generator's authors publish (Random123, kat_vectors).
void check_philox() {
  const PhiloxBlock zeros{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  expect(philox4x32({0, 0, 0, 0}, 0, 0) == zeros, "philox4x32 of zeros");
  const PhiloxBlock ones{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
  expect(philox4x32({~0u, ~0u, ~0u, ~0u}, ~0u, ~0u) == ones, "philox4x32 of ones");
}

struct Blobs {
  std::vector<float> x;
  std::vector<float> centres;
};

/// Points around k centres, `spread` wide.
Blobs blobs(std::size_t n, std::size_t d, std::size_t k, float spread) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> anywhere(-0.8f, 0.8f);
  std::uniform_real_distribution<float> near(-spread, spread);
  Blobs made{std::vector<float>(n * d), std::vector<float>(k * d)};
  for (float& value : made.centres) value = anywhere(random);
  for (std::size_t i = 0; i < n * d; i++) made.x[i] = made.centres[i / d % k * d + i % d] + near(random);
  return made;
}

struct Result {
  std::vector<float> centroids;
  std::vector<std::int32_t> labels;
  double inertia;
};

Result run(const std::string& variant, const Points& points, std::size_t k, const std::vector<float>& start,
           std::size_t threads) {
  Rules rules;
  rules.k = k;
  const VariantPlan plan{variant, variant == "fused" ? "tiled" : ""};
  Lloyd lloyd(points, rules, make_variant(plan, points, k, Machine{threads}));
  lloyd.start(start.data());
  lloyd.advance(20, 1e300, never);
  Result result{lloyd.centroids(), std::vector<std::int32_t>(points.n), 0};
  lloyd.read(never, result.labels.data(), result.inertia);
  return result;
}

void check_blobs(std::size_t d, std::size_t k) {
  const std::size_t n = 20'000 + 7;
  const Blobs made = blobs(n, d, k, 0.05f);
  const Points points{made.x.data(), n, d, checked_magnitudes(made.x.data(), n, d)};
  std::vector<float> start(made.x.begin(), made.x.begin() + static_cast<std::ptrdiff_t>(k * d));
  const Result one = run("mini-batch", points, k, start, 1);
  const Result exact = run("fused", points, k, start, 1);
  for (const std::size_t threads : {std::size_t{2}, std::size_t{3}}) {
    const Result other = run("mini-batch", points, k, start, threads);
    expect(other.centroids == one.centroids, "mini-batch parts with ", threads, " threads at d = ", d, ", k = ", k);
    expect(other.labels == one.labels, "labels part with ", threads, " threads at d = ", d, ", k = ", k);
  }
  expect(one.inertia >= exact.inertia && one.inertia < 1.05 * exact.inertia, "mini-batch has inertia ", one.inertia,
         ", all points ", exact.inertia, " at d = ", d, ", k = ", k);
  std::size_t different = 0;
  for (std::size_t i = 0; i < n; i++) different += one.labels[i] != exact.labels[i];
  expect(different < n / 100, different, " of ", n, " labels are others at d = ", d, ", k = ", k);
  start[0] += 0.01f;
  expect(run("mini-batch", points, k, start, 1).centroids != one.centroids, "another start draws other points");
}

}  // namespace

void test_mini_batch() {
  check_philox();
  for (const std::size_t d : {1, 2, 3, 8, 33}) check_blobs(d, 5);
  check_blobs(4, 40);
}

}  // namespace centroid_lab
