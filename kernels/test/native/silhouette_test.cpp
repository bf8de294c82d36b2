// Silhouettes against float64, for every instruction set that this processor has.
#include <algorithm>
#include <cmath>
#include <limits>

#include "check.hpp"
#include "fixtures.hpp"
#include "isa.hpp"
#include "methods/silhouette/silhouette.hpp"
#include "tests.hpp"

namespace centroid_lab {
namespace {

double distance_of(const float* a, const float* b, std::size_t d) {
  double sum = 0;
  for (std::size_t j = 0; j < d; j++) {
    const double difference = static_cast<double>(a[j]) - b[j];
    sum += difference * difference;
  }
  return std::sqrt(sum);
}

/// A few rounding errors of float32 each; where all distances are alike they do not cancel.
constexpr double relative = 1e-6;

bool is_near(double found, double expected) { return std::fabs(found - expected) <= relative * std::fabs(expected); }

void check_sums(const PairKernels& kernels, Kind kind, std::size_t lanes, std::size_t rows, std::size_t d) {
  const std::vector<float> x = values_of(kind, (lanes + rows) * d);
  const std::size_t tiles = (lanes + pair_tile - 1) / pair_tile;
  std::vector<float> packed(tiles * pair_tile * d, 0.0F);
  for (std::size_t i = 0; i < lanes; i++) {
    for (std::size_t j = 0; j < d; j++) packed[i / pair_tile * pair_tile * d + j * pair_tile + i % pair_tile] = x[i * d + j];
  }
  const float* row = x.data() + lanes * d;
  std::vector<double> lane_sums(tiles * pair_tile), alone(tiles * pair_tile), row_sums(rows);
  kernels.sums({packed.data(), lanes, row, rows, d, lane_sums.data(), row_sums.data()});
  kernels.sums({packed.data(), lanes, row, rows, d, alone.data(), nullptr});
  std::vector<double> of_lanes(lanes), of_rows(rows);
  for (std::size_t i = 0; i < lanes; i++) {
    for (std::size_t r = 0; r < rows; r++) {
      const double distance = distance_of(x.data() + i * d, row + r * d, d);
      of_lanes[i] += distance;
      of_rows[r] += distance;
    }
  }
  bool near = true;
  for (std::size_t i = 0; i < lanes; i++) near &= is_near(lane_sums[i], of_lanes[i]) && alone[i] == lane_sums[i];
  for (std::size_t r = 0; r < rows; r++) near &= is_near(row_sums[r], of_rows[r]);
  expect(near, kernels.isa, " distance sums: lanes ", lanes, ", rows ", rows, ", d ", d);
}

std::vector<double> reference(const ClusteredInput& of) {
  std::vector<double> sizes(of.k), values(of.n);
  for (std::size_t i = 0; i < of.n; i++) sizes[static_cast<std::size_t>(of.labels[i])]++;
  for (std::size_t i = 0; i < of.n; i++) {
    std::vector<double> sums(of.k);
    for (std::size_t j = 0; j < of.n; j++) {
      sums[static_cast<std::size_t>(of.labels[j])] += distance_of(of.x + i * of.d, of.x + j * of.d, of.d);
    }
    const auto own = static_cast<std::size_t>(of.labels[i]);
    double b = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < of.k; c++) {
      if (c != own && sizes[c] > 0) b = std::min(b, sums[c] / sizes[c]);
    }
    const double a = sums[own] / (sizes[own] - 1);
    values[i] = sizes[own] == 1 || std::max(a, b) == 0 ? 0 : (b - a) / std::max(a, b);
  }
  return values;
}

void check_silhouettes(Kind kind, std::size_t n, std::size_t d, std::size_t k) {
  const std::vector<float> x = values_of(kind, n * d);
  std::vector<std::int32_t> labels(n);
  // The first cluster has most points, one in the middle none, the last a single one.
  for (std::size_t i = 0; i < n; i++) labels[i] = static_cast<std::int32_t>(i % 3 == 0 ? 0 : i * 7 % k);
  for (std::int32_t& label : labels) label = k > 3 && label == 1 ? 0 : label == static_cast<std::int32_t>(k - 1) ? 0 : label;
  labels[n / 2] = static_cast<std::int32_t>(k - 1);
  labels[0] = 0;
  const ClusteredInput input{x.data(), n, d, labels.data(), k};
  std::vector<double> values(n), others(n);
  PairProgress progress;
  expect(silhouettes(input, 1, CancelFlag{false}, progress, values.data()), "silhouettes: complete");
  expect(progress.done <= progress.total && progress.done * 2 >= progress.total, "silhouettes: progress");
  silhouettes(input, 3, CancelFlag{false}, progress, others.data());
  expect(values == others, "silhouettes: the same on three threads, n ", n, ", d ", d, ", k ", k);
  const std::vector<double> expected = reference(input);
  double worst = 0;
  for (std::size_t i = 0; i < n; i++) worst = std::max(worst, std::fabs(values[i] - expected[i]));
  expect(worst <= relative, "silhouettes: n ", n, ", d ", d, ", k ", k, " off by ", worst);
  expect(values[n / 2] == 0, "silhouettes: a point alone has 0");
  expect(!silhouettes(input, 2, CancelFlag{true}, progress, others.data()), "silhouettes: cancelled");
}

std::vector<const PairKernels*> kernels_here() {
  std::vector<const PairKernels*> kernels{&baseline_pair_kernels};
#if defined(__x86_64__)
  if (best_isa() >= Isa::avx2) kernels.push_back(&avx2_pair_kernels);
  if (best_isa() >= Isa::avx512) kernels.push_back(&avx512_pair_kernels);
#endif
  return kernels;
}

}  // namespace

void test_silhouettes() {
  for (const PairKernels* kernels : kernels_here()) {
    for (const Kind kind : {Kind::noise, Kind::lattice, Kind::far, Kind::equal}) {
      for (const std::size_t d : {1, 2, 8, 31, 100}) {
        for (const std::size_t lanes : {1, 15, 64, 65, 133}) {
          for (const std::size_t rows : {1, 3, 4, 127, 130}) check_sums(*kernels, kind, lanes, rows, d);
        }
      }
    }
  }
  for (const Kind kind : {Kind::noise, Kind::lattice, Kind::equal}) {
    for (const std::size_t d : {1, 8, 33}) {
      // Blocks of clusters; one cluster of several blocks; clusters too small for blocks; nearly every point alone.
      check_silhouettes(kind, 700, d, 5);
      check_silhouettes(kind, 2600, d, 2);
      check_silhouettes(kind, 600, d, 200);
      check_silhouettes(kind, 65, d, 64);
    }
  }
}

}  // namespace centroid_lab
