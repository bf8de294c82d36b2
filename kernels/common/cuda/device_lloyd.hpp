// The iterations of one session with the loop on the device.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "../clustering.hpp"
#include "../lloyd.hpp"
#include "../parts/shared_rows.hpp"
#include "device_passes.hpp"
#include "device_session.hpp"
#include "device_team.hpp"
#include "memory.hpp"

namespace centroid_lab::cuda {

/// Lloyd's k-means on a device: batches of iterations run there without a word to the host, the stop rule included.
/// Two kinds of iteration are completed on the host by `Lloyd` itself: those that empty a cluster under another
/// policy than `keep`, and all those so slow that a cancel could not wait for one (the shape decides, not a clock).
class DeviceLloyd final : public Clustering, public SharedRows {
 public:
  /// @param device CUDA's number of it. @throws std::bad_alloc for want of device memory, RegimeRefused.
  DeviceLloyd(Points points, Rules rules, const VariantPlan& plan, int device);
  /// By several devices: `parts` are all rows, in any order.
  /// @param points with their magnitudes.
  DeviceLloyd(Points points, Rules rules, const VariantPlan& plan, const std::vector<TeamPart>& parts,
              Exchange exchange = Exchange::peer_copies);
  ~DeviceLloyd() override;

  void start(const float* centroids) override;
  Advance advance(std::int64_t iterations, double milliseconds, const CancelFlag& cancel) override;
  bool read(const CancelFlag& cancel, std::int32_t* labels, double& inertia) override;
  double download_ms() const override;
  /// By what iterations took so far: to another thread and back takes .25 ms.
  bool is_brief(std::int64_t iterations) const override;
  BuiltPlan built() const override { return session_->variant().built(); }
  std::string exchange() const override { return team_ != nullptr ? team_->exchange_name() : ""; }

  const std::vector<float>& centroids() const override { return centroids_; }
  const Points& points() const override { return host_->points(); }
  const Rules& rules() const override { return host_->rules(); }

 private:
  struct Marks;

  void advance_on_device(std::int64_t iterations, double milliseconds, const CancelFlag& cancel, Advance& answer);
  std::int64_t next_batch(std::int64_t most, double milliseconds) const;
  void begin_batch(std::int64_t iterations);
  void enqueue_batch(std::int64_t iterations);
  void enqueue_iteration(std::size_t slot);
  void launch_recorded(std::int64_t iterations);
  void record();
  /// @returns why the batch ended.
  Halt finish_batch(std::int64_t first, Advance& answer);
  void append(const FinishedIteration& done, std::size_t slot, Advance& answer);
  /// The next batch is one launch, which reports to the host by itself.
  bool runs_whole() const;
  void append_history(std::int64_t first, std::int64_t last, Advance& answer);
  void note_times(std::size_t slot, IterationStats& stats) const;
  void iterate_on_host(Advance& answer);
  void set_centroids(const float* centroids);
  bool is_slow() const { return team_ != nullptr ? team_->is_slow() : session_->is_slow(); }
  DeviceSession::Want want() const;
  FinishArguments finish_arguments() const;

  std::unique_ptr<DeviceSession> session_;
  /// The devices beside that of `session_`; null where it has all rows.
  std::unique_ptr<DeviceTeam> team_;
  /// One of them, owned by `host_`.
  DevicePasses* passes_ = nullptr;
  DeviceTeam::Passes* team_passes_ = nullptr;
  std::unique_ptr<Lloyd> host_;
  std::vector<float> centroids_;
  Buffer<double> mean_;
  std::int64_t ring_ = 1;
  Buffer<FinishedIteration> finished_;
  Buffer<float> history_;
  Pinned<FinishedIteration> finished_here_;
  Pinned<RunState> state_here_;
  Pinned<float> reported_;
  /// `reported_` holds the latest centroids.
  bool is_reported_ = false;
  /// Rows of `history_` as they come back.
  std::vector<float> history_here_;
  std::int64_t iteration_ = 0;
  double inertia_before_ = -1;
  /// Milliseconds of an iteration so far, and the longest batch that this allows; results do not depend on them.
  double iteration_ms_ = 0;
  std::int64_t longest_batch_ = 4;
  cudaGraphExec_t recorded_ = nullptr;
  int recorded_rows_ = 0;
  bool recorded_copies_ = false;
  /// Four for each iteration of a batch: begin, assigned, summed, finished.
  std::vector<Event> marks_;
};

}  // namespace centroid_lab::cuda
