// Points, centroids, sums and labels of one clustering on one device, and single passes over them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "../types.hpp"
#include "centroid_copies.hpp"
#include "device_points.hpp"
#include "device_variant.hpp"
#include "memory.hpp"
#include "point_statistics.hpp"

namespace centroid_lab::cuda {

/// Points that an assignment may take at once, so that a cancel is answered in time. Depends on shape and device alone, so
/// that results never depend on time.
/// @param speed as `DeviceVariant::speed`.
std::size_t points_in_time(const Points& points, std::size_t k, const cudaDeviceProp& device, int index, double speed);

/// Multiply-adds a second that device `index` does at least at a `speed` of DeviceVariant.
double cautious_rate(int multiprocessors, int index, double speed);

class DeviceSession {
 public:
  /// Uploads the points unless they are held there, checks them unless `points` has magnitudes, and prepares the variant.
  /// @throws std::bad_alloc for want of device memory, std::invalid_argument for points that are not in engine units.
  DeviceSession(const Points& points, const Rules& rules, const VariantPlan& plan, int device);

  /// (d) largest magnitude of each feature.
  const std::vector<float>& magnitudes() const { return points_.max_abs; }
  /// Of the points.
  Moments moments() const { return device_moments(x(), points_.n, points_.d); }

  /// Makes the device current for the calling thread; needed before anything else on a new thread.
  void enter() const;

  /// Sets the centroids (k, d) from the host; NaN rows are left out, and labels kept follow the rows.
  void set_centroids(const float* centroids);
  /// Looks once more whether any of the centroids in play, which these `values` are, is a copy of another, where that was so: copies
  /// are there from the start or not at all, but may be gone soon.
  void look_for_copies(const float* values);
  /// Passes leave copies of centroids out. No whole runs then.
  bool leaves_copies_out() const { return leaves_copies_out_; }
  /// The centroids as (k, d) on the host; a dropped cluster's row is NaN.
  void fetch_centroids(float* centroids) const;
  /// Appends `values`, rows of clusters in play, as (k, d); a dropped cluster's row is NaN.
  void spread(const float* values, std::vector<float>& to) const;
  int device() const { return device_; }
  /// Forgets labels and whatever the variant keeps.
  void restart();

  struct Want {
    bool accumulate = true;
    bool labels = false;
    bool changes = false;
  };
  /// An assignment of all points as the variant makes it; not waited for unless it must be cut.
  /// @returns false when cancelled on the way.
  bool pass(const Want& want, const CancelFlag& cancel);
  /// Sums (k, d), counts (k) and the changed count of the last pass; leaves zeros on the device.
  void collect(PassResult& result);
  /// The changed count of the last pass alone; leaves zero on the device.
  std::int64_t take_changed();
  /// Labels (n) of the last pass, as cluster indices.
  void fetch_labels(std::int32_t* labels);
  /// Labels (n) against the centroids placed, and their inertia in float64; labels kept for comparison are left alone.
  bool assign(const CancelFlag& cancel, std::int32_t* labels, double* inertia);
  /// Of the last `assign`: the transfer of its labels to the host.
  double download_ms() const { return download_ms_; }

  /// A pass over all points as `want` says, to be enqueued next: what it needs of the centroids has been.
  Pass whole_pass(const Want& want);
  /// What `finish` needs for the centroids placed, without its rules and rings.
  FinishArguments finish_arguments() const;

  DeviceVariant& variant() { return *variant_; }
  const Stream& stream() const { return stream_; }
  RunState* state() const { return state_.get(); }
  /// Clusters in play.
  int rows() const { return static_cast<int>(in_play_.size()); }
  /// Which clusters the rows on the device are.
  const std::vector<std::int32_t>& in_play() const { return in_play_; }
  /// An iteration is expected to last longer than a cancel may wait.
  bool is_slow() const { return std::min(points_per_piece_, variant_->points_per_update()) < points_.n; }

 private:
  const float* x() const { return on_device_->x.get(); }
  std::int32_t* labels();
  bool run_pieces(Pass pass, const CancelFlag& cancel);
  bool run_updates(Pass pass, const CancelFlag& cancel);
  void copy_clusters(std::int32_t* to, const Buffer<std::int32_t>& labels) const;
  void follow_rows(const std::vector<std::int32_t>& rows);

  Points points_;
  Rules rules_;
  int device_;
  Stream stream_;
  std::shared_ptr<const DevicePoints> on_device_;
  Buffer<float> scale_;
  Buffer<double> unit_;
  std::vector<double> host_unit_;
  Buffer<float> centroids_;
  std::unique_ptr<const CentroidCopies> copies_;
  bool leaves_copies_out_ = false;
  Buffer<long long> fixed_sums_;
  Buffer<double> real_sums_;
  Buffer<unsigned> counts_;
  /// One number.
  Buffer<unsigned> changed_;
  /// (n), made when first needed.
  Buffer<std::int32_t> labels_;
  /// (n), made when labels are read that must not touch those kept.
  Buffer<std::int32_t> read_labels_;
  double download_ms_ = 0;
  /// Parts of the inertia of such labels.
  Buffer<double> read_inertia_;
  Buffer<RunState> state_;
  Buffer<RowTotals> totals_;
  std::unique_ptr<DeviceVariant> variant_;
  std::vector<std::int32_t> in_play_;
  std::size_t points_per_piece_ = 0;
};

}  // namespace centroid_lab::cuda
