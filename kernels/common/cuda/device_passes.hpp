// Single passes of a device behind the seam of the host's loop.
#pragma once

#include <cstdint>

#include "../variant.hpp"
#include "device_session.hpp"

namespace centroid_lab::cuda {

class DevicePasses final : public Variant {
 public:
  /// @param session outlives it, and has been entered by whoever calls.
  DevicePasses(DeviceSession& session, const Rules& rules) : session_(session), rules_(rules) {}

  /// The next pass has been made already; only its sums are to be collected.
  void expect_pass_made() { pass_made_ = true; }

  void restart() override { session_.restart(); }
  bool pass(const float* centroids, bool timed, const CancelFlag& cancel, PassResult& result) override;
  void labels_of_pass(std::int32_t* labels) const override;
  bool assign(const float* centroids, const CancelFlag& cancel, std::int32_t* labels) override;

 private:
  DeviceSession& session_;
  const Rules rules_;
  bool pass_made_ = false;
  bool has_labels_ = false;
};

}  // namespace centroid_lab::cuda
