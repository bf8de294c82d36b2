// Looks after the other processes of a run, whatever the program is doing.
#pragma once

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

namespace centroid_lab::mpi {

/// A thread that exchanges a word with all other processes about ten times a second. A process that was stopped, or whose
/// machine is gone, does not answer: after the deadline `lost` is called, once, on that thread.
class Watch {
 public:
  Watch(std::chrono::duration<double> deadline, std::function<void()> lost);
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  /// Waits until every process of the run has come here.
  ~Watch();

 private:
  void look();
  bool exchange(int& done);

  const std::chrono::duration<double> deadline_;
  const std::function<void()> lost_;
  /// Messages of its own, so that they mix with no others.
  MPI_Comm line_ = MPI_COMM_NULL;
  std::atomic<bool> done_{false};
  std::thread thread_;
};

}  // namespace centroid_lab::mpi
