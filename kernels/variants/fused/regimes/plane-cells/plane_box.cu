// Where the table of the plane lies: over what most points lie in, by a sample.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "check.hpp"
#include "cell_stream.cuh"

namespace centroid_lab::cuda {
namespace {

/// Rows of a sample from which the box is laid out.
constexpr std::size_t sampled_rows = 2048;
/// Left out at either end of a feature, for outliers would make cells large.
constexpr std::size_t left_out = 4;
/// The box is no smaller than this share of the greatest coordinate, so that a cell is wider than what rounding moves its ends.
constexpr float smallest_share = 0x1p-8F;

/// The axis that most of `values`, a sample, lies within.
GridAxis axis_of(std::vector<float> values, float reach, int cells) {
  std::sort(values.begin(), values.end());
  const std::size_t out = std::min(left_out, values.size() / 8);
  float low = values[out], high = values[values.size() - 1 - out];
  const float more = 0.03F * (high - low) + 0.5F * smallest_share * reach + 0x1p-60F;
  low -= more;
  high += more;
  const float width = high - low;
  return {low, width / static_cast<float>(cells - 1), 1 / width, -low / width, reach};
}

__global__ void gather(const float2* points, std::size_t apart, float2* sample) {
  const std::size_t row = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row < sampled_rows) sample[row] = points[row * apart];
}

/// (rows, 2) points evenly taken from all. By a kernel, since a copy of single rows takes longer than ordering all points.
std::vector<float> sample_of(const Problem& problem) {
  const bool all = problem.n <= sampled_rows;
  std::vector<float> sample(2 * std::min(sampled_rows, problem.n));
  const Buffer<float> gathered(all ? 0 : sample.size());
  if (!all) {
    constexpr unsigned threads = 256;
    gather<<<sampled_rows / threads, threads>>>(reinterpret_cast<const float2*>(problem.x), problem.n / sampled_rows,
                                                reinterpret_cast<float2*>(gathered.get()));
    check_launch("fused, a sample");
  }
  check(cudaMemcpy(sample.data(), all ? problem.x : gathered.get(), sample.size() * sizeof(float), cudaMemcpyDeviceToHost),
        "cudaMemcpy of a sample");
  return sample;
}

GridBox box_of(const std::vector<float>& sample, const Problem& problem, int cells) {
  GridBox box{};
  for (std::size_t j = 0; j < 2; j++) {
    std::vector<float> values(sample.size() / 2);
    for (std::size_t row = 0; row < values.size(); row++) values[row] = sample[row * 2 + j];
    box.axes[j] = axis_of(std::move(values), problem.max_abs[j], cells);
  }
  return box;
}

}  // namespace

GridBox grid_box(const Problem& problem, int cells) { return box_of(sample_of(problem), problem, cells); }

double cells_in_use(const Problem& problem) {
  constexpr int across = 32;
  const std::vector<float> sample = sample_of(problem);
  const GridBox box = box_of(sample, problem, across);
  std::vector<double> members(across * across);
  for (std::size_t at = 0; at < sample.size(); at += 2) {
    int cell = 0;
    for (std::size_t j = 0; j < 2; j++) {
      const float slot = std::clamp((sample[at + j] - box.axes[j].low) / box.axes[j].width, 0.0F, across - 1.0F);
      cell = cell * across + static_cast<int>(std::lround(slot));
    }
    members[static_cast<std::size_t>(cell)]++;
  }
  double alike = 0;
  for (const double count : members) alike += count * (count - 1);
  const double rows = static_cast<double>(sample.size()) / 2;
  return rows * (rows - 1) / std::max(alike, 1.0);
}

}  // namespace centroid_lab::cuda
