// The iterations of one session: assignment and sums by a variant, everything else here.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "moments.hpp"
#include "types.hpp"
#include "variant.hpp"

namespace centroid_lab {

/// What `advance` answers: the iterations carried out and, when tracked, their centroids one after the other.
struct Advance {
  std::vector<IterationStats> iterations;
  std::vector<float> centroids;
};

/// Lloyd's k-means. The float32 centroids are the whole state; labels and sums kept by the variant only save
/// work, and are rebuilt when a cancelled pass has spoilt them.
class Lloyd {
 public:
  Lloyd(Points points, Rules rules, std::unique_ptr<Variant> variant);

  /// @param centroids (k, d).
  void start(const float* centroids);

  /// Iterations until the budget is spent, the rule is met or `cancel` is raised; at least one unless cancelled.
  Advance advance(std::int64_t iterations, double milliseconds, const CancelFlag& cancel);

  /// Labels (n) and inertia against the current centroids. @returns false when cancelled.
  bool read(const CancelFlag& cancel, std::int32_t* labels, double& inertia);

  const std::vector<float>& centroids() const { return centroids_; }
  const Points& points() const { return points_; }
  const Rules& rules() const { return rules_; }

 private:
  /// When the parts of an iteration ended, milliseconds; 0 where not measured.
  struct Marks {
    double begin = 0;
    double passed = 0;
    double updated = 0;
  };

  bool iterate(const CancelFlag& cancel, IterationStats& stats);
  bool restore_labels(const CancelFlag& cancel);
  void update(IterationStats& stats);
  void update_centroid(std::size_t cluster);
  void converge(IterationStats& stats);
  bool rule_is_met(const IterationStats& stats) const;
  void note_times(const Marks& marks, IterationStats& stats) const;

  Points points_;
  Rules rules_;
  std::unique_ptr<Variant> variant_;
  Moments moments_;
  std::vector<float> centroids_;
  /// Centroids of the iteration before: what the labels kept were assigned against.
  std::vector<float> before_;
  PassResult pass_;
  double inertia_before_ = -1;
  std::int64_t iteration_ = 0;
  bool labels_spoilt_ = false;
};

}  // namespace centroid_lab
