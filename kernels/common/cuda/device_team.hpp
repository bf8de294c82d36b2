// Devices that share the rows of one run with a first one: each makes its part of a pass, gets the sums of all and completes the
// iteration by them, all alike. Nothing crosses the host.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "../fixed_point.hpp"
#include "../parts/split_rows.hpp"
#include "../variant.hpp"
#include "device_session.hpp"
#include "memory.hpp"
#include "sum_exchange.hpp"

namespace centroid_lab::cuda {

/// A device and its rows.
struct TeamPart {
  int device = 0;
  RowRange rows;
};

/// The devices beside the first.
class DeviceTeam {
 public:
  /// @param points of the whole run, with their magnitudes. @throws as DeviceSession and make_exchange.
  DeviceTeam(const Points& points, const Rules& rules, const VariantPlan& plan, DeviceSession& first, const std::vector<TeamPart>& others,
             Exchange exchange);
  ~DeviceTeam();

  /// For iterations completed on the devices. @param mean as FinishArguments; empty: none. @param ring of what is noted of iterations.
  void prepare(const std::vector<double>& mean, std::int64_t ring);
  /// The state of the run, as the first one has it, to all others. @param state in page-locked memory
  void enqueue_state(const RunState* state);
  /// Passes of the others.
  void enqueue_passes(const DeviceSession::Want& want);
  /// All have the sums of all, the first one too, whose own pass is on its stream.
  void enqueue_sums();
  const char* exchange_name() const { return cuda::exchange_name(kind_); }
  /// As SumExchange::heeds_halt.
  bool heeds_halt() const { return exchange_->heeds_halt(); }
  /// The others complete the iteration as the first does.
  void enqueue_finish(const FinishArguments& of_first);

  /// Until what is on the first one's stream is done. @throws std::runtime_error where a device has failed.
  void wait() const;

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
  std::vector<std::unique_ptr<Other>> others_;
  Exchange kind_;
  std::unique_ptr<SumExchange> exchange_;
};

/// A variant made of the passes of all devices of a team.
class DeviceTeam::Passes final : public Variant {
 public:
  Passes(DeviceTeam& team, const Points& points, const Rules& rules, const RowRange& of_first);

  /// The next pass has been made already, and all have its sums; they are only to be collected.
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
  std::size_t d_;
  RowRange of_first_;
  bool pass_made_ = false;
  bool has_labels_ = false;
};

}  // namespace centroid_lab::cuda
