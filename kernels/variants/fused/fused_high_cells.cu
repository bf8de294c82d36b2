// Points parted into cells, once: the filter's rounding errors grow with the distance from the point to its centre, and
// blobs far tighter than the data is wide would leave most points undecided. Any cells are right; good ones are tight.
#include <algorithm>
#include <vector>

#include "check.hpp"
#include "fused_high.cuh"

namespace centroid_lab::cuda::high {
namespace {

constexpr int seed_threads = 1024;
constexpr int seeded_points = 2048;
constexpr int refined_points = 16384;
constexpr int refinements = 3;
constexpr int threads = 256;
constexpr int fewest_cells = 8;
/// Cells must take away half of the squares, and twice as many another fifth.
constexpr double worthwhile = 0.5;
constexpr double tight = 1.25;
/// Far more than rounding can add to a distance, of d up to ten thousand features.
constexpr float spare = 1.01f;

/// A number in (0, 1) that looks random.
__device__ inline float chance(unsigned number, unsigned round) {
  unsigned bits = number * 0x9e3779b9u ^ round * 0x85ebca6bu;
  bits = (bits ^ bits >> 16) * 0x7feb352du;
  bits = (bits ^ bits >> 15) * 0x846ca68bu;
  return (static_cast<float>((bits ^ bits >> 16) >> 8) + 0.5f) * 0x1p-24f;
}

/// By a warp; every lane gets it.
__device__ inline float squared_distance(const float* x, const float* centre, int d) {
  float sum = 0;
  for (int j = threadIdx.x % 32; j < d; j += 32) sum = add_square(sum, x[j], centre[j]);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(full_warp, sum, step);
  return sum;
}

/// Centres of up to `most` cells among every `step`-th point, by chances in proportion to the squared distance from
/// those there are (Gumbel's way: the largest distance over an exponential number wins). The mean stands in for the
/// first. `squares[i]`: sum of squared distances with i centres. One block.
__global__ void __launch_bounds__(seed_threads) seed(const float* x, size_t step, int count, int d, const float* mean,
                                                     int most, float* centres, double* squares) {
  __shared__ float nearest[seeded_points];
  __shared__ double sums[seed_threads / 32];
  __shared__ unsigned long long keys[seed_threads / 32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const float* centre = mean;
  for (int round = 0; round <= most; round++) {
    for (int i = warp; i < count; i += seed_threads / 32) {
      const float distance = squared_distance(x + i * step * d, centre, d);
      if (lane == 0) nearest[i] = round == 0 ? distance : fminf(nearest[i], distance);
    }
    __syncthreads();
    double sum = 0;
    unsigned long long key = 0;
    for (int i = threadIdx.x; i < count; i += seed_threads) {
      sum += nearest[i];
      const float score = nearest[i] / -logf(chance(static_cast<unsigned>(i), static_cast<unsigned>(round)));
      const unsigned long long other = static_cast<unsigned long long>(__float_as_uint(score)) << 32 | i;
      key = other > key ? other : key;
    }
    for (int far = 16; far > 0; far /= 2) {
      sum += __shfl_xor_sync(full_warp, sum, far);
      const unsigned long long other = __shfl_xor_sync(full_warp, key, far);
      key = other > key ? other : key;
    }
    if (lane == 0) sums[warp] = sum, keys[warp] = key;
    __syncthreads();
    sum = 0, key = 0;
    for (int other = 0; other < seed_threads / 32; other++) {
      sum += sums[other];
      key = keys[other] > key ? keys[other] : key;
    }
    if (threadIdx.x == 0) squares[round] = sum;
    centre = x + static_cast<size_t>(static_cast<unsigned>(key)) * step * d;
    for (int j = threadIdx.x; round < most && j < d; j += seed_threads) {
      centres[static_cast<size_t>(round) * d + j] = centre[j];
    }
    __syncthreads();
  }
}

/// By a warp.
__device__ inline int nearest_cell(const float* x, int d, const float* centres, int cells) {
  float least = INFINITY;
  int best = 0;
  for (int cell = 0; cell < cells; cell++) {
    const float distance = squared_distance(x, centres + static_cast<size_t>(cell) * d, d);
    if (distance < least) least = distance, best = cell;
  }
  return best;
}

/// The nearest of the centres for every `step`-th point. A warp a point.
__global__ void __launch_bounds__(threads) assign(const float* x, size_t step, size_t count, int d, const float* centres,
                                                  int cells, unsigned char* cell_of) {
  const size_t point = (static_cast<size_t>(blockIdx.x) * threads + threadIdx.x) / 32;
  if (point >= count) return;
  const int cell = nearest_cell(x + point * step * d, d, centres, cells);
  if (threadIdx.x % 32 == 0) cell_of[point] = static_cast<unsigned char>(cell);
}

/// A block a cell: the mean of its points.
__global__ void __launch_bounds__(threads) average(const float* x, size_t step, int count, int d,
                                                   const unsigned char* cell_of, float* centres) {
  for (int j = threadIdx.x; j < d; j += threads) {
    double sum = 0;
    int members = 0;
    for (int i = 0; i < count; i++) {
      if (cell_of[i] != blockIdx.x) continue;
      sum += x[i * step * d + j];
      members++;
    }
    if (members > 0) centres[static_cast<size_t>(blockIdx.x) * d + j] = static_cast<float>(sum / members);
  }
}

void enqueue_assign_cells(const Work& work, size_t step, size_t count, const float* centres, int cells,
                          unsigned char* cell_of) {
  constexpr std::size_t points_per_block = threads / 32;
  const auto blocks = static_cast<unsigned>((count + points_per_block - 1) / points_per_block);
  assign<<<blocks, threads>>>(work.x, step, count, work.d, centres, cells, cell_of);
  check_launch("fused: assign");
}

/// How many cells, from the sums of squares that up to so many leave.
int worthwhile_cells(const std::vector<double>& squares) {
  const int most = static_cast<int>(squares.size()) - 1;
  if (!(squares[most] <= worthwhile * squares[0])) return 1;
  for (int cells = fewest_cells; cells < most; cells *= 2) {
    if (squares[cells] <= tight * squares[most]) return cells;
  }
  return most;
}

/// Seeds and refines. @returns the number of cells; `centres` holds their centres, or nothing for one.
int find_centres(const Work& work, const float* mean, int most, bool exactly, const Buffer<float>& centres) {
  const int count = static_cast<int>(std::min<std::size_t>(work.n, seeded_points));
  const Buffer<double> squares(static_cast<std::size_t>(most) + 1);
  seed<<<1, seed_threads>>>(work.x, work.n / count, count, work.d, mean, most, centres.get(), squares.get());
  check_launch("fused: seed");
  std::vector<double> left(squares.size());
  squares.read(left.data(), left.size());
  const int cells = exactly ? most : worthwhile_cells(left);
  if (cells == 1) return 1;
  const int refined = static_cast<int>(std::min<std::size_t>(work.n, refined_points));
  const Buffer<unsigned char> cell_of(static_cast<std::size_t>(refined));
  for (int round = 0; round < refinements; round++) {
    enqueue_assign_cells(work, work.n / refined, refined, centres.get(), cells, cell_of.get());
    average<<<static_cast<unsigned>(cells), threads>>>(work.x, work.n / refined, refined, work.d, cell_of.get(), centres.get());
    check_launch("fused: average");
  }
  return cells;
}

/// Items of cells that have so many points each.
std::vector<Item> items_of(const std::vector<std::size_t>& sizes) {
  std::vector<Item> items;
  std::size_t first = 0;
  for (std::size_t cell = 0; cell < sizes.size(); cell++) {
    for (std::size_t at = 0; at < sizes[cell]; at += item_points) {
      items.push_back({static_cast<unsigned>(cell), static_cast<unsigned>(first + at),
                       static_cast<unsigned>(std::min<std::size_t>(item_points, sizes[cell] - at))});
    }
    first += sizes[cell];
  }
  return items;
}

/// Orders the points by cell, rows of a cell in their order. @returns the cells' sizes.
std::vector<std::size_t> order_rows(const Work& work, int cells, const float* centres, Buffer<unsigned>& rows) {
  const Buffer<unsigned char> cell_of(work.n);
  enqueue_assign_cells(work, 1, work.n, centres, cells, cell_of.get());
  std::vector<unsigned char> here(work.n);
  cell_of.read(here.data(), work.n);
  std::vector<std::size_t> sizes(static_cast<std::size_t>(cells)), next(static_cast<std::size_t>(cells));
  for (const unsigned char cell : here) sizes[cell]++;
  for (std::size_t cell = 1; cell < next.size(); cell++) next[cell] = next[cell - 1] + sizes[cell - 1];
  std::vector<unsigned> order(work.n);
  for (std::size_t i = 0; i < work.n; i++) order[next[here[i]]++] = static_cast<unsigned>(i);
  rows = Buffer<unsigned>(order);
  return sizes;
}

/// The cell of each centroid. A block a cluster, whose warps share the cells.
__global__ void __launch_bounds__(threads) place_clusters(Pass pass, Work work) {
  __shared__ unsigned long long nearest[threads / 32];
  if (*pass.halted != 0) return;
  const float* centroid = pass.centroids + static_cast<size_t>(blockIdx.x) * work.d;
  unsigned long long key = ~0ull;
#pragma unroll 4
  for (int cell = threadIdx.x / 32; cell < work.cells; cell += threads / 32) {
    const float distance = squared_distance(centroid, work.centres + static_cast<size_t>(cell) * work.d, work.d);
    key = min(key, key_of(distance, static_cast<unsigned>(cell)));
  }
  if (threadIdx.x % 32 == 0) nearest[threadIdx.x / 32] = key;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned long long other : nearest) key = min(key, other);
  work.cluster_cells[blockIdx.x] = static_cast<unsigned char>(cluster_of(key));
}

/// Clusters by cell, in their order inside each: every warp looks at all clusters for some of the cells. One block.
__global__ void __launch_bounds__(seed_threads) arrange_clusters(Pass pass, Work work) {
  constexpr int warps = seed_threads / 32;
  __shared__ unsigned starts[256];
  if (*pass.halted != 0) return;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const auto members = [&](int cell, int base) {
    return __ballot_sync(full_warp, base + lane < pass.k && work.cluster_cells[base + lane] == cell);
  };
  for (int cell = warp; cell < work.cells; cell += warps) {
    unsigned count = 0;
#pragma unroll 8
    for (int base = 0; base < pass.k; base += 32) count += static_cast<unsigned>(__popc(members(cell, base)));
    if (lane == 0) starts[cell] = count;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned start = 0;
    for (int cell = 0; cell < work.cells; cell++) {
      const unsigned count = starts[cell];
      starts[cell] = start;
      start += count;
    }
  }
  __syncthreads();
  for (int cell = warp; cell < work.cells; cell += warps) {
    unsigned start = starts[cell];
#pragma unroll 8
    for (int base = 0; base < pass.k; base += 32) {
      const unsigned all = members(cell, base);
      if (all >> lane & 1) {
        const unsigned place = start + static_cast<unsigned>(__popc(all & ((1u << lane) - 1)));
        work.cluster_order[place] = static_cast<unsigned>(base + lane);
        work.cluster_places[base + lane] = place;
      }
      start += static_cast<unsigned>(__popc(all));
    }
  }
}

__device__ inline float least_of_warp(float value) {
  for (int step = 16; step > 0; step /= 2) value = fminf(value, __shfl_xor_sync(full_warp, value, step));
  return value;
}

/// A block a cell, a warp a tile: with R the cell's radius, some centroid lies within the least |z| + R of every point, and
/// those of a tile are no nearer than their least |z| - R.
__global__ void __launch_bounds__(threads) choose_tiles(Pass pass, Work work) {
  __shared__ float nearest[threads / 32];
  if (*pass.halted != 0) return;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned cell = blockIdx.x;
  const float* norms = work.cluster_norms_in(cell);
  const int tiles = tiles_of(pass.k);
  float least = INFINITY;
  for (int place = threadIdx.x; place < pass.k; place += threads) least = fminf(least, norms[place]);
  least = least_of_warp(least);
  if (lane == 0) nearest[warp] = least;
  __syncthreads();
  if (warp != 0) return;
  for (float other : nearest) least = fminf(least, other);
  const float radius = work.cell_radii[cell];
  const float reach = spare * (least + radius);
  // Computed distances are off by what underflow takes, too: next to nothing is left out where that matters.
  const bool certain = 0.01f * reach * reach > static_cast<float>(work.bound.underflow);
  unsigned count = 0;
  for (int tile = 0; tile < tiles; tile++) {
    float own = INFINITY;
    for (int at = lane; at < tile_clusters; at += 32) own = fminf(own, norms[tile * tile_clusters + at]);
    if (least_of_warp(own) - radius > reach && certain) continue;
    if (lane == 0) work.tile_lists[cell * static_cast<unsigned>(tiles_of(work.k)) + count] = static_cast<unsigned>(tile);
    count++;
  }
  if (lane == 0) work.tile_counts[cell] = count;
}

}  // namespace

void enqueue_choose_tiles(const Work& work, const Pass& pass) {
  choose_tiles<<<static_cast<unsigned>(work.cells), threads, 0, pass.stream>>>(pass, work);
  check_launch("fused: choose_tiles");
}

void enqueue_arrange(const Work& work, const Pass& pass) {
  place_clusters<<<static_cast<unsigned>(pass.k), threads, 0, pass.stream>>>(pass, work);
  check_launch("fused: place_clusters");
  arrange_clusters<<<1, seed_threads, 0, pass.stream>>>(pass, work);
  check_launch("fused: arrange_clusters");
}

Cells make_cells(Work& work, const float* mean, int most, bool exactly) {
  Cells made;
  made.centres = Buffer<float>(static_cast<std::size_t>(most) * work.d);
  work.cells = most < fewest_cells && !exactly ? 1 : find_centres(work, mean, most, exactly, made.centres);
  std::vector<std::size_t> sizes{work.n};
  if (work.cells > 1) {
    sizes = order_rows(work, work.cells, made.centres.get(), made.rows);
    const std::size_t k = static_cast<std::size_t>(work.k);
    made.cluster_order = Buffer<unsigned>(k);
    made.cluster_places = Buffer<unsigned>(k);
    made.cluster_cells = Buffer<unsigned char>(k);
    const std::size_t cells = static_cast<std::size_t>(work.cells), tiles = static_cast<std::size_t>(tiles_of(work.k));
    made.radii = Buffer<float>(cells);
    made.radii.clear(nullptr);
    made.cluster_norms = Buffer<float>(cells * tiles * tile_clusters);
    made.tile_lists = Buffer<unsigned>(cells * tiles);
    made.tile_counts = Buffer<unsigned>(cells);
  } else {
    check(cudaMemcpy(made.centres.get(), mean, sizeof(float) * work.d, cudaMemcpyDeviceToDevice), "cudaMemcpy");
  }
  const std::vector<Item> items = items_of(sizes);
  made.items = Buffer<Item>(items);
  work.item_count = static_cast<unsigned>(items.size());
  work.items = made.items.get();
  work.centres = made.centres.get();
  work.rows = made.rows.get();
  work.cell_radii = made.radii.get();
  work.cluster_norms = made.cluster_norms.get();
  work.tile_lists = made.tile_lists.get();
  work.tile_counts = made.tile_counts.get();
  work.cluster_order = made.cluster_order.get();
  work.cluster_places = made.cluster_places.get();
  work.cluster_cells = made.cluster_cells.get();
  return made;
}

}  // namespace centroid_lab::cuda::high
