// The processes that mpirun started.
#pragma once

#include <mpi.h>

#include <vector>

#include "parts/process_group.hpp"

namespace centroid_lab::mpi {

class MpiGroup final : public ProcessGroup {
 public:
  /// MPI was initialised, for several threads.
  MpiGroup();

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return size_; }
  bool sum(std::int64_t* values, std::size_t count, const CancelFlag& cancel) override;
  bool share(std::int32_t* labels, const std::vector<RowRange>& ranges, const CancelFlag& cancel) override;

 private:
  std::size_t rank_;
  std::size_t size_;
  /// Kept here: where a wait is given up, MPI still writes into them.
  std::vector<std::int64_t> sent_;
  std::vector<std::int64_t> received_;
};

}  // namespace centroid_lab::mpi
