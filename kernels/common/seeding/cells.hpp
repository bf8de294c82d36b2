// Points in the order of neighbours, with bounds around every 32 and every 1024 of them, and how near a row has to be to
// lower the D2 of any: a row is compared only where it may.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "aligned.hpp"
#include "seeding/filters.hpp"
#include "seeding/neighbour_order.hpp"
#include "thread_pool.hpp"
#include "types.hpp"

namespace centroid_lab {

/// Candidates that are compared together at most, one bit each.
constexpr std::size_t most_candidates = 32;
/// Up to where the margins of README.md hold.
constexpr std::size_t most_filter_features = std::size_t{1} << 16;

class Cells {
 public:
  /// A point whose D2 becomes less.
  struct Change {
    std::uint32_t row;
    std::uint32_t place;
    double before;
    double squared;
  };
  /// (workers) Those of a branch lie in one list, one after the other.
  using Changes = std::vector<std::span<const Change>>;

  /// @param x (n, d) row-major
  /// @param nearest D2 of each row
  Cells(const float* x, std::size_t n, std::size_t d, const std::vector<double>& nearest, ThreadPool& pool,
        const CancelFlag& cancel);

  /// For each row, of at most `most_candidates`, by how much it would lower the sum of D2, each sum rounded at most
  /// `roundings` times.
  std::vector<double> gains(const std::vector<std::int32_t>& rows);
  double roundings() const;
  /// What row `at` of those last given to `gains` would lower; valid until the next call.
  Changes changes(std::size_t at);
  /// Lowers them, in `nearest` by row, too. @returns how many.
  std::size_t lower(const Changes& changes, double* nearest);

 private:
  /// Bounds around points or around bounds, 32 by 32: boxes or balls.
  struct Level {
    /// [32 of them][feature][low 32, high 32] or [32 of them][feature][middle 32]
    Aligned<float> bounds;
    /// Radius of each ball, rounded up.
    std::vector<float> radius;
    /// The largest reach of a point in it, and that as the filters take it.
    std::vector<float> most;
    std::vector<float> reach;
  };
  /// 1024 points, and the candidates that may come near any of them.
  struct Item {
    std::uint32_t branch;
    Mask rows;
  };

  bool has_boxes() const;
  std::size_t bounds_size() const { return group_points * d_ * (has_boxes() ? 2 : 1); }
  Level make_level(std::size_t count) const;
  void fill_branch(const std::vector<double>& nearest, std::size_t branch);
  void fill_group(const std::vector<double>& nearest, std::size_t group);
  /// Groups first..last-1 of a branch that have points.
  std::size_t end_of(std::size_t branch) const;
  void bound_by_box(std::size_t group);
  void bound_branch_by_box(std::size_t branch);
  /// A ball around groups first..last-1.
  void bound_by_ball(Level& level, std::size_t at, std::size_t first, std::size_t last) const;
  float reach_of(double squared) const;
  void set_most(Level& level, std::size_t at, float most) const;
  bool finding_costs_more(std::size_t count) const;
  void lower_some(std::span<const Change> changes, double* nearest);
  Mask near(const Level& level, std::size_t page, const float* row) const;
  void find_items();
  template <class Visit>
  void for_each_item(std::size_t filters, const Visit& visit);
  /// Calls of filters: those of the items as they are, and those of groups for the last rows.
  std::size_t filters() const;
  /// What a worker found out about each row.
  struct Found {
    std::array<double, most_candidates> gains{};
    std::array<std::vector<Change>, most_candidates> changes;
    std::size_t count = 0;
    /// Calls of filters for groups, and distances in the time of so many more.
    std::size_t filters = 0;
  };
  void add_gains(const Item& item, Found& found) const;
  void compare(std::size_t row, std::size_t group, Found& found) const;
  double note_changes(std::size_t row, std::size_t group, Mask points, std::vector<Change>& changes) const;

  const float* columns(std::size_t group) const { return order_.columns.data() + group * group_points * d_; }

  std::size_t n_;
  std::size_t d_;
  const FilterKernels& kernels_;
  ThreadPool& pool_;
  const CancelFlag& cancel_;
  /// Roundings of float32 in a filter, and what underflow may hide.
  double widening_;
  double hidden_;
  /// Places without a point have D2 = 0 and no reach.
  NeighbourOrder order_;
  Aligned<double> nearest_;
  /// From here on a point is not lowered, a square rounded up; -1 where nothing can lower it.
  Aligned<float> reach_;
  Level groups_;
  Level branches_;
  /// (rows, d) what `gains` was asked for, and the same as float64.
  std::vector<float> rows_;
  std::vector<double> exact_rows_;
  std::vector<Mask> asked_;
  std::vector<Item> items_;
  std::vector<Found> found_;
  /// What `changes` looks for where they were not kept.
  std::vector<std::vector<Change>> spare_;
  /// Whether changes are kept as gains are added up, and up to how many by each worker: while rows are few they lower too
  /// many points.
  bool keeps_changes_ = false;
  std::size_t last_changes_ = 0;
  std::size_t most_changes_;
  const float* x_;
};

}  // namespace centroid_lab
