// Variants in float64: every bit is that of plain loops in double, where float32 could not tell the points apart.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <stdexcept>

#include "check.hpp"
#include "check_points.hpp"
#include "lloyd.hpp"
#include "tests.hpp"
#include "variant.hpp"

namespace centroid_lab {
namespace {

const CancelFlag never{false};

struct Shape {
  std::size_t n, d, k;
};

/// What one iteration of the definition gives.
struct Expected {
  std::vector<std::int32_t> labels;
  std::vector<double> centroids;
};

/// Steps of 2^-40 around 0.5 (float32 holds steps of 2^-24 there): every distance and every sum is exact.
std::vector<double> fine_lattice(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> x(count);
  for (double& value : x) value = 0.5 + std::ldexp(static_cast<double>(random() % 5), -40);
  return x;
}

std::vector<double> noise(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  std::vector<double> x(count);
  for (double& value : x) value = unit(random);
  return x;
}

double squared(const double* a, const double* b, std::size_t d) {
  double sum = 0;
  for (std::size_t j = 0; j < d; j++) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sum;
}

/// Empty clusters keep their centroids; NaN rows take no part.
Expected iteration(const std::vector<double>& x, const Shape& shape, const std::vector<double>& centroids) {
  const auto [n, d, k] = shape;
  Expected expected{std::vector<std::int32_t>(n), centroids};
  std::vector<double> sums(k * d, 0.0);
  std::vector<double> counts(k, 0.0);
  for (std::size_t i = 0; i < n; i++) {
    double smallest = std::numeric_limits<double>::infinity();
    std::size_t nearest = 0;
    for (std::size_t c = 0; c < k; c++) {
      const double distance = squared(&x[i * d], &centroids[c * d], d);
      if (distance < smallest) smallest = distance, nearest = c;
    }
    expected.labels[i] = static_cast<std::int32_t>(nearest);
    counts[nearest]++;
    for (std::size_t j = 0; j < d; j++) sums[nearest * d + j] += x[i * d + j];
  }
  for (std::size_t at = 0; at < k * d; at++) {
    if (counts[at / d] > 0) expected.centroids[at] = sums[at] / counts[at / d];
  }
  return expected;
}

void check_iterations(const std::string& variant, const std::vector<double>& x, const Shape& shape) {
  const auto [n, d, k] = shape;
  const PointsOf<double> points{x.data(), n, d, checked_magnitudes(x.data(), n, d)};
  Rules rules;
  rules.k = k;
  rules.track_changed = true;
  LloydOf<double> lloyd(points, rules, make_variant({variant}, points, k, Machine{2}));
  std::vector<double> centroids(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(k * d));
  lloyd.start(centroids.data());
  for (int at = 0; at < 4; at++) {
    const std::string what = variant + " in float64, n " + std::to_string(n) + ", d " + std::to_string(d) + ", k " +
                             std::to_string(k) + ", iteration " + std::to_string(at + 1);
    const Expected expected = iteration(x, shape, centroids);
    std::vector<std::int32_t> labels(n);
    double inertia = 0;
    expect(lloyd.read(never, labels.data(), inertia), what, ": cancelled");
    expect(labels == expected.labels, what, ": labels differ");
    double sum = 0;
    for (std::size_t i = 0; i < n; i++) sum += squared(&x[i * d], &centroids[static_cast<std::size_t>(labels[i]) * d], d);
    expect(std::abs(inertia - sum) <= 1e-13 * sum, what, ": inertia is ", inertia, ", not ", sum);
    lloyd.advance(1, 1e300, never);
    expect(lloyd.centroids() == expected.centroids, what, ": centroids differ");
    centroids = expected.centroids;
  }
}

void check_refusals() {
  const std::vector<double> x{0.5, -0.5, 0.25};
  const PointsOf<double> points{x.data(), 3, 1, checked_magnitudes(x.data(), 3, 1)};
  for (const std::string& variant : cpu_variants()) {
    if (variant == "sequential" || variant == "eigen") continue;
    const auto regime = std::find_if(cpu_regimes().begin(), cpu_regimes().end(),
                                     [&](const CpuRegime& each) { return each.variant == variant; });
    try {
      make_variant({variant, regime->name}, points, 2, Machine{1});
      expect(false, variant, " takes points in float64");
    } catch (const std::invalid_argument& refusal) {
      expect(std::string(refusal.what()).find("float32 only") != std::string::npos, refusal.what());
    }
  }
  const std::vector<double> wrong{0.5, std::nextafter(1.0, 2.0)};
  try {
    checked_magnitudes(wrong.data(), 2, 1);
    expect(false, "a value above 1 is taken");
  } catch (const std::invalid_argument&) {
  }
}

/// A dropped cluster takes no further part.
void check_drop(const std::string& variant) {
  const std::vector<double> x{0.5, 0.5 + std::ldexp(1.0, -40), -0.5, -0.5};
  const PointsOf<double> points{x.data(), 4, 1, checked_magnitudes(x.data(), 4, 1)};
  Rules rules;
  rules.k = 3;
  rules.empty = EmptyPolicy::drop;
  LloydOf<double> lloyd(points, rules, make_variant({variant}, points, 3, Machine{1}));
  const std::vector<double> start{1.0, 0.5, -0.25};
  lloyd.start(start.data());
  lloyd.advance(2, 1e300, never);
  expect(std::isnan(lloyd.centroids()[0]), variant, ": the empty cluster is not dropped");
  expect(lloyd.centroids()[1] == 0.5 + std::ldexp(1.0, -41), variant, ": the mean is ", lloyd.centroids()[1]);
  expect(lloyd.centroids()[2] == -0.5, variant, ": the mean is ", lloyd.centroids()[2]);
}

}  // namespace

void test_float64() {
  for (const std::string& variant : cpu_variants()) {
    if (variant != "sequential" && variant != "eigen") continue;
    for (std::size_t d = 1; d <= 14; d++) {
      for (const std::size_t k : {1, 2, 7, 33}) {
        const Shape shape{400 + 3 * d, d, k};
        const auto seed = static_cast<unsigned>(100 * d + k);
        check_iterations(variant, fine_lattice(shape.n * d, seed), shape);
        // From nine features on Eigen adds the squares in an order of its own.
        if (variant == "sequential" || d <= 8) check_iterations(variant, noise(shape.n * d, seed), shape);
      }
    }
    check_drop(variant);
  }
  check_refusals();
}

}  // namespace centroid_lab
