#include "watch.hpp"

#include <utility>

namespace centroid_lab::mpi {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto between_words = std::chrono::milliseconds(100);
/// How long the end of a run may wait for this thread to notice it.
constexpr auto between_looks = std::chrono::milliseconds(2);

}  // namespace

Watch::Watch(std::chrono::duration<double> deadline, std::function<void()> lost)
    : deadline_(deadline), lost_(std::move(lost)) {
  MPI_Comm_dup(MPI_COMM_WORLD, &line_);
  thread_ = std::thread([this] { look(); });
}

Watch::~Watch() {
  done_ = true;
  thread_.join();
  MPI_Comm_free(&line_);
}

void Watch::look() {
  int size = 1;
  MPI_Comm_size(line_, &size);
  for (int done = 0; done < size;) {
    // All must give the same answer to end in the same round.
    done = done_ ? 1 : 0;
    if (!exchange(done)) {
      lost_();
      return;
    }
    const auto until = Clock::now() + between_words;
    while (!done_ && Clock::now() < until) std::this_thread::sleep_for(between_looks);
  }
}

/// @param done 1 where this process has ended its work; afterwards how many have.
/// @returns false where somebody did not answer in time.
bool Watch::exchange(int& done) {
  const int own = done;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(&own, &done, 1, MPI_INT, MPI_SUM, line_, &request);
  const auto until = Clock::now() + deadline_;
  for (int complete = 0;;) {
    MPI_Test(&request, &complete, MPI_STATUS_IGNORE);
    if (complete) return true;
    if (Clock::now() > until) return false;
    std::this_thread::sleep_for(between_looks);
  }
}

}  // namespace centroid_lab::mpi
