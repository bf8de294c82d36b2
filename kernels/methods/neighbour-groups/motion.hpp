// How far centroids moved between two passes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace centroid_lab {

/// Follows the centroids from pass to pass.
class Motion {
 public:
  /// Forgets the centroids of the pass before.
  void restart() { before_.clear(); }

  /// Takes note of the next centroids (k, d). @returns whether they can be compared with the ones before: there were
  /// some, and the same clusters are in play.
  bool follow(const float* centroids, std::size_t k, std::size_t d);

  /// Upper bound of the distance of any centroid from its place in the last step, those out of play left aside;
  /// infinite where the same clusters are not in play.
  double way_to(const float* centroids, std::size_t k, std::size_t d) const;

  /// Largest distance that a centroid moved in the last step, rounded up.
  double largest() const { return largest_; }

  /// (k) whether a centroid moved at all in the last step.
  const std::vector<std::uint8_t>& moved() const { return moved_; }

 private:
  std::vector<float> before_;
  std::vector<std::uint8_t> moved_;
  double largest_ = 0;
};

}  // namespace centroid_lab
