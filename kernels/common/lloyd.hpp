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

/// Lloyd's k-means. The float32 centroids are the whole state; labels and sums kept by the variant only save
/// work, and are rebuilt when a cancelled pass has spoilt them.
class Lloyd final : public Clustering {
 public:
  Lloyd(Points points, Rules rules, std::unique_ptr<Variant> variant);
  Lloyd(Points points, Rules rules, BuiltVariant built);
  /// @param moments of the points where the rules need the inertia of an iteration; else not looked at.
  Lloyd(Points points, Rules rules, std::unique_ptr<Variant> variant, Moments moments);

  void start(const float* centroids) override;

  /// Goes on after iterations that somebody else carried out: `iteration` of them, the last of inertia
  /// `inertia_before` (negative where not counted), which left `centroids`. The variant still knows its labels.
  void resume(const float* centroids, std::int64_t iteration, double inertia_before);

  Advance advance(std::int64_t iterations, double milliseconds, const CancelFlag& cancel) override;
  bool read(const CancelFlag& cancel, std::int32_t* labels, double& inertia) override;

  const std::vector<float>& centroids() const override { return centroids_; }
  const Points& points() const override { return points_; }
  const Rules& rules() const override { return rules_; }
  BuiltPlan built() const override { return plan_; }

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
  /// @returns false where no centroid can have moved.
  bool update(IterationStats& stats);
  void update_centroid(std::size_t cluster);
  void converge(bool moved, IterationStats& stats);
  bool rule_is_met(const IterationStats& stats) const;
  void note_times(const Marks& marks, IterationStats& stats) const;

  Points points_;
  Rules rules_;
  std::unique_ptr<Variant> variant_;
  /// Its regime is empty where nobody planned the variant.
  BuiltPlan plan_;
  Moments moments_;
  std::vector<float> centroids_;
  /// Centroids of the iteration before: what the labels kept were assigned against.
  std::vector<float> before_;
  PassResult pass_;
  double inertia_before_ = -1;
  std::int64_t iteration_ = 0;
  bool labels_spoilt_ = false;
  /// The centroids are the means of the last complete pass, clusters without members aside.
  bool are_means_ = false;
};

}  // namespace centroid_lab
