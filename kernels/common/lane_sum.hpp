// The one order in which float64 numbers of features and of clusters are added up: kernels/contract.md, "Order of sums".
#pragma once

#include <algorithm>
#include <cstddef>

namespace centroid_lab {

/// 32 partial sums, the l-th of numbers l, l + 32, .. in their order; then by halves, l and l + 16, l and l + 8, and so on. A warp of a
/// GPU does it side by side.
class LaneSum {
 public:
  void add(double value) {
    const std::size_t lane = count_ % lanes;
    sums_[lane] = count_ < lanes ? value : sums_[lane] + value;
    count_++;
  }

  double total() const {
    if (count_ <= 1) return count_ == 0 ? 0 : sums_[0];
    double sums[lanes];
    std::size_t used = std::min(count_, lanes);
    std::copy_n(sums_, used, sums);
    for (std::size_t step = lanes / 2; step > 0; step /= 2) {
      // Lanes without numbers would add zeros.
      for (std::size_t lane = 0; lane + step < used; lane++) sums[lane] += sums[lane + step];
      used = std::min(used, step);
    }
    return sums[0];
  }

 private:
  static constexpr std::size_t lanes = 32;
  double sums_[lanes];
  std::size_t count_ = 0;
};

}  // namespace centroid_lab
