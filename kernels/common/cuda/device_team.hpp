// Devices that share the rows of one run with a first one: each makes its part of a pass, the first adds up what they send and
// completes the iteration, and they take its centroids. Nothing crosses the host.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "../fixed_point.hpp"
#include "../parts/split_rows.hpp"
#include "../variant.hpp"
#include "device_session.hpp"
#include "memory.hpp"

namespace centroid_lab::cuda {

/// A device and its rows.
struct TeamPart {
  int device = 0;
  RowRange rows;
};

/// The devices beside the first.
class DeviceTeam {
 public:
  /// @param points of the whole run, with their magnitudes. @throws as DeviceSession.
  DeviceTeam(const Points& points, const Rules& rules, const VariantPlan& plan, DeviceSession& first, const std::vector<TeamPart>& others);
  ~DeviceTeam();

  /// Passes of the others, whose sums they send to the first; before that one's own, which has to wait for theirs.
  void enqueue_passes(const DeviceSession::Want& want);
  /// Leaves the sums of all with the first, whose own pass is on its stream.
  void enqueue_addition();
  /// Centroids and state of the first to all others, once they are complete.
  void enqueue_sharing();

  void set_centroids(const float* centroids);
  void restart();
  bool is_slow() const;
  /// The first one's device is current after it, as after all others here.
  void enter_first() const { first_.enter(); }

  /// Passes of all, for iterations that the host completes.
  class Passes;
  std::unique_ptr<Passes> passes(const Points& points, const Rules& rules, const RowRange& of_first);

 private:
  struct Other;

  DeviceSession& first_;
  std::size_t k_;
  std::size_t d_;
  std::vector<std::unique_ptr<Other>> others_;
  Event completed_;
};

/// A variant made of the passes of all devices of a team.
class DeviceTeam::Passes final : public Variant {
 public:
  Passes(DeviceTeam& team, const Points& points, const Rules& rules, const RowRange& of_first);

  /// The next pass has been made already, and its sums added up; they are only to be collected.
  void expect_pass_made() { pass_made_ = true; }

  void restart() override;
  bool pass(const float* centroids, bool timed, const CancelFlag& cancel, PassResult& result) override;
  void labels_of_pass(std::int32_t* labels) const override;
  bool assign(const float* centroids, const CancelFlag& cancel, std::int32_t* labels) override;

 private:
  template <class Use>
  bool each(const Use& use) const;

  DeviceTeam& team_;
  FixedPoint fixed_;
  Rules rules_;
  RowRange of_first_;
  bool pass_made_ = false;
  bool has_labels_ = false;
};

}  // namespace centroid_lab::cuda
