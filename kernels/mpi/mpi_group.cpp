#include "mpi_group.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace centroid_lab::mpi {
namespace {

using Clock = std::chrono::steady_clock;

/// Others are nearly as far mostly: a while of asking costs less than being woken.
constexpr auto asking = std::chrono::microseconds(200);
constexpr auto pause = std::chrono::microseconds(50);

bool wait(MPI_Request request, const CancelFlag& cancel) {
  const auto patient_from = Clock::now() + asking;
  for (int complete = 0;;) {
    MPI_Test(&request, &complete, MPI_STATUS_IGNORE);
    if (complete) return true;
    if (cancel.load(std::memory_order_relaxed)) return false;
    if (Clock::now() < patient_from) std::this_thread::yield();
    else std::this_thread::sleep_for(pause);
  }
}

}  // namespace

MpiGroup::MpiGroup() {
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  rank_ = static_cast<std::size_t>(rank);
  size_ = static_cast<std::size_t>(size);
}

bool MpiGroup::sum(std::int64_t* values, std::size_t count, const CancelFlag& cancel) {
  sent_.assign(values, values + count);
  received_.resize(count);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(sent_.data(), received_.data(), static_cast<int>(count), MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD, &request);
  if (!wait(request, cancel)) return false;
  std::copy(received_.begin(), received_.end(), values);
  return true;
}

bool MpiGroup::share(std::int32_t* labels, const std::vector<RowRange>& ranges, const CancelFlag& cancel) {
  std::vector<int> counts, firsts;
  for (const RowRange& range : ranges) {
    counts.push_back(static_cast<int>(range.count));
    firsts.push_back(static_cast<int>(range.first));
  }
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, labels, counts.data(), firsts.data(), MPI_INT32_T, MPI_COMM_WORLD,
                  &request);
  return wait(request, cancel);
}

}  // namespace centroid_lab::mpi
