// Passes over many features: a filter on matrix units, distances where it cannot decide, sums that change by points that moved. What
// its kernels share. See proof.md.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "device_variant.hpp"
#include "memory.hpp"

namespace centroid_lab::cuda {

namespace matrix_filter {

/// What is kept of a point from pass to pass: its cluster and two bounds of true distances. See variants/fused/regimes/point-bounds.
struct alignas(16) Kept {
  /// Of the distance to its centroid, from above, less what that centroid had travelled by then.
  float upper;
  /// Of the distances to all others, from below, plus what they had approached its cluster by then.
  float lower;
  int label;
  int unused;
};

/// Where kernels note what they learn of points. All null where nobody asks.
struct Records {
  /// (n), by rows of x: all clusters but those that distances are computed of are at least as far as this.
  float* outside = nullptr;
  /// (n)
  Kept* kept = nullptr;
  /// (k) each: how far a centroid has moved, and by how much others may have come nearer, in the whole run.
  const float* travelled = nullptr;
  const float* approached = nullptr;
  /// (k): largest upper bound of the members.
  float* reach = nullptr;
  /// Nothing is noted where it is zero.
  const int* wanted = nullptr;
};

/// Clusters of a group: the filter compares the least scores of groups, and those of its members in the best one alone.
constexpr int group_size = 8;
/// Clusters of a tile of the filter, and its groups.
constexpr int tile_clusters = 128;
constexpr int tile_groups = tile_clusters / group_size;
/// Features that one matrix instruction multiplies.
constexpr int step_features = 16;

/// Points of a cell that a block of the filter takes: first .. first + count - 1. Cells begin and end with an item, so
/// that items of fewer than `item_points` have padding in float16.
constexpr int item_points = 384;
struct Item {
  unsigned cell;
  unsigned first;
  unsigned count;
};

/// A point whose nearest centroid is one of some of a group, a bit each, or any of a second one.
struct Open {
  unsigned point;
  unsigned first;
  /// `no_group`: none.
  unsigned second;
  unsigned members;
};
constexpr unsigned no_group = ~0u;
constexpr unsigned all_members = (1u << group_size) - 1;

/// A point that came to a cluster and left one, both counted from 1; 0 is none.
struct Move {
  unsigned row;
  unsigned to;
  unsigned from;
};

/// A point that distances to all centroids decide on, and the segment whose moves it is one of.
struct Whole {
  unsigned point;
  unsigned segment;
};

/// Lengths of a segment's lists, zeroed by `prepare`. Lists lie in segments, one for each block of the filter, as counters that all
/// blocks add to would be what they wait for.
struct alignas(32) Listed {
  unsigned open;
  unsigned moves;
};

/// Cells that points are parted into, at most.
constexpr int max_cells = 128;

/// How the centroids of a tile lie in memory: as registers of mma.sync want them, or as wgmma reads them.
enum class Image : int { none, fragments, cores };

/// Constants of the filter's proof.
struct Bound {
  /// Weights of the two inequalities between products and squares.
  double gamma = 0;
  double rho = 0;
  /// Relative error of a product sum, and of what is done to it afterwards.
  double tau = 0;
  double pi = 0;
  /// What underflow may add to a float32 distance in the filter's units.
  float underflow = 0;
};

/// How narrowly centroids lie beside points, of which margins become the narrower: half as wide as many times. Found by the pass
/// before, from logarithms of so many clusters that a pass adds up; nothing in a result depends on it.
struct Spread {
  int halvings;
  float logarithms;
  float clusters;
};
constexpr int max_halvings = 8;

__host__ __device__ constexpr int fours_of(int d) { return (d + 3) / 4; }
__host__ __device__ constexpr int groups_of(int k) { return (k + group_size - 1) / group_size; }
__host__ __device__ constexpr int tiles_of(int k) { return (k + tile_clusters - 1) / tile_clusters; }

/// Device memory and constants, as kernels take them.
struct Work {
  const float* x = nullptr;
  std::size_t n = 0;
  int d = 0;
  /// Clusters at the start; a pass may have fewer.
  int k = 0;
  const float* scale = nullptr;

  Image image = Image::none;
  /// Matrix instructions along the features.
  int steps = 0;
  /// (cells, d) and a power of two: the filter works on (x - centre of the point's cell) * unit.
  const float* centres = nullptr;
  int cells = 1;
  double unit = 1;
  /// (n): row in x of each point, cell by cell. Null when they are the same.
  const unsigned* rows = nullptr;
  const Item* items = nullptr;
  unsigned item_count = 0;
  Bound bound;
  /// One, and the mean logarithm to base 2 of a point's norm. Null with several cells, whose centroids lie as wide as points.
  Spread* spread = nullptr;
  float point_logarithm = 0;
  /// Low bits of a score that hold its group.
  unsigned index_mask = 0;
  /// (item_count * item_points / 16, steps, 32): points in float16 as registers of a matrix instruction.
  uint4* fragments = nullptr;
  /// (n): how far scores must lie apart, as far as the point decides it, where centroids lie as wide as points; its squared norm. Both
  /// rounded up.
  float2* point_slack = nullptr;
  /// (cells, tiles): minus the centroids in float16, ordered as `image` says.
  unsigned char* tiles = nullptr;
  /// (cells, tiles * tile_clusters): what a score starts from.
  float* half_norms = nullptr;
  /// (cells, tiles * tile_clusters): how far scores must lie apart, as far as the best centroid decides it.
  float* cluster_slack = nullptr;

  /// (cells): largest norm of a point. (cells, tiles * tile_clusters): norms of the centroids. Null with one cell.
  float* cell_radii = nullptr;
  float* cluster_norms = nullptr;
  /// (cells, tiles) and (cells): tiles that may hold a nearest centroid of a point of the cell; or of a part of the filter by
  /// wgmma, where `lists_by_part`. Null with one cell and no balls: all.
  unsigned* tile_lists = nullptr;
  unsigned* tile_counts = nullptr;
  bool lists_by_part = false;
  /// As many as `tile_counts`: no centroid of a tile left out is nearer, in the filter's units. Null where there are no lists.
  float* left_out = nullptr;
  /// (k) each: clusters in the order of the groups, and where each of them stands; (k): its cell. Null with one cell,
  /// where clusters stand as they come.
  unsigned* cluster_order = nullptr;
  unsigned* cluster_slots = nullptr;
  unsigned char* cluster_cells = nullptr;
  /// (groups, ceil(d / 4), group_size): centroids, interleaved by group, four features at a time, zeros at the end.
  float4* grouped = nullptr;

  /// Kernels begin while those ahead end.
  bool is_early = false;
  unsigned segments = 1;
  /// Points of a segment, at most.
  unsigned segment_points = 0;
  /// (segments)
  Listed* listed = nullptr;
  /// (segments, segment_points) each.
  Open* open = nullptr;
  Move* moves = nullptr;
  /// One number; (n): the smallest distance so far and its cluster beside each of the points.
  unsigned* whole_count = nullptr;
  Whole* whole = nullptr;
  unsigned long long* keys = nullptr;
  /// (n) each: the second smallest and its cluster, and the third smallest as bits.
  unsigned long long* seconds = nullptr;
  unsigned* thirds = nullptr;

  /// (n): the cluster that each point is counted in, from 1; 0 for none. (k, d), (k): sums and numbers.
  unsigned* kept = nullptr;
  unsigned long long* kept_sums = nullptr;
  unsigned* kept_counts = nullptr;
  Records records;

  __host__ __device__ std::size_t tile_bytes() const {
    return static_cast<std::size_t>(steps) * step_features * tile_clusters * 2;
  }
  /// Of a cell.
  __host__ __device__ const unsigned char* tiles_in(unsigned cell) const {
    return tiles + cell * tile_bytes() * static_cast<std::size_t>(tiles_of(k));
  }
  __host__ __device__ const float* half_norms_in(unsigned cell) const {
    return half_norms + static_cast<std::size_t>(cell) * static_cast<std::size_t>(tiles_of(k) * tile_clusters);
  }
  __host__ __device__ float* cluster_slack_in(unsigned cell) const {
    return cluster_slack + static_cast<std::size_t>(cell) * static_cast<std::size_t>(tiles_of(k) * tile_clusters);
  }
  __host__ __device__ float* cluster_norms_in(unsigned cell) const {
    return cluster_norms + static_cast<std::size_t>(cell) * static_cast<std::size_t>(tiles_of(k) * tile_clusters);
  }
  /// `list`: the cell, or the part.
  __host__ __device__ unsigned tile_count(unsigned list, int all) const {
    return tile_lists == nullptr ? static_cast<unsigned>(all) : tile_counts[list];
  }
  __host__ __device__ unsigned tile_at(unsigned list, unsigned number) const {
    return tile_lists == nullptr ? number : tile_lists[static_cast<std::size_t>(list) * tiles_of(k) + number];
  }
  __host__ __device__ unsigned cluster_at(unsigned slot) const {
    return cluster_order == nullptr ? slot : cluster_order[slot];
  }
  __host__ __device__ unsigned slot_of(unsigned cluster) const {
    return cluster_slots == nullptr ? cluster : cluster_slots[cluster];
  }
  /// Where a segment begins in a list.
  __host__ __device__ std::size_t start_of(unsigned segment) const { return static_cast<std::size_t>(segment) * segment_points; }
  __host__ __device__ std::size_t row_of(std::size_t point) const { return rows == nullptr ? point : rows[point]; }
};

/// What has to be kept of points in cells.
struct Cells {
  Buffer<float> centres;
  Buffer<unsigned> rows;
  Buffer<Item> items;
  Buffer<float> radii;
  Buffer<float> cluster_norms;
  Buffer<unsigned> tile_lists;
  Buffer<unsigned> tile_counts;
  Buffer<float> left_out;
  Buffer<unsigned> cluster_order;
  Buffer<unsigned> cluster_slots;
  Buffer<unsigned char> cluster_cells;
};
/// Finds centres (most, d) of cells; `mean` is what they must be better than. @returns how many are worthwhile, 1 for none; or
/// `most` when it is to be so many `exactly`. Waits.
int find_cells(const Work& work, const float* mean, int most, bool exactly, float* centres);
/// Orders the rows by cell, those of a cell as they come; up to `max_cells`. @returns the cells' sizes. Waits.
std::vector<std::size_t> order_by_cell(const Work& work, int cells, const float* centres, Buffer<unsigned>& rows);
/// Parts the points into `most` cells, or fewer unless `exactly`, as far as they make points much tighter; `mean` is the
/// centre of a single cell. Sets what `work` says of them. Waits.
Cells make_cells(Work& work, const float* mean, int most, bool exactly);

/// Points of a part of the filter by wgmma.
constexpr int core_part_points = 192;
constexpr std::size_t max_balls = 2048;
/// Bits of as many tiles as balls can name.
constexpr int max_ball_words = 2;

/// Small balls that hold the points, which lie in their order, and distances between their centres and the centroids.
struct Balls {
  /// None: there are no balls.
  std::size_t count = 0;
  std::size_t parts = 0;
  /// (count + 1): first point of each. (parts): first and last ball of each part.
  unsigned* starts = nullptr;
  uint2* part_balls = nullptr;
  /// (count + k, d): centres, and in every pass centroids in their places, both relative to the mean. (count + k): their squares.
  float* vectors = nullptr;
  float* squares = nullptr;
  /// (count)
  float* radii = nullptr;
  /// (k), as clusters come.
  float* cluster_squares = nullptr;
  /// (count + k, k): squared, of every vector from the centroids in their places.
  float* distances = nullptr;
  /// (count, max_ball_words): a bit for each tile that may hold a nearest centroid.
  unsigned* tiles = nullptr;
  /// (count): no centroid of the other tiles is nearer to a point of the ball.
  float* left_out = nullptr;
};

struct BallBuffers {
  Balls of;
  Buffer<unsigned> starts;
  Buffer<uint2> part_balls;
  Buffer<float> vectors;
  Buffer<float> squares;
  Buffer<float> radii;
  Buffer<float> cluster_squares;
  Buffer<float> distances;
  Buffer<unsigned> tiles;
  Buffer<float> left_out;
};

/// Labels (n) of all points against centres (count, d), all on the device. Waits.
using Labeller = std::function<void(const float* centres, int count, std::int32_t* labels)>;

/// Orders the points of the one cell there is by small balls, where these are much tighter than the data are wide, or `always`. Sets
/// what `work` says of them; what it keeps goes into `cells` too. @returns no balls where they are of no use. Waits.
BallBuffers make_balls(Work& work, Cells& cells, const Labeller& label, bool always);
/// Orders the clusters for the balls; leaves tiles out for each part, after `enqueue_prepare`.
void enqueue_arrange(const Work& work, const Balls& balls, const Pass& pass);
void enqueue_choose_tiles(const Work& work, const Balls& balls, const Pass& pass);

/// Orders the clusters by cell, so that groups are of close neighbours.
void enqueue_arrange(const Work& work, const Pass& pass);
/// Leaves out tiles that lie too far from a cell to matter; after `enqueue_prepare`.
void enqueue_choose_tiles(const Work& work, const Pass& pass);

/// Largest |x - mean| of `n` points; means of a sample. Waits.
float measure_points(const float* x, std::size_t n, int d, float* mean);
/// Points in float16 and their slack. @returns the mean logarithm to base 2 of the norms of some. Waits.
float convert_points(const Work& work);

/// Centroids as every later kernel wants them; counters to zero.
void enqueue_prepare(const Work& work, const Pass& pass);
/// Label of each point, or its place in a list.
void enqueue_filter_fragments(const Work& work, const Pass& pass);
void enqueue_filter_cores(const Work& work, const Pass& pass);
/// Whether this device and this build have wgmma. Sets what its kernel needs, and the steps as it wants them.
bool prepare_filter_cores(Work& work, const cudaDeviceProp& device);

/// Every point is to be compared with all centroids.
void enqueue_all_whole(const Work& work, const Pass& pass);
/// Labels of the listed points, by distances.
void enqueue_open(const Work& work, const Pass& pass);
void enqueue_whole(const Work& work, const Pass& pass, int multiprocessors);

/// Adds points where they came to and takes them away where they left.
void enqueue_moves(const Work& work, const Pass& pass);
/// The pass's sums are those kept.
void enqueue_hand_over(const Work& work, const Pass& pass);

/// Assignment and sums in one pass.
class Passes : public DeviceVariant {
 public:
  /// False where points are all alike.
  virtual bool has_filter() const = 0;
  /// How the points were found to be worth ordering.
  virtual bool has_cells() const = 0;
  virtual bool has_balls() const = 0;
};

/// Why there can be no filter, in one sentence; empty where there can.
std::string refuses_filter(const Problem& problem);

/// With `records`, passes that add up also note what is known of each point. Waits. @throws std::bad_alloc for want of device
/// memory.
std::unique_ptr<Passes> make_filtered_passes(const Problem& problem, const Records* records = nullptr);

}  // namespace matrix_filter
}  // namespace centroid_lab::cuda
