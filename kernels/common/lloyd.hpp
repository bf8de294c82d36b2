// The iterations of one session: assignment and sums by a variant, everything else here.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "clustering.hpp"
#include "moments.hpp"
#include "types.hpp"
#include "variant.hpp"

namespace centroid_lab {

/// Lloyd's k-means. The centroids are the whole state; labels and sums kept by the variant only save
/// work, and are rebuilt when a cancelled pass has spoilt them.
template <class Real>
class LloydOf final : public ClusteringOf<Real> {
 public:
  LloydOf(PointsOf<Real> points, Rules rules, std::unique_ptr<VariantOf<Real>> variant);
  /// @param group of processes that hold the whole of which `points` are this one's part; null where they are all. Then `read`
  /// tells no inertia (NaN).
  LloydOf(PointsOf<Real> points, Rules rules, BuiltVariantOf<Real> built, ProcessGroup* group = nullptr);
  /// @param moments of the points where the rules need the inertia of an iteration; else not looked at.
  LloydOf(PointsOf<Real> points, Rules rules, std::unique_ptr<VariantOf<Real>> variant, Moments moments);

  void start(const Real* centroids) override;

  /// Goes on after iterations that somebody else carried out: `iteration` of them, the last of inertia
  /// `inertia_before` (negative where not counted), which left `centroids`. The variant still knows its labels.
  void resume(const Real* centroids, std::int64_t iteration, double inertia_before);

  AdvanceOf<Real> advance(std::int64_t iterations, double milliseconds, const CancelFlag& cancel) override;
  bool read(const CancelFlag& cancel, std::int32_t* labels, double& inertia) override {
    return read_against(centroids_.data(), cancel, labels, inertia);
  }
  /// As `read`, against other centroids (k, d).
  bool read_against(const Real* centroids, const CancelFlag& cancel, std::int32_t* labels, double& inertia);

  const std::vector<Real>& centroids() const override { return centroids_; }
  const PointsOf<Real>& points() const override { return points_; }
  const Rules& rules() const override { return rules_; }
  BuiltPlan built() const override { return plan_; }
  std::vector<std::string> losses() const override { return variant_->losses(); }

  /// Of the points, where the rules need the inertia of an iteration; else empty.
  const Moments& moments() const { return moments_; }

 private:
  /// When the parts of an iteration ended, milliseconds; 0 where not measured.
  struct Marks {
    double begin = 0;
    double passed = 0;
    double updated = 0;
  };

  bool iterate(const CancelFlag& cancel, IterationStats& stats);
  bool restore_labels(const CancelFlag& cancel);
  void note_pass(IterationStats& stats);
  /// @param moved false where no centroid can have moved. @returns false when cancelled
  bool update(const CancelFlag& cancel, IterationStats& stats, bool& moved);
  bool fill_empty_clusters(const CancelFlag& cancel);
  void update_centroid(std::size_t cluster);
  void converge(bool moved, IterationStats& stats);
  bool rule_is_met(const IterationStats& stats) const;
  void note_times(const Marks& marks, IterationStats& stats) const;

  PointsOf<Real> points_;
  Rules rules_;
  std::unique_ptr<VariantOf<Real>> variant_;
  /// Its regime is empty where nobody planned the variant.
  BuiltPlan plan_;
  ProcessGroup* group_ = nullptr;
  Moments moments_;
  std::vector<Real> centroids_;
  /// Centroids of the iteration before: what the labels kept were assigned against.
  std::vector<Real> before_;
  PassResult pass_;
  double inertia_before_ = -1;
  std::int64_t iteration_ = 0;
  bool labels_spoilt_ = false;
  /// The centroids are the means of the last complete pass, clusters without members aside.
  bool are_means_ = false;
};

using Lloyd = LloydOf<float>;

}  // namespace centroid_lab
