// The processes that mpirun started.
#pragma once

#include <mpi.h>

#include <atomic>
#include <vector>

#include "parts/process_group.hpp"

namespace centroid_lab::mpi {

/// Bytes of one process's own, or for one.
struct Bytes {
  void* at = nullptr;
  std::size_t count = 0;
};

/// What this process handed to others and waited for, so that a model of it can be held against it.
struct Traffic {
  std::atomic<std::uint64_t> sums{0};
  std::atomic<std::uint64_t> sum_bytes{0};
  std::atomic<std::uint64_t> sum_nanoseconds{0};
  /// Of all else.
  std::atomic<std::uint64_t> messages{0};
  std::atomic<std::uint64_t> message_bytes{0};
};

class MpiGroup final : public ProcessGroup {
 public:
  /// MPI was initialised, for several threads.
  MpiGroup();

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return size_; }
  bool sum(std::int64_t* values, std::size_t count, const CancelFlag& cancel) override;
  bool send(const void* bytes, std::size_t count, std::size_t to, const CancelFlag& cancel) override;
  bool receive(void* bytes, std::size_t count, std::size_t from, const CancelFlag& cancel) override;
  bool broadcast(void* bytes, std::size_t count, std::size_t from, const CancelFlag& cancel) override;

  /// How many bytes each process has for this one. @param to (size) how many this one has for each
  std::vector<std::size_t> sizes_from(const std::vector<std::size_t>& to);
  /// Bytes for each process, and room for those of each, of the sizes that `sizes_from` told.
  void exchange(const std::vector<Bytes>& to, const std::vector<Bytes>& from);

  const Traffic& traffic() const { return traffic_; }

 private:
  /// Room of a call, which stays as it is when the wait for it is given up: MPI still reads and writes there.
  std::vector<std::byte>& room(std::size_t bytes);

  std::size_t rank_;
  std::size_t size_;
  Traffic traffic_;
  std::vector<std::int64_t> sent_;
  std::vector<std::int64_t> received_;
  std::vector<std::byte> room_;
};

}  // namespace centroid_lab::mpi
