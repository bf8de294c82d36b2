// The filter by mma.sync, for cards from compute capability 8.0 and any number of features: 128 points by 128 clusters
// a block, 32 by 64 a warp.
#include <cuda_pipeline_primitives.h>

#include "check.hpp"
#include "best_groups.cuh"

namespace centroid_lab::cuda::matrix_filter {
namespace {

constexpr int threads = 256;
constexpr int block_points = 128;
/// Steps along the features between two barriers.
constexpr int stage_steps = 2;
constexpr int step_words = tile_clusters * step_features * 2 / 16;
constexpr int stage_words = stage_steps * step_words;
constexpr int stages = 4;
constexpr int warp_columns = 8;
/// Warps that share points, each with half of the columns.
constexpr int column_parts = 2;

__device__ inline void multiply(float (&sums)[4], const uint4& a, unsigned b0, unsigned b1) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b0), "r"(b1));
#endif
}

/// Groups of 32 columns from their products, for two points.
__device__ inline void offer_groups(Best& upper, Best& lower, const float (*sums)[4], const float* half_norms,
                                    unsigned index, unsigned mask) {
  float first[group_size], second[group_size], starts[group_size], first_scores[group_size], second_scores[group_size];
#pragma unroll
  for (int member = 0; member < group_size; member++) {
    starts[member] = half_norms[member];
    first[member] = sums[member / 2][member % 2];
    second[member] = sums[member / 2][2 + member % 2];
    first_scores[member] = starts[member] + first[member];
    second_scores[member] = starts[member] + second[member];
  }
  upper.offer(min_of(first_scores, index, mask), starts, first);
  lower.offer(min_of(second_scores, index, mask), starts, second);
}

__global__ void __launch_bounds__(threads, 2) filter_fragments(Pass pass, Work work, int tiles) {
  __shared__ uint4 ring[stages][stage_words];
  __shared__ Judged halves[column_parts][block_points];
  if (*pass.halted != 0) return;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int row_part = warp % 4, column_part = warp / 4;
  constexpr unsigned parts = item_points / block_points;
  const Item item = work.items[blockIdx.x / parts];
  const int base = static_cast<int>(blockIdx.x % parts) * block_points;
  if (!is_wanted(item, base, block_points, pass)) return;
  const float* all_half_norms = work.half_norms_in(item.cell);
  const uint4* points[2];
  for (int i = 0; i < 2; i++) {
    const size_t tile = static_cast<size_t>(blockIdx.x) * (block_points / 16) + row_part * 2 + i;
    points[i] = work.fragments + tile * work.steps * 32 + lane;
  }
  const int tile_stages = work.steps / stage_steps;
  const int total = static_cast<int>(work.tile_count(item.cell, tiles)) * tile_stages;
  const uint4* image = reinterpret_cast<const uint4*>(work.tiles_in(item.cell));
  int next_number = 0, next_in_tile = 0;
  const auto fetch = [&](int stage) {
    if (stage < total) {
      const size_t next = static_cast<size_t>(work.tile_at(item.cell, static_cast<unsigned>(next_number))) * tile_stages;
      const uint4* from = image + (next + next_in_tile) * stage_words;
      for (int at = threadIdx.x; at < stage_words; at += threads) {
        __pipeline_memcpy_async(&ring[stage % stages][at], from + at, 16);
      }
      if (++next_in_tile == tile_stages) next_in_tile = 0, next_number++;
    }
    __pipeline_commit();
  };
  for (int stage = 0; stage < stages - 1; stage++) fetch(stage);

  Best best[4];
  float sums[2][warp_columns][4] = {};
  int in_tile = 0;
  unsigned number = 0;
  for (int stage = 0; stage < total; stage++) {
    uint4 a[stage_steps][2];
#pragma unroll
    for (int step = 0; step < stage_steps; step++) {
      for (int i = 0; i < 2; i++) a[step][i] = __ldg(points[i] + (in_tile * stage_steps + step) * 32);
    }
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    fetch(stage + stages - 1);
    const uint4* b = ring[stage % stages] + column_part * 4 * 32 + lane;
#pragma unroll
    for (int step = 0; step < stage_steps; step++) {
#pragma unroll
      for (int pair = 0; pair < warp_columns / 2; pair++) {
        const uint4 columns = b[step * step_words + pair * 32];
#pragma unroll
        for (int i = 0; i < 2; i++) {
          multiply(sums[i][2 * pair], a[step][i], columns.x, columns.y);
          multiply(sums[i][2 * pair + 1], a[step][i], columns.z, columns.w);
        }
      }
    }
    if (++in_tile < tile_stages) continue;
    const int tile = static_cast<int>(work.tile_at(item.cell, number++));
#pragma unroll
    for (int part = 0; part < 2; part++) {
      const int quarter = column_part * 2 + part;
      float half_norms[group_size];
      const float* from = all_half_norms + tile * tile_clusters + (quarter * 4 + lane % 4) * group_size;
#pragma unroll
      for (int member = 0; member < group_size; member++) half_norms[member] = __ldg(from + member);
      const unsigned index = static_cast<unsigned>(tile * 4 + quarter) * index_step;
      for (int i = 0; i < 2; i++) {
        offer_groups(best[2 * i], best[2 * i + 1], sums[i] + part * 4, half_norms, index, work.index_mask);
      }
    }
#pragma unroll
    for (int at = 0; at < 2 * warp_columns * 4; at++) sums[at / 32][at / 4 % 8][at % 4] = 0;
    in_tile = 0;
  }
  __pipeline_wait_prior(0);

#pragma unroll
  for (int i = 0; i < 4; i++) {
    write_judged(best[i], &halves[column_part][row_part * 32 + i / 2 * 16 + i % 2 * 8 + lane / 4]);
  }
  __syncthreads();
  if (threadIdx.x >= block_points) return;
  const int own = static_cast<int>(threadIdx.x);
  const Known known[1] = {know(point_of(item, base + own), pass, work)};
  Judged& found = halves[0][own];
  const Merged& other = halves[1][own].best;
  if (other.first < found.best.first) {
#pragma unroll
    for (int i = 0; i < group_size; i++) found.members[i] = halves[1][own].members[i];
  }
  found.best.merge(other);
  const Judged* const of[1] = {&found};
  const unsigned segment = blockIdx.x % work.segments;
  label_or_list(of, known, item.cell, item.cell, width_of_centroids(work), work.listed + segment, segment, pass, work);
}

}  // namespace

void enqueue_filter_fragments(const Work& work, const Pass& pass) {
  const unsigned blocks = work.item_count * (item_points / block_points);
  filter_fragments<<<blocks, threads, 0, pass.stream>>>(pass, work, tiles_of(pass.k));
  check_launch("fused: filter_fragments");
}

}  // namespace centroid_lab::cuda::matrix_filter
