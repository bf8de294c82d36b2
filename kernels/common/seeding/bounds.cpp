#include "seeding/bounds.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "isa.hpp"

namespace centroid_lab {
namespace {

/// Of a radius: far more than float64 rounds it by.
constexpr double beyond_rounding = 1 + 0x1p-20;

/// Largest squared distance of a group's points from a middle, whose coordinates lie `Bounds::fan` apart.
double farthest_from(const float* middle, const float* columns, std::size_t d) {
  std::array<double, group_points> squares{};
  for (std::size_t j = 0; j < d; j++) {
    const auto coordinate = static_cast<double>(middle[j * Bounds::fan]);
    for (std::size_t i = 0; i < group_points; i++) {
      const double difference = static_cast<double>(columns[j * group_points + i]) - coordinate;
      squares[i] += difference * difference;
    }
  }
  return *std::max_element(squares.begin(), squares.end());
}

}  // namespace

const FilterKernels& best_filters() {
#if defined(__x86_64__)
  const Isa isa = best_isa();
  if (isa == Isa::avx512) return avx512_filters;
  if (isa == Isa::avx2) return avx2_filters;
#endif
  return baseline_filters;
}

Bounds::Bounds(std::size_t count, std::size_t d)
    : d_(d), kernels_(best_filters()), widened_(d), bounds_(count / fan * page_size()),
      radius_(has_boxes() ? 0 : count), most_(count, never), reach_(count, never) {
  std::fill(bounds_.begin(), bounds_.end(), 0.0F);
}

void Bounds::enclose(std::size_t at, const float* columns, std::size_t groups) {
  if (has_boxes()) enclose_by_box(bound_at(at), columns, groups);
  else radius_[at] = enclose_by_ball(bound_at(at), columns, groups);
}

void Bounds::enclose_by_box(float* bounds, const float* columns, std::size_t groups) const {
  for (std::size_t j = 0; j < d_; j++) {
    float low = columns[j * group_points], high = low;
    for (std::size_t group = 0; group < groups; group++) {
      const float* values = columns + (group * d_ + j) * group_points;
      for (std::size_t i = 0; i < group_points; i++) {
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
      }
    }
    bounds[2 * j * fan] = low;
    bounds[(2 * j + 1) * fan] = high;
  }
}

/// @returns the radius.
float Bounds::enclose_by_ball(float* middle, const float* columns, std::size_t groups) const {
  for (std::size_t j = 0; j < d_; j++) {
    double sum = 0;
    for (std::size_t group = 0; group < groups; group++) {
      const float* values = columns + (group * d_ + j) * group_points;
      for (std::size_t i = 0; i < group_points; i++) sum += static_cast<double>(values[i]);
    }
    middle[j * fan] = static_cast<float>(sum / static_cast<double>(groups * group_points));
  }
  double most = 0;
  for (std::size_t group = 0; group < groups; group++) {
    most = std::max(most, farthest_from(middle, columns + group * group_points * d_, d_));
  }
  return static_cast<float>(std::sqrt(most) * beyond_rounding);
}

void Bounds::set_most(std::size_t at, float most) {
  most_[at] = reach_[at] = most;
  if (has_boxes() || most < 0) return;
  const double reach = static_cast<double>(radius_[at]) + std::sqrt(static_cast<double>(most));
  reach_[at] = widened_(reach * reach);
}

Mask Bounds::near(std::size_t page, const float* row) const {
  const auto test = has_boxes() ? kernels_.touching : kernels_.within;
  return test(bounds_.data() + page * page_size(), row, d_, reach_.data() + page * fan);
}

}  // namespace centroid_lab
