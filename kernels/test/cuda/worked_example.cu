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
constexpr int k = 4;
/// Values are brought below 1, as engine units are.
constexpr float unit = 16;

struct Example {
  Buffer<float> x{std::vector<float>{5 / unit, 2 / unit, 9 / unit, 4 / unit, 8 / unit, 11 / unit, 3 / unit, 1 / unit}};
  Buffer<std::int32_t> labels{std::vector<std::int32_t>{0, 2, 3, 2, 1, 3, 1, 3}};
  Buffer<long long> fixed_sums{std::vector<long long>(k)};
  Buffer<double> real_sums{std::vector<double>(k)};
  Buffer<unsigned> counts{std::vector<unsigned>(k)};
  Buffer<int> halted{std::vector<int>(1)};
};

void update(cuda::DeviceVariant& variant, const Example& example) {
  cuda::Stream stream;
  cuda::Pass pass;
  pass.k = k;
  pass.count = n;
  pass.labels = example.labels.get();
  pass.fixed_sums = example.fixed_sums.get();
  pass.real_sums = example.real_sums.get();
  pass.counts = example.counts.get();
  pass.halted = example.halted.get();
  pass.stream = stream.get();
  variant.enqueue_update(pass);
  stream.wait();
}

}  // namespace

void check_worked_example(const std::string& name) {
  const Example example;
  const std::vector<float> max_abs{11 / unit};
  const FixedPoint fixed(Points{nullptr, n, 1, max_abs});
  const Buffer<float> scale(std::vector<float>{fixed.scale()[0]});
  cuda::Problem problem;
  problem.x = example.x.get();
  problem.n = n;
  problem.d = 1;
  problem.k = k;
  problem.max_abs = max_abs.data();
  problem.scale = scale.get();
  cuda::check(cudaGetDeviceProperties(&problem.device, 0), "cudaGetDeviceProperties");
  const cuda::RegisteredVariant& registered = cuda::registered_variant(name);
  // The example is of updates alone: what adds up while it assigns, or on the processor, has none.
  if (!registered.regimes.empty() || registered.sums_by != cuda::SumsBy::device) return;
  const auto variant = registered.make(problem);
  update(*variant, example);
  std::vector<long long> integers(k);
  std::vector<double> sums(k);
  std::vector<unsigned> counts(k);
  example.fixed_sums.read(integers.data(), k);
  example.real_sums.read(sums.data(), k);
  example.counts.read(counts.data(), k);
  if (variant->sums() == cuda::SumKind::fixed) {
    for (int c = 0; c < k; c++) sums[c] = static_cast<double>(integers[c]) * fixed.unit(0);
  }
  const double expected[k] = {5, 11, 6, 21};
  const unsigned members[k] = {1, 2, 2, 3};
  for (int c = 0; c < k; c++) {
    expect(sums[c] * unit == expected[c], name, ": the study's example: sum ", c, " is ", sums[c] * unit);
    expect(counts[c] == members[c], name, ": the study's example: count ", c, " is ", counts[c]);
  }
}

}  // namespace centroid_lab::cuda_test
