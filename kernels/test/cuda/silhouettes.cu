#include "silhouettes.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <vector>

#include "../native/check.hpp"
#include "methods/silhouette/device_silhouettes.hpp"
#include "timing.hpp"

namespace centroid_lab::cuda_test {
namespace {

constexpr double tolerance = 1e-6;

double silhouette_in_float64(const ClusteredInput& of, const std::vector<double>& sizes, std::size_t i) {
  std::vector<double> sums(of.k);
  for (std::size_t other = 0; other < of.n; other++) {
    double square = 0;
    for (std::size_t j = 0; j < of.d; j++) {
      const double difference = static_cast<double>(of.x[i * of.d + j]) - of.x[other * of.d + j];
      square += difference * difference;
    }
    sums[static_cast<std::size_t>(of.labels[other])] += std::sqrt(square);
  }
  const auto own = static_cast<std::size_t>(of.labels[i]);
  if (sizes[own] == 1) return 0;
  double b = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < of.k; c++) {
    if (c != own && sizes[c] > 0) b = std::min(b, sums[c] / sizes[c]);
  }
  const double a = sums[own] / (sizes[own] - 1);
  return std::max(a, b) == 0 ? 0 : (b - a) / std::max(a, b);
}

/// The largest error over every `step`-th point.
double worst_error(const ClusteredInput& of, const std::vector<double>& values, std::size_t step) {
  std::vector<double> sizes(of.k);
  for (std::size_t i = 0; i < of.n; i++) sizes[static_cast<std::size_t>(of.labels[i])]++;
  double worst = 0;
  for (std::size_t i = 0; i < of.n; i += step) {
    worst = std::max(worst, std::fabs(values[i] - silhouette_in_float64(of, sizes, i)));
  }
  return worst;
}

const CancelFlag never{false};

std::vector<double> on_device(const ClusteredInput& of) {
  std::vector<double> values(of.n, -2);
  PairProgress progress;
  expect(cuda::device_silhouettes(of, 0, never, progress, values.data()), "silhouettes: complete");
  expect(progress.done == progress.total, "silhouettes: progress");
  return values;
}

void check_one(std::size_t n, std::size_t d, std::size_t k, bool lattice) {
  std::mt19937 random(static_cast<unsigned>(n + 31 * d + k));
  std::uniform_real_distribution<float> unit(-1.0F, 1.0F);
  std::vector<float> x(n * d);
  for (float& value : x) value = lattice ? 0.25F * static_cast<float>(random() % 5) : unit(random);
  std::vector<std::int32_t> labels(n);
  // The first cluster has most points, the second none, the last a single one.
  for (std::int32_t& label : labels) label = static_cast<std::int32_t>(random() % 2 == 0 ? 0 : random() % (k - 1));
  for (std::int32_t& label : labels) label = k > 3 && label == 1 ? 0 : label;
  labels[n / 2] = static_cast<std::int32_t>(k - 1);
  const ClusteredInput input{x.data(), n, d, labels.data(), k};
  const std::vector<double> values = on_device(input);
  const double worst = worst_error(input, values, 1);
  expect(worst <= tolerance, "silhouettes, n ", n, ", d ", d, ", k ", k, ": off by ", worst);
  expect(values == on_device(input), "silhouettes, n ", n, ", d ", d, ", k ", k, ": the same again");
}

}  // namespace

void check_silhouettes() {
  for (const std::size_t d : {1, 2, 3, 4, 7, 8, 12, 13, 17, 24, 32, 33, 64, 100}) {
    for (const bool lattice : {false, true}) {
      check_one(700, d, 5, lattice);
      check_one(1500, d, 2, lattice);
      check_one(300, d, 200, lattice);
    }
  }
  std::vector<float> x(64, 0.5F);
  std::vector<std::int32_t> labels(64);
  for (std::size_t i = 0; i < 64; i++) labels[i] = i % 2;
  PairProgress progress;
  std::vector<double> values(64);
  const ClusteredInput equal{x.data(), 64, 1, labels.data(), 2};
  expect(on_device(equal) == std::vector<double>(64, 0.0), "silhouettes: equal points have 0");
  expect(!cuda::device_silhouettes(equal, 0, CancelFlag{true}, progress, values.data()), "silhouettes: cancelled");
}

int time_silhouettes(std::size_t n, std::size_t d, std::size_t k) {
  const std::vector<float> x = blobs(n, d, k);
  std::vector<std::int32_t> labels(n);
  // Nearest of k points far apart enough: any labels do for the time, these are clusters for the most part.
  for (std::size_t i = 0; i < n; i++) {
    float least = std::numeric_limits<float>::infinity();
    for (std::size_t c = 0; c < k; c++) {
      float square = 0;
      for (std::size_t j = 0; j < d; j++) square += (x[i * d + j] - x[(c * 7 + 1) * d + j]) * (x[i * d + j] - x[(c * 7 + 1) * d + j]);
      if (square < least) least = square, labels[i] = static_cast<std::int32_t>(c);
    }
  }
  const ClusteredInput input{x.data(), n, d, labels.data(), k};
  std::vector<double> values;
  double best = 1e300;
  for (int round = 0; round < 3; round++) {
    const auto began = std::chrono::steady_clock::now();
    values = on_device(input);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
  }
  const double worst = worst_error(input, values, std::max<std::size_t>(1, n / 20));
  double sum = 0;
  for (const double value : values) sum += value;
  std::printf("silhouettes of %zu x %zu in %zu clusters: %.3f s, mean %.9f, off by at most %.2g\n", n, d, k, best,
              sum / static_cast<double>(n), worst);
  return failures == 0 && worst <= tolerance ? 0 : 1;
}

}  // namespace centroid_lab::cuda_test
