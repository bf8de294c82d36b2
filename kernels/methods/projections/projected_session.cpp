#include "methods/projections/projected_session.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "isa.hpp"
#include "methods/estimates/ball_candidates.hpp"

namespace centroid_lab {
namespace {

/// Rows that stand for all points, and rows that stand for the centroids.
constexpr std::size_t sample_points = 192;
constexpr std::size_t sample_centroids = 512;
/// What a computed distance costs beside a score of as many coordinates, and whatever its length is.
constexpr double cost_of_distance = 4;
constexpr double cost_of_call = 100;
/// Scores are also stored and compared.
constexpr double cost_of_score = 1.15;
/// Passes that the projection of all points is spread over.
constexpr double passes = 10;

const ProjectionKernels& kernels_for(Isa isa) {
#if defined(__x86_64__)
  if (isa == Isa::avx512) return avx512_projections;
  if (isa == Isa::avx2) return avx2_projections;
#endif
  (void)isa;
  return baseline_projections;
}

/// Some rows, whole and projected.
struct Projected {
  std::size_t count;
  std::vector<float> rows;
  std::vector<float> coordinates;
};

/// Every so many-th row, from `shift` on.
Projected rows_of(const Points& points, std::size_t count, std::size_t shift, const Projection& projection) {
  Projected found{count, std::vector<float>(count * points.d), std::vector<float>(count * projection.coordinates())};
  for (std::size_t i = 0; i < count; i++) {
    std::copy_n(points.row((i * points.n / count + shift) % points.n), points.d, found.rows.data() + i * points.d);
  }
  projection.apply(found.rows.data(), count, found.coordinates.data());
  return found;
}

/// Lengths of what the first `directions` do not see, of each row.
std::vector<float> rests_of(const Projected& rows, std::size_t width, std::size_t directions) {
  std::vector<float> rests(rows.count);
  for (std::size_t i = 0; i < rows.count; i++) {
    const float* row = rows.coordinates.data() + i * (width + 1);
    float square = 0;
    for (std::size_t j = directions; j <= width; j++) square += row[j] * row[j];
    rests[i] = std::sqrt(square);
  }
  return rests;
}

/// Mean number of centroids that bounds from so many directions leave for a point.
double candidates_left(const Projected& points, const Projected& centroids, std::size_t d, std::size_t width,
                       std::size_t directions) {
  const std::vector<float> point_rests = rests_of(points, width, directions);
  const std::vector<float> centroid_rests = rests_of(centroids, width, directions);
  std::vector<float> bounds(centroids.count);
  std::size_t left = 0;
  for (std::size_t i = 0; i < points.count; i++) {
    const float* point = points.coordinates.data() + i * (width + 1);
    for (std::size_t c = 0; c < centroids.count; c++) {
      const float* centroid = centroids.coordinates.data() + c * (width + 1);
      const float rest = point_rests[i] - centroid_rests[c];
      bounds[c] = estimated_distance(point, centroid, directions) + rest * rest;
    }
    const auto likeliest = static_cast<std::size_t>(std::min_element(bounds.begin(), bounds.end()) - bounds.begin());
    const float* row = points.rows.data() + i * d;
    const float distance = estimated_distance(row, centroids.rows.data() + likeliest * d, d);
    left += static_cast<std::size_t>(std::count_if(bounds.begin(), bounds.end(), [&](float b) { return b <= distance; }));
  }
  return static_cast<double>(left) / static_cast<double>(points.count);
}

}  // namespace

ProjectionChoice choose_directions(const Points& points, std::size_t k) {
  const ProjectionKernels& kernels = kernels_for(best_isa());
  ProjectionChoice best{principal_directions(points, kernels)};
  const std::size_t width = best.directions.width;
  if (width == 0) return best;
  best.share = std::numeric_limits<double>::infinity();
  const Projection projection(best.directions, kernels);
  const Projected some = rows_of(points, std::min(points.n, sample_points), 0, projection);
  const std::size_t centroids = std::min({points.n, k, sample_centroids});
  const Projected others = rows_of(points, centroids, points.n / (2 * centroids), projection);
  const double d = static_cast<double>(points.d), clusters = static_cast<double>(k);
  std::size_t chosen = width;
  for (const std::size_t directions : direction_counts) {
    if (directions > width) continue;
    const double share = candidates_left(some, others, points.d, width, directions) / static_cast<double>(centroids);
    const double scores = clusters * static_cast<double>(directions + 1) * cost_of_score;
    const double distances = (1 + share * clusters) * (cost_of_distance * d + cost_of_call);
    const double work = (scores + distances + d * static_cast<double>(directions) / passes) / (clusters * d);
    if (work < best.share) chosen = directions;
    best.share = std::min(best.share, work);
  }
  best.directions = best.directions.first(chosen);
  return best;
}

ProjectedSession::ProjectedSession(const Points& points, std::size_t k, ThreadPool& pool)
    : n_(points.n), k_(k), d_(points.d),
      projection_(choose_directions(points, k).directions, kernels_for(best_isa())), points_(points, projection_, pool),
      centroids_(k * projection_.coordinates()) {
  packed_.keep_copies();
}

const ProjectionJob& ProjectedSession::prepare(const float* centroids, ThreadPool& pool) {
  const std::size_t width = projection_.coordinates();
  const auto project = [&](std::size_t, std::size_t first, std::size_t last) {
    projection_.apply(centroids + first * d_, last - first, centroids_.data() + first * width);
  };
  pool.share(k_, 16, project, [] { return false; });
  in_play_.choose(centroids, k_, d_);
  const std::vector<std::int32_t>& clusters = in_play_.clusters();
  for (std::size_t cluster = 0, at = 0; cluster < k_; cluster++) {
    if (at < clusters.size() && static_cast<std::size_t>(clusters[at]) == cluster) at++;
    else centroids_[cluster * width] = std::numeric_limits<float>::quiet_NaN();
  }
  packed_.pack(centroids_.data(), k_, width);
  TileJob& projected = job_.projected;
  projected.tiles = points_.tiles.data();
  projected.n = n_;
  projected.d = width;
  projected.centroids = packed_.values.data();
  projected.half_norms = packed_.half_norms.data();
  projected.original = packed_.complete ? nullptr : packed_.original.data();
  projected.live = packed_.live;
  projected.blocks = packed_.blocks;
  projected.reach = packed_.reach;
  job_.squares = points_.squares.data();
  job_.centroids = centroids;
  job_.usable = packed_.reach.all < max_score_reach;
  return job_;
}

}  // namespace centroid_lab
