#include "worked_example.hpp"

#include <vector>

#include "../native/check.hpp"
#include "cuda/memory.hpp"
#include "cuda/registered_variants.hpp"
#include "fixed_point.hpp"

namespace centroid_lab::cuda_test {
namespace {

using cuda::Buffer;

constexpr int n = 8;
constexpr int d = 2;
constexpr int k = 4;
/// Values are brought below 1, as engine units are.
constexpr float unit = 32;
const float values[n] = {5, 2, 9, 4, 8, 11, 3, 1};
const int clusters[n] = {0, 2, 3, 2, 1, 3, 1, 3};

/// Rows (8 times the cluster, the value), so that centroids 8 apart give the example's clusters.
std::vector<float> rows() {
  std::vector<float> all;
  for (int i = 0; i < n; i++) all.insert(all.end(), {8 * clusters[i] / unit, values[i] / unit});
  return all;
}

std::vector<float> middles() {
  std::vector<float> all;
  for (int c = 0; c < k; c++) all.insert(all.end(), {8 * c / unit, 6 / unit});
  return all;
}

struct Example {
  Buffer<float> x{rows()};
  Buffer<float> centroids{middles()};
  Buffer<std::int32_t> labels{std::vector<std::int32_t>(n, -1)};
  Buffer<long long> fixed_sums{std::vector<long long>(k * d)};
  Buffer<double> real_sums{std::vector<double>(k * d)};
  Buffer<unsigned> counts{std::vector<unsigned>(k)};
  Buffer<unsigned> changed{std::vector<unsigned>(1)};
  Buffer<int> halted{std::vector<int>(1)};
};

void iterate(cuda::DeviceVariant& variant, const Example& example) {
  cuda::Stream stream;
  cuda::Pass pass;
  pass.centroids = example.centroids.get();
  pass.k = k;
  pass.count = n;
  pass.labels = example.labels.get();
  pass.write_labels = true;
  pass.count_changes = true;
  pass.fixed_sums = example.fixed_sums.get();
  pass.real_sums = example.real_sums.get();
  pass.counts = example.counts.get();
  pass.changed = example.changed.get();
  pass.halted = example.halted.get();
  pass.stream = stream.get();
  variant.enqueue_assign(pass);
  if (!variant.is_fused()) variant.enqueue_update(pass);
  stream.wait();
}

}  // namespace

void check_worked_example(const std::string& name) {
  const cuda::RegisteredVariant& registered = cuda::registered_variant(name);
  // Of the studies' variants those that add up on the device.
  if (!registered.regimes.empty() || registered.sums_by != cuda::SumsBy::device) return;
  const Example example;
  const std::vector<float> max_abs{24 / unit, 11 / unit};
  const FixedPoint fixed(Points{nullptr, n, d, max_abs});
  const Buffer<float> scale(std::vector<float>(fixed.scale(), fixed.scale() + d));
  cuda::Problem problem;
  problem.x = example.x.get();
  problem.n = n;
  problem.d = d;
  problem.k = k;
  problem.max_abs = max_abs.data();
  problem.scale = scale.get();
  cuda::check(cudaGetDeviceProperties(&problem.device, 0), "cudaGetDeviceProperties");
  const auto variant = registered.make(problem);
  iterate(*variant, example);
  std::vector<long long> integers(k * d);
  std::vector<double> sums(k * d);
  std::vector<unsigned> counts(k);
  unsigned changed = 0;
  example.fixed_sums.read(integers.data(), k * d);
  example.real_sums.read(sums.data(), k * d);
  example.counts.read(counts.data(), k);
  example.changed.read(&changed, 1);
  if (variant->sums() == cuda::SumKind::fixed) {
    for (int at = 0; at < k * d; at++) sums[at] = static_cast<double>(integers[at]) * fixed.unit(at % d);
  }
  const double expected[k] = {5, 11, 6, 21};
  const unsigned members[k] = {1, 2, 2, 3};
  for (int c = 0; c < k; c++) {
    const double sum = sums[c * d + 1] * unit;
    expect(sum == expected[c], name, ": the study's example: sum ", c, " is ", sum);
    expect(counts[c] == members[c], name, ": the study's example: count ", c, " is ", counts[c]);
  }
  expect(changed == n, name, ": the study's example: ", changed, " changed");
}

}  // namespace centroid_lab::cuda_test
