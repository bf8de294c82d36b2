#include "parts/lasting_clustering.hpp"

#include <stdexcept>
#include <utility>

namespace centroid_lab {

LastingClustering::LastingClustering(std::vector<int> devices, Make make, IsAlive is_alive, NameOf name_of)
    : devices_(std::move(devices)), make_(std::move(make)), is_alive_(std::move(is_alive)), name_of_(std::move(name_of)) {
  lastingly([] {});
}

/// Makes a call until it does not fail for a device that is gone.
template <class Call>
void LastingClustering::lastingly(const Call& call) {
  for (;;) {
    try {
      if (inner_ == nullptr) begin_again();
      return call();
    } catch (const std::runtime_error& failure) {
      leave_out_the_lost(failure);
    }
  }
}

void LastingClustering::leave_out_the_lost(const std::exception& failure) {
  std::vector<int> left;
  for (const int device : devices_) {
    if (is_alive_(device)) left.push_back(device);
    else losses_.push_back(name_of_(device) + " was lost (" + failure.what() + ")");
  }
  // A failure that is none of a device would come again.
  if (left.size() == devices_.size()) throw;
  if (left.empty()) throw std::runtime_error("All devices of this run were lost: " + losses_.back());
  devices_ = std::move(left);
  inner_.reset();
}

/// By the devices that are left: from the start, through what was answered.
void LastingClustering::begin_again() {
  inner_ = make_(devices_);
  if (start_.empty()) return;
  inner_->start(start_.data());
  const CancelFlag never{false};
  for (std::int64_t again = 0; again < answered_;) {
    again += static_cast<std::int64_t>(inner_->advance(answered_ - again, 1e300, never).iterations.size());
  }
}

void LastingClustering::start(const float* centroids) {
  start_.assign(centroids, centroids + rules().k * points().d);
  answered_ = 0;
  lastingly([&] { inner_->start(start_.data()); });
}

Advance LastingClustering::advance(std::int64_t iterations, double milliseconds, const CancelFlag& cancel) {
  Advance answer;
  lastingly([&] { answer = inner_->advance(iterations, milliseconds, cancel); });
  answered_ += static_cast<std::int64_t>(answer.iterations.size());
  return answer;
}

bool LastingClustering::read(const CancelFlag& cancel, std::int32_t* labels, double& inertia) {
  bool complete = false;
  lastingly([&] { complete = inner_->read(cancel, labels, inertia); });
  return complete;
}

std::string LastingClustering::exchange() const {
  const auto* shared = dynamic_cast<const SharedRows*>(inner_.get());
  return shared != nullptr ? shared->exchange() : "";
}

}  // namespace centroid_lab
