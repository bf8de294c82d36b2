// Points in the order of neighbours, with bounds around every 32 and every 1024 of them, and how near a row has to be to
// lower the D2 of any: a row is compared only where it may.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "aligned.hpp"
#include "seeding/bounds.hpp"
#include "seeding/filters.hpp"
#include "seeding/neighbour_order.hpp"
#include "thread_pool.hpp"
#include "types.hpp"

namespace centroid_lab {

/// Candidates that are compared together at most, one bit each.
constexpr std::size_t max_candidates = 32;

class Cells {
 public:
  /// A point whose D2 becomes less.
  struct Change {
    std::uint32_t row;
    std::uint32_t slot;
    double before;
    double squared;
  };
  /// (workers) Those of a branch lie in one list, one after the other.
  using Changes = std::vector<std::span<const Change>>;

  /// @param x (n, d) row-major
  /// @param nearest D2 of each row
  Cells(const float* x, std::size_t n, std::size_t d, const std::vector<double>& nearest, ThreadPool& pool,
        const CancelFlag& cancel);

  /// For each row, of at most `max_candidates`, by how much it would lower the sum of D2, each sum rounded at most
  /// `roundings` times.
  std::vector<double> gains(const std::vector<std::int32_t>& rows);
  double roundings() const;
  /// What row `at` of those last given to `gains` would lower; valid until the next call.
  Changes changes(std::size_t at);
  /// Lowers them, in `nearest` by row, too. @returns how many.
  std::size_t lower(const Changes& changes, double* nearest);

 private:
  /// 1024 points, and the candidates that may come near any of them.
  struct Item {
    std::uint32_t branch;
    Mask rows;
  };

  void fill_branch(const std::vector<double>& nearest, std::size_t branch);
  void fill_group(const std::vector<double>& nearest, std::size_t group);
  /// The group after the last one of a branch that has points.
  std::size_t end_of(std::size_t branch) const;
  bool finding_costs_more(std::size_t count) const;
  void lower_some(std::span<const Change> changes, double* nearest);
  void find_items();
  template <class Visit>
  void for_each_item(std::size_t filters, const Visit& visit);
  /// Calls of filters: those of the items as they are, and those of groups for the last rows.
  std::size_t filters() const;
  /// What a worker found out about each row.
  struct Found {
    std::array<double, max_candidates> gains{};
    std::array<std::vector<Change>, max_candidates> changes;
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
  Widening widened_;
  /// Places without a point have D2 = 0 and no reach.
  NeighbourOrder order_;
  Aligned<double> nearest_;
  /// From here on a point is not lowered, a square rounded up; -1 where nothing can lower it.
  Aligned<float> reach_;
  Bounds groups_;
  Bounds branches_;
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
  std::size_t max_changes_;
  const float* x_;
};

}  // namespace centroid_lab
