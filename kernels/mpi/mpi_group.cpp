#include "mpi_group.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

namespace centroid_lab::mpi {
namespace {

using Clock = std::chrono::steady_clock;

/// Others are nearly as far mostly: a while of asking costs less than being woken.
constexpr auto asking = std::chrono::microseconds(200);
constexpr auto pause = std::chrono::microseconds(50);

/// MPI counts in int.
constexpr std::size_t bytes_at_once = std::size_t{1} << 30;
constexpr std::size_t numbers_at_once = std::size_t{1} << 27;

constexpr int hand_on_tag = 1;
constexpr int exchange_tag = 2;

const CancelFlag never{false};

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

/// Calls visit(offset, count) for pieces of so many bytes.
template <class Visit>
void each_piece(std::size_t bytes, const Visit& visit) {
  for (std::size_t at = 0; at < bytes; at += bytes_at_once) visit(at, static_cast<int>(std::min(bytes_at_once, bytes - at)));
}

}  // namespace

MpiGroup::MpiGroup() {
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  rank_ = static_cast<std::size_t>(rank);
  size_ = static_cast<std::size_t>(size);
}

std::vector<std::byte>& MpiGroup::room(std::size_t bytes) {
  room_.resize(bytes);
  return room_;
}

bool MpiGroup::sum(std::int64_t* values, std::size_t count, const CancelFlag& cancel) {
  const auto began = Clock::now();
  sent_.assign(values, values + count);
  received_.resize(count);
  for (std::size_t at = 0; at < count; at += numbers_at_once) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(sent_.data() + at, received_.data() + at, static_cast<int>(std::min(numbers_at_once, count - at)),
                   MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD, &request);
    if (!wait(request, cancel)) return false;
  }
  std::copy(received_.begin(), received_.end(), values);
  traffic_.sums++;
  traffic_.sum_bytes += count * sizeof(std::int64_t);
  const auto took = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - began);
  traffic_.sum_nanoseconds += static_cast<std::uint64_t>(took.count());
  return true;
}

bool MpiGroup::send(const void* bytes, std::size_t count, std::size_t to, const CancelFlag& cancel) {
  std::vector<std::byte>& own = room(count);
  if (count > 0) std::memcpy(own.data(), bytes, count);
  bool sent = true;
  each_piece(count, [&](std::size_t at, int size) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (!sent) return;
    MPI_Isend(own.data() + at, size, MPI_BYTE, static_cast<int>(to), hand_on_tag, MPI_COMM_WORLD, &request);
    sent = wait(request, cancel);
  });
  traffic_.messages++;
  traffic_.message_bytes += count;
  return sent;
}

bool MpiGroup::receive(void* bytes, std::size_t count, std::size_t from, const CancelFlag& cancel) {
  std::vector<std::byte>& own = room(count);
  bool received = true;
  each_piece(count, [&](std::size_t at, int size) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (!received) return;
    MPI_Irecv(own.data() + at, size, MPI_BYTE, static_cast<int>(from), hand_on_tag, MPI_COMM_WORLD, &request);
    received = wait(request, cancel);
  });
  if (received && count > 0) std::memcpy(bytes, own.data(), count);
  return received;
}

bool MpiGroup::broadcast(void* bytes, std::size_t count, std::size_t from, const CancelFlag& cancel) {
  std::vector<std::byte>& own = room(count);
  if (count > 0) std::memcpy(own.data(), bytes, count);
  bool done = true;
  each_piece(count, [&](std::size_t at, int size) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (!done) return;
    MPI_Ibcast(own.data() + at, size, MPI_BYTE, static_cast<int>(from), MPI_COMM_WORLD, &request);
    done = wait(request, cancel);
  });
  if (done && count > 0) std::memcpy(bytes, own.data(), count);
  traffic_.messages++;
  traffic_.message_bytes += from == rank_ ? count : 0;
  return done;
}

std::vector<std::size_t> MpiGroup::sizes_from(const std::vector<std::size_t>& to) {
  sent_.assign(to.begin(), to.end());
  received_.resize(size_);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ialltoall(sent_.data(), 1, MPI_INT64_T, received_.data(), 1, MPI_INT64_T, MPI_COMM_WORLD, &request);
  wait(request, never);
  return {received_.begin(), received_.end()};
}

void MpiGroup::exchange(const std::vector<Bytes>& to, const std::vector<Bytes>& from) {
  std::vector<MPI_Request> requests;
  for (std::size_t other = 0; other < size_; other++) {
    const int rank = static_cast<int>(other);
    if (other == rank_) {
      if (to[other].count > 0) std::memcpy(from[other].at, to[other].at, to[other].count);
      continue;
    }
    each_piece(from[other].count, [&](std::size_t at, int size) {
      requests.push_back(MPI_REQUEST_NULL);
      MPI_Irecv(static_cast<std::byte*>(from[other].at) + at, size, MPI_BYTE, rank, exchange_tag, MPI_COMM_WORLD,
                &requests.back());
    });
    each_piece(to[other].count, [&](std::size_t at, int size) {
      requests.push_back(MPI_REQUEST_NULL);
      MPI_Isend(static_cast<std::byte*>(to[other].at) + at, size, MPI_BYTE, rank, exchange_tag, MPI_COMM_WORLD,
                &requests.back());
    });
    traffic_.message_bytes += to[other].count;
  }
  for (const MPI_Request request : requests) wait(request, never);
  traffic_.messages++;
}

}  // namespace centroid_lab::mpi
