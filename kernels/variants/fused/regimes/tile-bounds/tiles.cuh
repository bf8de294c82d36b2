// What the kernels of `fused` on a device share. See proof.md.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device_variant.hpp"

namespace centroid_lab::cuda {

/// Points of a tile: neighbours in space, visited by one warp.
constexpr int tile_points = 128;
constexpr int points_per_lane = tile_points / 32;
/// Labels of a tile that its header names; with more the fastest of all centroids stands for them.
constexpr int max_named = 4;
constexpr std::uint16_t no_label = 0xffff;
constexpr std::uint16_t many_labels = 0xfffe;
/// In a brute-force pass every so many tiles one is kept up to date, to see what the tiles would cost.
constexpr unsigned pilot_stride = 64;

/// How a pass is made.
enum class Mode : int { tiles = 0, brute = 1 };

/// State of a run, in device memory; zero at its start. Nothing in a result depends on it.
struct PassState {
  Mode mode;
  /// Kernels of the brute-force pass, and of the tiles, do nothing where these are not zero.
  int skip_brute;
  int skip_tiles;
  int passes;
  /// Passes in this mode so far; brute-force passes still to be made without pilots, and how many the next time.
  int age;
  int waiting;
  int backoff;
  /// This pass: no bounds are kept yet; bounds of the labels' own motion are out of date.
  int fresh;
  unsigned ticket;
  /// Largest shift of a centroid in this pass, rounded up.
  float largest_shift;
  /// Cost of this pass by tiles, or of its pilots, in instructions of a warp.
  unsigned long long work;
};

struct alignas(16) TileHeader {
  /// How far the labels of the tile can have moved, all passes added up.
  float drift;
  /// No label changes while the fastest of the tile's labels and of all centroids have not moved by this together.
  float gap;
  std::uint16_t labels[max_named];
};

struct TileArguments {
  std::size_t n = 0;
  std::size_t tiles = 0;
  int d = 0;
  /// Clusters at the start: stride of `columns`.
  int k = 0;
  /// Features filled up with zeros: stride of `rows` and `centres`. Clusters filled up to whole warps: of `leads`.
  int width = 0;
  int lead_stride = 0;
  /// (tiles, d, tile_points): points in the order of neighbours. (n): which they are.
  const float* points = nullptr;
  const unsigned* order = nullptr;
  /// (tiles, width) and (tiles): a ball around each tile.
  const float* centres = nullptr;
  const float* radii = nullptr;
  const float* scale = nullptr;
  PassState* state = nullptr;
  TileHeader* headers = nullptr;
  /// (tiles, lead_stride): by how much a centroid is farther from every point of the tile than the label of that point, at
  /// least, plus `travelled` of the centroid and `drift` of the tile as they were then.
  float* leads = nullptr;
  /// (tiles * tile_points): labels in the order of `points`.
  std::uint16_t* labels = nullptr;
  /// (k, d): centroids of the pass before. (k) each: how far each has moved since, and in the whole run, rounded up.
  float* before = nullptr;
  float* shift = nullptr;
  float* travelled = nullptr;
  /// (k, width) and (d, k): the centroids.
  float* rows = nullptr;
  float* columns = nullptr;
  /// (k, d) and (k): exact sums and counts of `labels`.
  long long* sums = nullptr;
  unsigned* counts = nullptr;
  /// Instructions of a warp: a pass by brute force; 32 centroids against a ball; a candidate; a visit.
  double brute_cost = 0;
  unsigned search_cost = 0;
  unsigned candidate_cost = 0;
  unsigned tile_cost = 0;
  /// A run begins with brute force and pilots.
  bool begins_brute = false;
};

/// Relative error of a computed distance and its root, with room: |x - c|^2 in float32 is off by at most d + 2 roundings.
__device__ inline float slack_of(int d) { return static_cast<float>(d + 8) * 0x1p-23F; }
/// Absolute slack in distances: squares under 2^-126 lose digits.
constexpr float tiny_distance = 0x1p-58F;

/// Puts the points of each tile together and measures their balls; waits.
void build_tiles(const float* x, const TileArguments& to, float* points, float* centres, float* radii);

/// Measures how centroids have moved and decides how this pass is made.
void enqueue_pass_mode(const TileArguments& to, const Pass& pass);
/// Blocks that fill the device with the kernel of `enqueue_visit`.
unsigned visiting_blocks(int d, const cudaDeviceProp& device);
/// Visits the tiles that begin in points first .. first + count - 1 of the order, where labels may have changed.
void enqueue_visit(const TileArguments& to, const Pass& pass, unsigned blocks);

}  // namespace centroid_lab::cuda
