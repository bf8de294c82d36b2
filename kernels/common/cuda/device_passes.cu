#include "device_passes.hpp"

#include <utility>

#include "../clock.hpp"

namespace centroid_lab::cuda {

bool DevicePasses::pass(const float* centroids, bool timed, const CancelFlag& cancel, PassResult& result) {
  const double began = mark(timed);
  if (!std::exchange(pass_made_, false)) {
    session_.set_centroids(centroids);
    DeviceSession::Want want;
    want.changes = rules_.needs_changed();
    want.labels = rules_.empty == EmptyPolicy::farthest;
    has_labels_ = want.changes || want.labels || session_.variant().needs_labels();
    if (!session_.pass(want, cancel)) return false;
  } else {
    has_labels_ = rules_.needs_changed() || session_.variant().needs_labels();
  }
  session_.collect(result);
  if (timed) result.iterate_ms = now_ms() - began;
  return true;
}

void DevicePasses::labels_of_pass(std::int32_t* labels) const {
  if (has_labels_) return session_.fetch_labels(labels);
  double ignored = 0;
  session_.assign(CancelFlag{false}, labels, &ignored);
}

bool DevicePasses::assign(const float* centroids, const CancelFlag& cancel, std::int32_t* labels) {
  session_.set_centroids(centroids);
  double ignored = 0;
  return session_.assign(cancel, labels, &ignored);
}

}  // namespace centroid_lab::cuda
