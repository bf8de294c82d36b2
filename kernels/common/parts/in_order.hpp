// Float64 sums over rows that several processes hold: added up in the order of the rows, as one process would.
#pragma once

#include <cstddef>
#include <vector>

#include "parts/process_group.hpp"

namespace centroid_lab {

/// Takes what the processes before this one have, lets `add(values)` add what this one has, and hands it on; afterwards every
/// process has `values` over all rows. One hop a process and a broadcast: what takes long is done before.
/// @param group null where this process has all rows @returns false when cancelled
template <class Add>
bool in_order(ProcessGroup* group, std::vector<double>& values, const CancelFlag& cancel, const Add& add) {
  if (group == nullptr) {
    add(values);
    return true;
  }
  const std::size_t rank = group->rank();
  const std::size_t last = group->size() - 1;
  const std::size_t bytes = values.size() * sizeof(double);
  if (rank > 0 && !group->receive(values.data(), bytes, rank - 1, cancel)) return false;
  add(values);
  if (rank < last && !group->send(values.data(), bytes, rank + 1, cancel)) return false;
  return group->broadcast(values.data(), bytes, last, cancel);
}

}  // namespace centroid_lab
