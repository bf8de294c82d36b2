// Boxes or balls around groups of points, 32 by 32 as the filters take them, with how near a row must be to matter inside.
#pragma once

#include <cstddef>
#include <vector>

#include "aligned.hpp"
#include "seeding/cuts.hpp"
#include "seeding/filters.hpp"

namespace centroid_lab {

/// Up to where the margins of README.md hold.
constexpr std::size_t max_filter_features = std::size_t{1} << 16;
/// The reach of what nothing can lower.
constexpr float never = -1;

/// A square of float64 as the filters take it, rounded up by all that they may be off by in d features.
class Widening {
 public:
  explicit Widening(std::size_t d)
      : factor_(1 + static_cast<double>(d + 8) * 0x1p-22), hidden_(static_cast<double>(d) * 0x1p-125) {}

  float operator()(double square) const { return square > 0 ? static_cast<float>(square * factor_ + hidden_) : never; }

 private:
  double factor_;
  /// What underflow may hide.
  double hidden_;
};

class Bounds {
 public:
  /// Bounds in a page, bits of a mask.
  static constexpr std::size_t fan = 32;

  /// For `count` bounds, whole pages; all out of reach.
  Bounds(std::size_t count, std::size_t d);

  /// Around `groups` groups of points `columns [group][feature][32]`.
  void enclose(std::size_t at, const float* columns, std::size_t groups);
  /// `most`: the largest reach of a point inside.
  void set_most(std::size_t at, float most);
  std::size_t size() const { return most_.size(); }
  /// (size)
  const float* most() const { return most_.data(); }
  /// Those of a page that a row may matter in.
  Mask near(std::size_t page, const float* row) const;

 private:
  bool has_boxes() const { return d_ <= max_box_features; }
  std::size_t page_size() const { return fan * d_ * (has_boxes() ? 2 : 1); }
  float* bound_at(std::size_t at) { return bounds_.data() + at / fan * page_size() + at % fan; }
  void enclose_by_box(float* bounds, const float* columns, std::size_t groups) const;
  float enclose_by_ball(float* middle, const float* columns, std::size_t groups) const;

  std::size_t d_;
  const FilterKernels& kernels_;
  Widening widened_;
  /// [page][feature][low 32, high 32], or [page][feature][middle 32]
  Aligned<float> bounds_;
  /// Radius of each ball, rounded up.
  std::vector<float> radius_;
  std::vector<float> most_;
  /// The same as the filters take it.
  std::vector<float> reach_;
};

}  // namespace centroid_lab
