// Every vector kernel of `fused` against exact arithmetic, to the last label.
#include <cmath>
#include <limits>
#include <utility>

#include "check.hpp"
#include "exact_order.hpp"
#include "fixtures.hpp"
#include "isa.hpp"
#include "methods/tiles/packed_centroids.hpp"
#include "tests.hpp"
#include "methods/tiles/tiles.hpp"

namespace centroid_lab {
namespace {

std::int32_t expected_label(const float* point, const std::vector<float>& centroids, std::size_t k, std::size_t d) {
  std::int32_t label = -1;
  for (std::size_t c = 0; c < k; c++) {
    const float* row = centroids.data() + c * d;
    if (std::isnan(row[0])) continue;
    const float* best = centroids.data() + static_cast<std::size_t>(label) * d;
    if (label < 0 || exact_order(point, row, best, d) < 0) label = static_cast<std::int32_t>(c);
  }
  return label;
}

TileJob job_for(const Fixture& fixture, const Aligned<float>& tiles, const PackedCentroids& packed) {
  TileJob job{};
  job.tiles = tiles.data();
  job.rows = fixture.points.x;
  job.n = fixture.points.n;
  job.d = fixture.points.d;
  job.centroids = packed.values.data();
  job.half_norms = packed.half_norms.data();
  job.original = packed.complete ? nullptr : packed.original.data();
  job.live = packed.live;
  job.blocks = packed.blocks;
  job.reach = packed.reach;
  job.near = near_tie(fixture.points.d);
  return job;
}

/// Rows of all magnitudes: every second half as far from the origin as the one before, down to 2^-15.
std::vector<float> rows_of_all_sizes(std::vector<float> rows, std::size_t d) {
  for (std::size_t at = 0; at < rows.size(); at++) rows[at] = std::ldexp(rows[at], -static_cast<int>(at / d / 2 % 16));
  return rows;
}

void check_shape(const TileKernels& kernels, Kind kind, std::size_t n, std::size_t d, std::size_t k, bool drop,
                 bool all_sizes = false) {
  const auto rows = [&](std::size_t count) {
    std::vector<float> plain = values_of(kind, count * d);
    return all_sizes ? rows_of_all_sizes(std::move(plain), d) : plain;
  };
  const Fixture fixture(rows(n), n, d);
  std::vector<float> centroids = rows(k + 1);
  for (std::size_t c = 1; drop && c < k; c += 3) {
    for (std::size_t j = 0; j < d; j++) centroids[c * d + j] = std::numeric_limits<float>::quiet_NaN();
  }
  ThreadPool pool(1);
  const Aligned<float> tiles = tiles_of(fixture.points, pool);
  PackedCentroids packed;
  packed.pack(centroids.data(), k, d);
  TileJob job = job_for(fixture, tiles, packed);
  Aligned<float> tile(tile_points * d);
  job.tile = tile.data();
  for (const auto& [by_scores, are_kept] : {std::pair{false, true}, {true, true}, {false, false}, {true, false}}) {
    job.by_scores = by_scores;
    job.tiles = are_kept ? tiles.data() : nullptr;
    std::vector<std::int32_t> labels(n, -7);
    kernels.label(job, 0, tiles_for(n), labels.data());
    for (std::size_t i = 0; i < n; i++) {
      const std::int32_t expected = expected_label(fixture.points.row(i), centroids, k, d);
      expect(labels[i] == expected, kernels.isa, by_scores ? " scores" : " distances",
             are_kept ? "" : ", tiles made by the pass", ", kind ",
             static_cast<int>(kind), ", n ", n, ", d ", d, ", k ", k, ": point ", i, " has ", labels[i], ", not ",
             expected);
      if (labels[i] != expected) break;
    }
  }
}

/// Sums and labels of two passes, the second against other centroids.
std::vector<std::int64_t> sums_of_passes(const TileKernels& kernels, const Fixture& fixture, const float* tiles, std::size_t k) {
  const auto& [n, d] = std::pair{fixture.points.n, fixture.points.d};
  Aligned<float> tile(tile_points * d);
  const std::vector<float> scale(stride_of_sums(d), 1000.0F);
  std::vector<std::uint8_t> labels(tiles_for(n) * tile_points), touched(k);
  std::vector<std::int64_t> moved(k * stride_of_sums(d)), counts(k);
  TileSums sums{moved.data(), stride_of_sums(d), counts.data(), touched.data(), 0, 0};
  for (const std::size_t first : {std::size_t{0}, n / 2}) {
    PackedCentroids packed;
    packed.pack(fixture.points.row(first), k, d);
    TileJob job = job_for(fixture, {}, packed);
    job.tiles = tiles;
    job.tile = tile.data();
    job.scale = scale.data();
    job.labels = labels.data();
    job.label_bytes = LabelBytes::one;
    job.fresh = first == 0;
    kernels.pass(job, 0, tiles_for(n), sums);
  }
  moved.insert(moved.end(), counts.begin(), counts.end());
  moved.insert(moved.end(), labels.begin(), labels.end());
  moved.push_back(sums.changed);
  return moved;
}

void check_made_tiles(const TileKernels& kernels, std::size_t n, std::size_t d) {
  const Fixture fixture(values_of(Kind::noise, n * d), n, d);
  ThreadPool pool(1);
  const Aligned<float> tiles = tiles_of(fixture.points, pool);
  expect(sums_of_passes(kernels, fixture, tiles.data(), 7) == sums_of_passes(kernels, fixture, nullptr, 7), kernels.isa,
         ", n ", n, ", d ", d, ": passes that make their tiles have other sums");
}

/// A centroid far out, of a point far out, must not take the decision by scores from all other points.
void check_far_centroid(const TileKernels& kernels) {
  constexpr std::size_t n = 1000, d = 24, k = 64;
  std::vector<float> rows = values_of(Kind::noise, n * d);
  for (std::size_t at = 0; at < n * d; at++) rows[at] = std::ldexp(rows[at], at / d == 3 ? 0 : -10);
  const Fixture fixture(rows, n, d);
  ThreadPool pool(1);
  const Aligned<float> tiles = tiles_of(fixture.points, pool);
  PackedCentroids packed;
  packed.pack(rows.data(), k, d);
  TileJob job = job_for(fixture, tiles, packed);
  const std::vector<float> scale(d, 1.0F);
  std::vector<std::int32_t> labels(tiles_for(n) * tile_points);
  job.by_scores = true;
  job.scale = scale.data();
  job.labels = labels.data();
  job.label_bytes = LabelBytes::four;
  job.fresh = true;
  std::vector<std::int64_t> moved(k * d), counts(k);
  std::vector<std::uint8_t> touched(k);
  TileSums sums{moved.data(), stride_of_sums(d), counts.data(), touched.data(), 0, 0};
  kernels.pass(job, 0, tiles_for(n), sums);
  expect(sums.undecided < 100, kernels.isa, " a centroid far out: scores leave ", sums.undecided, " points open");
}

/// Neither dropped clusters nor copies of one before them take part, until a pass has shown that there are no copies.
void check_centroids_in_play() {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  using Clusters = std::vector<std::int32_t>;
  const std::vector<float> copies{1, 2, nan, nan, 1, 2, 2, 1, 1, 2};
  const std::vector<float> different{1, 2, nan, nan, 3, 2, 2, 1, 1, 5};
  CentroidsInPlay in_play;
  const auto chosen = [&](const std::vector<float>& centroids) {
    in_play.choose(centroids.data(), 5, 2);
    return in_play.clusters();
  };
  expect(chosen(copies) == Clusters{0, 3}, "copies take part in a pass");
  expect(in_play.squares() == std::vector<double>{5, 5}, "lengths of centroids in play differ");
  expect(chosen(different) == Clusters{0, 2, 3, 4}, "centroids that came apart take no part");
  expect(chosen(copies) == Clusters{0, 2, 3, 4}, "copies are looked for where there were none");
  in_play.restart();
  expect(chosen(copies) == Clusters{0, 3}, "copies take part in a pass of another run");
  in_play.keep_copies();
  expect(chosen(copies) == Clusters{0, 2, 3, 4}, "copies that are to be kept are left out");
}

std::vector<const TileKernels*> kernels_here() {
  std::vector<const TileKernels*> kernels{&baseline_kernels};
#if defined(__x86_64__)
  if (best_isa() >= Isa::avx2) kernels.push_back(&avx2_kernels);
  if (best_isa() >= Isa::avx512) kernels.push_back(&avx512_kernels);
#endif
  return kernels;
}

}  // namespace

void test_kernels() {
  check_centroids_in_play();
  for (const TileKernels* kernels : kernels_here()) {
    for (const Kind kind : {Kind::noise, Kind::lattice, Kind::far, Kind::tiny, Kind::equal}) {
      for (const std::size_t d : {1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 47, 64, 100, 300}) {
        for (const std::size_t k : {1, 2, 5, 8, 9, 33, 64, 100, 129}) check_shape(*kernels, kind, 131, d, k, false);
      }
    }
    for (const Kind kind : {Kind::noise, Kind::lattice, Kind::far}) {
      for (const std::size_t d : {1, 2, 3, 5, 8, 24, 100}) {
        for (const std::size_t k : {5, 33, 200}) check_shape(*kernels, kind, 400, d, k, false, true);
      }
    }
    check_far_centroid(*kernels);
    for (const std::size_t d : {1, 3, 4, 6, 8, 24, 25, 100}) check_made_tiles(*kernels, 1000, d);
    // Enough centroids for blocks rather than single centroids as units, and for several chapters (scores.hpp).
    for (const Kind kind : {Kind::noise, Kind::lattice, Kind::tiny}) {
      for (const std::size_t d : {1, 2, 3, 4, 5, 8}) {
        for (const std::size_t k : {200, 1030, 1100}) check_shape(*kernels, kind, 131, d, k, false);
      }
    }
    for (const std::size_t n : {1, 63, 64, 65, 1000}) check_shape(*kernels, Kind::noise, n, 3, 70, false);
    for (const std::size_t k : {4, 40}) check_shape(*kernels, Kind::noise, 200, 2, k, true);
  }
}

}  // namespace centroid_lab
