// The filter by wgmma, for compute capability 9.0: each warpgroup has 64 points, tiles of 128 clusters come through a ring in shared
// memory by bulk copies. Up to 64 features of the points stay in registers, up to 128 in shared memory; with more, a piece of the points
// comes along with each piece of a tile.
#include <algorithm>

#include "check.hpp"
#include "dynamic_shared.hpp"
#include "launch_early.cuh"
#include "best_groups.cuh"

namespace centroid_lab::cuda::matrix_filter {
namespace {

/// Steps whose points stay in registers, and in shared memory; with more, steps of a piece.
constexpr int max_held_steps = 4, max_steps = 8, piece_steps = 4;
/// For a kernel of so many steps: those of pieces.
constexpr int in_pieces = 0;
/// Of a step of 128 clusters, and of sixteen points.
constexpr unsigned image_step_bytes = step_features * tile_clusters * 2, point_step_bytes = 16 * step_features * 2;
constexpr int group_threads = 128;
constexpr int half_norm_bytes = tile_clusters * 4;
constexpr int max_stages = 8;
/// Parts whose points are in shared memory or on their way there, at most.
constexpr int max_parts = 4;

/// Three warpgroups multiply; of the fourth, one warp copies and three label points.
constexpr int warpgroups = 3;
constexpr int block_threads = (warpgroups + 1) * group_threads;
/// Points of a block at a time.
constexpr int part_points = warpgroups * 64;
static_assert(part_points == core_part_points);

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

constexpr int warps = warpgroups * 4;
constexpr int judges = 3;
constexpr int item_parts = item_points / part_points;
/// Distance of cores next to each other along features and along clusters: 8 clusters by 16 bytes each.
constexpr unsigned long long core_bytes = 128;
constexpr unsigned long long feature_stride = 16 * core_bytes;

__device__ inline unsigned address_of(const void* shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}

__device__ inline void wait(const unsigned long long* barrier, unsigned parity) {
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
      "@done bra over;\n"
      "bra again;\n"
      "over:\n"
      "}\n" ::"r"(address_of(barrier)),
      "r"(parity)
      : "memory");
}

__device__ inline void arrive(const unsigned long long* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address_of(barrier)) : "memory");
}

__device__ inline void copy(void* to, const void* from, unsigned bytes, const unsigned long long* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(address_of(to)),
      "l"(from), "r"(bytes), "r"(address_of(barrier))
      : "memory");
}

/// Clusters of a step as wgmma finds them: rows of 16 bytes, eight to a core, no swizzle.
__device__ inline unsigned long long describe(const void* step) {
  return (static_cast<unsigned long long>(address_of(step)) >> 4) | feature_stride / 16 << 16 | core_bytes / 16 << 32;
}

/// sums (64 points, 128 clusters) = a b, or + a b.
__device__ inline void multiply(float (&s)[64], const uint4& a, unsigned long long b, int add) {
  asm volatile(
      "{\n"
      ".reg .pred add;\n"
      "setp.ne.b32 add, %69, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, "
      "{%64, %65, %66, %67}, %68, add, 1, 1, 0;\n"
      "}\n"
      : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3]), "+f"(s[4]), "+f"(s[5]), "+f"(s[6]), "+f"(s[7]), "+f"(s[8]),
        "+f"(s[9]), "+f"(s[10]), "+f"(s[11]), "+f"(s[12]), "+f"(s[13]), "+f"(s[14]), "+f"(s[15]), "+f"(s[16]),
        "+f"(s[17]), "+f"(s[18]), "+f"(s[19]), "+f"(s[20]), "+f"(s[21]), "+f"(s[22]), "+f"(s[23]), "+f"(s[24]),
        "+f"(s[25]), "+f"(s[26]), "+f"(s[27]), "+f"(s[28]), "+f"(s[29]), "+f"(s[30]), "+f"(s[31]), "+f"(s[32]),
        "+f"(s[33]), "+f"(s[34]), "+f"(s[35]), "+f"(s[36]), "+f"(s[37]), "+f"(s[38]), "+f"(s[39]), "+f"(s[40]),
        "+f"(s[41]), "+f"(s[42]), "+f"(s[43]), "+f"(s[44]), "+f"(s[45]), "+f"(s[46]), "+f"(s[47]), "+f"(s[48]),
        "+f"(s[49]), "+f"(s[50]), "+f"(s[51]), "+f"(s[52]), "+f"(s[53]), "+f"(s[54]), "+f"(s[55]), "+f"(s[56]),
        "+f"(s[57]), "+f"(s[58]), "+f"(s[59]), "+f"(s[60]), "+f"(s[61]), "+f"(s[62]), "+f"(s[63])
      : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "l"(b), "r"(add));
}

/// Where in the ring, and how often it has gone round.
struct Turn {
  int stage = 0;
  unsigned parity = 0;

  __device__ void advance(int stages) {
    if (++stage < stages) return;
    stage = 0;
    parity ^= 1;
  }
};

/// Four groups of a tile, for the thread's two points.
template <int quarter>
__device__ __forceinline__ void offer_quarter(Best& upper, Best& lower, const float (&sums)[64], const float* half_norms, int tile,
                                              unsigned mask) {
  const float4* from = reinterpret_cast<const float4*>(half_norms + (quarter * 4 + threadIdx.x % 4) * group_size);
  const float4 low = from[0], high = from[1];
  const float norms[group_size] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
  float first[group_size], second[group_size], first_scores[group_size], second_scores[group_size];
#pragma unroll
  for (int member = 0; member < group_size; member++) {
    const int at = (quarter * 4 + member / 2) * 4 + member % 2;
    first[member] = sums[at];
    second[member] = sums[at + 2];
    first_scores[member] = norms[member] + first[member];
    second_scores[member] = norms[member] + second[member];
  }
  const unsigned index = static_cast<unsigned>(tile * 4 + quarter) * index_step;
  upper.offer(min_of(first_scores, index, mask), norms, first);
  lower.offer(min_of(second_scores, index, mask), norms, second);
}

/// All groups of a tile; of the last one those that clusters stand in, four at a time.
__device__ inline void offer_tile(Best& upper, Best& lower, const float (&sums)[64], const float* half_norms, int tile, int k,
                                  unsigned mask) {
  constexpr int clusters = tile_clusters / 4;
  const int rest = k - tile * tile_clusters;
  if (rest > 2 * clusters) {
    offer_quarter<0>(upper, lower, sums, half_norms, tile, mask);
    offer_quarter<1>(upper, lower, sums, half_norms, tile, mask);
    offer_quarter<2>(upper, lower, sums, half_norms, tile, mask);
    offer_quarter<3>(upper, lower, sums, half_norms, tile, mask);
  } else {
    offer_quarter<0>(upper, lower, sums, half_norms, tile, mask);
    if (rest > clusters) offer_quarter<1>(upper, lower, sums, half_norms, tile, mask);
  }
}

constexpr unsigned last_tile = 1u << 31, no_tile = ~0u;

/// What the warps of a block tell each other.
struct Barriers {
  /// A stage of the ring is there; has been used by all warps that multiply.
  unsigned long long full[max_stages], empty[max_stages];
  /// Tile of a stage, with `last_tile` where no other of its part follows; or `no_tile` where no part does.
  unsigned tiles[max_stages];
  /// The points of parts in turn; what their scores came to, of two.
  unsigned long long points_full[max_parts], points_empty[max_parts];
  unsigned long long best_full[2], best_empty[2];
};

__device__ inline void initialise(const unsigned long long* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_of(barrier)), "r"(arrivals));
}

__device__ inline void expect(const unsigned long long* barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address_of(barrier)), "r"(bytes) : "memory");
}

__device__ inline unsigned list_of(unsigned part, const Item& item, const Work& work) {
  return work.lists_by_part ? part : item.cell;
}

__device__ inline unsigned parts_of(const Work& work) { return work.item_count * item_parts; }

/// Where a part lies in its item.
struct ItemSlot {
  Item item;
  int slot;
};

__device__ inline ItemSlot slot_of_part(unsigned part, const Work& work) {
  return {work.items[part / item_parts], static_cast<int>(part % item_parts) * part_points};
}

/// The first of a block's parts from `part` on that the pass wants.
__device__ inline unsigned next_part(unsigned part, const Pass& pass, const Work& work) {
  for (; part < parts_of(work); part += gridDim.x) {
    const ItemSlot at = slot_of_part(part, work);
    if (is_wanted(at.item, at.slot, part_points, pass)) break;
  }
  return part;
}

/// The parts of a block that the pass wants, in their order.
template <class Use>
__device__ inline void for_each_part(const Pass& pass, const Work& work, const Use& use) {
  for (unsigned part = next_part(blockIdx.x, pass, work); part < parts_of(work); part = next_part(part + gridDim.x, pass, work)) {
    use(part, slot_of_part(part, work).item);
  }
}

#endif

/// Shared memory of a block: a ring of tiles or pieces of them, the points of parts, what is found of two of them.
__host__ __device__ constexpr unsigned image_bytes_for(int steps) { return (steps == in_pieces ? piece_steps : steps) * image_step_bytes; }
__host__ __device__ constexpr unsigned stage_bytes_for(int steps) {
  const unsigned points = steps == in_pieces ? part_points / 16 * piece_steps * point_step_bytes : 0;
  return image_bytes_for(steps) + half_norm_bytes + points;
}
__host__ __device__ constexpr unsigned points_bytes_for(int steps) { return part_points / 16 * steps * point_step_bytes; }
/// With few features and clusters a part is soon done: as much more is on its way as memory takes to answer.
__host__ __device__ constexpr int parts_for(int steps) {
  return steps == in_pieces ? 0 : steps <= 2 ? max_parts : steps <= max_held_steps ? 3 : 2;
}
constexpr unsigned judged_bytes = 2 * part_points * sizeof(Judged);

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

/// `Count` steps of a warp's sixteen points and of the tile; waits for the products.
template <int Count>
__device__ inline void multiply_steps(float (&sums)[64], const uint4 (&a)[Count], const unsigned char* image, bool add) {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
  for (int step = 0; step < Count; step++) multiply(sums, a[step], describe(image + step * image_step_bytes), step > 0 || add);
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  // Keeps the compiler from reading sums before they are there.
#pragma unroll
  for (int at = 0; at < 64; at++) asm volatile("" : "+f"(sums[at])::"memory");
}

template <int Count>
__device__ inline void load_steps(uint4 (&a)[Count], const uint4* from) {
#pragma unroll
  for (int step = 0; step < Count; step++) a[step] = from[step * 32];
}

/// A tile of all steps, the points in shared memory.
template <int steps>
__device__ inline void multiply_shared(float (&sums)[64], const uint4* points, const unsigned char* image) {
  constexpr int rest = steps - max_held_steps;
  uint4 first[max_held_steps], second[rest];
  load_steps(first, points);
  multiply_steps(sums, first, image, false);
  load_steps(second, points + max_held_steps * 32);
  multiply_steps(sums, second, image + max_held_steps * image_step_bytes, true);
}

#endif

template <int steps>
__global__ void __launch_bounds__(block_threads, 1) filter_cores(Pass pass, Work work, int tiles, int stages) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  constexpr unsigned stage_bytes = stage_bytes_for(steps), image_bytes = image_bytes_for(steps), points_bytes = points_bytes_for(steps);
  constexpr bool are_held = steps != in_pieces && steps <= max_held_steps;
  constexpr int parts = parts_for(steps);
  extern __shared__ __align__(128) unsigned char ring[];
  __shared__ Barriers barriers;
  __shared__ Listed listed;
  let_next_begin();
  unsigned char* points = ring + stages * stage_bytes;
  Judged* kept = reinterpret_cast<Judged*>(points + parts * points_bytes);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int pieces = steps == in_pieces ? work.steps / piece_steps : 1;
  if (threadIdx.x == 0) {
    listed = {};
    for (int stage = 0; stage < stages; stage++) {
      initialise(barriers.full + stage, 1);
      initialise(barriers.empty + stage, warps * 32);
    }
    for (int turn = 0; turn < parts; turn++) {
      initialise(barriers.points_full + turn, 1);
      initialise(barriers.points_empty + turn, warps * 32);
    }
    for (int turn = 0; turn < 2; turn++) {
      initialise(barriers.best_full + turn, warps * 32);
      initialise(barriers.best_empty + turn, judges * 32);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  await_earlier();
  if (*pass.halted != 0) return;
  Turn turn, of_points;
  if (warp == warps) {
    if (lane != 0) return;
    for_each_part(pass, work, [&](unsigned part, const Item& item) {
      const unsigned char* fragments = reinterpret_cast<const unsigned char*>(work.fragments);
      if constexpr (parts > 0) {
        const unsigned long long* full = barriers.points_full + of_points.stage;
        wait(barriers.points_empty + of_points.stage, of_points.parity ^ 1);
        expect(full, points_bytes);
        copy(points + of_points.stage * points_bytes, fragments + static_cast<size_t>(part) * points_bytes, points_bytes, full);
        of_points.advance(parts);
      }
      const unsigned char* images = work.tiles_in(item.cell);
      const float* half_norms = work.half_norms_in(item.cell);
      // There is one, or points would have no centroid.
      const unsigned list = list_of(part, item, work), count = work.tile_count(list, tiles);
      for (unsigned number = 0; number < count; number++) {
        const unsigned tile = work.tile_at(list, number);
        for (int piece = 0; piece < pieces; piece++, turn.advance(stages)) {
          wait(barriers.empty + turn.stage, turn.parity ^ 1);
          barriers.tiles[turn.stage] = number + 1 < count ? tile : tile | last_tile;
          unsigned char* to = ring + turn.stage * stage_bytes;
          const unsigned long long* full = barriers.full + turn.stage;
          expect(full, stage_bytes);
          copy(to, images + (static_cast<size_t>(tile) * pieces + piece) * image_bytes, image_bytes, full);
          copy(to + image_bytes, half_norms + static_cast<size_t>(tile) * tile_clusters, half_norm_bytes, full);
          if constexpr (steps == in_pieces) {
            constexpr unsigned bytes = piece_steps * point_step_bytes, sixteens = part_points / 16;
            for (unsigned at = 0; at < sixteens; at++) {
              const size_t from = (static_cast<size_t>(part) * sixteens + at) * pieces + piece;
              copy(to + image_bytes + half_norm_bytes + at * bytes, fragments + from * bytes, bytes, full);
            }
          }
        }
      }
    });
    wait(barriers.empty + turn.stage, turn.parity ^ 1);
    barriers.tiles[turn.stage] = no_tile;
    arrive(barriers.full + turn.stage);
    return;
  }
  Turn half;
  if (warp > warps) {
    constexpr int each = part_points / (judges * 32);
    const int own = (warp - warps - 1) * 32 + lane;
    const float width = width_of_centroids(work);
    Known next[each];
    const auto look_ahead = [&](unsigned part) {
      const ItemSlot at = slot_of_part(part, work);
#pragma unroll
      for (int i = 0; i < each; i++) next[i] = know(point_of(at.item, at.slot + own + i * judges * 32), pass, work);
    };
    unsigned part = next_part(blockIdx.x, pass, work);
    if (part < parts_of(work)) look_ahead(part);
    while (part < parts_of(work)) {
      const Item item = slot_of_part(part, work).item;
      const unsigned list = list_of(part, item, work);
      Known known[each];
#pragma unroll
      for (int i = 0; i < each; i++) known[i] = next[i];
      // What is known of the next points is on its way while these are judged.
      part = next_part(part + gridDim.x, pass, work);
      if (part < parts_of(work)) look_ahead(part);
      wait(barriers.best_full + half.stage, half.parity);
      const Judged* from = kept + half.stage * part_points + own;
      const Judged* const of[each] = {from, from + judges * 32};
      label_or_list(of, known, item.cell, list, width, &listed, blockIdx.x, pass, work);
      arrive(barriers.best_empty + half.stage);
      half.advance(2);
    }
    asm volatile("bar.sync 1, %0;" ::"n"(judges * 32) : "memory");
    if (own == 0) work.listed[blockIdx.x] = listed;
    return;
  }
  // Others look for parts: of one after the other what stages say is all there is to know.
  const auto await_stage = [&] {
    wait(barriers.full + turn.stage, turn.parity);
    return barriers.tiles[turn.stage];
  };
  for (unsigned tile = await_stage(); tile != no_tile; tile = await_stage()) {
    const uint4* own = nullptr;
    uint4 a[are_held ? steps : piece_steps];
    if constexpr (parts > 0) {
      wait(barriers.points_full + of_points.stage, of_points.parity);
      own = reinterpret_cast<const uint4*>(points + of_points.stage * points_bytes) + warp * steps * 32 + lane;
    }
    if constexpr (are_held) load_steps(a, own);
    Best upper, lower;
    for (bool is_first = true, is_last = false; !is_last; is_first = false, turn.advance(stages)) {
      if (!is_first) tile = await_stage();
      is_last = (tile & last_tile) != 0;
      float sums[64];
      if constexpr (are_held) {
        multiply_steps(sums, a, ring + turn.stage * stage_bytes, false);
      } else if constexpr (parts > 0) {
        multiply_shared<steps>(sums, own, ring + turn.stage * stage_bytes);
      } else {
        for (int piece = 0; piece < pieces; piece++) {
          if (piece > 0) await_stage();
          const unsigned char* image = ring + turn.stage * stage_bytes;
          load_steps(a, reinterpret_cast<const uint4*>(image + image_bytes + half_norm_bytes) + warp * piece_steps * 32 + lane);
          multiply_steps(sums, a, image, piece > 0);
          if (piece + 1 == pieces) break;
          arrive(barriers.empty + turn.stage);
          turn.advance(stages);
        }
      }
      offer_tile(upper, lower, sums, reinterpret_cast<const float*>(ring + turn.stage * stage_bytes + image_bytes),
                 static_cast<int>(tile & ~last_tile), pass.k, work.index_mask);
      // Loads of half norms may wait long behind the matrix units' own: a lane gives its share of the stage back only when it
      // has what it asked for, which a look at results makes sure of. It is always so.
      const bool read = fmaxf(upper.first, lower.first) <= unseen;
      if (read) arrive(barriers.empty + turn.stage);
      if (parts > 0 && (are_held ? is_first : is_last) && read) arrive(barriers.points_empty + of_points.stage);
    }
    if constexpr (parts > 0) of_points.advance(parts);
    wait(barriers.best_empty + half.stage, half.parity ^ 1);
    Judged* to = kept + half.stage * part_points + warp * 16 + lane / 4;
    write_judged(upper, to);
    write_judged(lower, to + 8);
    arrive(barriers.best_full + half.stage);
    half.advance(2);
  }
#endif
}

using Kernel = void (*)(Pass, Work, int, int);

/// Steps that the kernel is made for.
int kind_of(const Work& work) { return work.steps <= max_steps ? work.steps : in_pieces; }

Kernel kernel_for(const Work& work) {
  static constexpr Kernel kernels[max_steps + 1] = {filter_cores<in_pieces>, filter_cores<1>, filter_cores<2>,
                                                     filter_cores<3>,         filter_cores<4>, filter_cores<5>,
                                                     filter_cores<6>,         filter_cores<7>, filter_cores<8>};
  return kernels[kind_of(work)];
}

/// Shared memory of a multiprocessor of compute capability 9.0 that a block may have, less the barriers'.
constexpr unsigned max_shared_bytes = (227u << 10) - 1024;

unsigned bytes_beside_ring(const Work& work) {
  const int kind = kind_of(work);
  return static_cast<unsigned>(parts_for(kind)) * points_bytes_for(kind) + judged_bytes;
}

int stages_for(const Work& work) {
  const unsigned rest = max_shared_bytes - bytes_beside_ring(work);
  return static_cast<int>(std::min<unsigned>(max_stages, rest / stage_bytes_for(kind_of(work))));
}

std::size_t shared_bytes(const Work& work) {
  return static_cast<unsigned>(stages_for(work)) * stage_bytes_for(kind_of(work)) + bytes_beside_ring(work);
}

}  // namespace

bool prepare_filter_cores(Work& work, const cudaDeviceProp& device) {
  if (device.major != 9 || device.minor != 0) return false;
  if (work.steps > max_steps) work.steps = (work.steps + piece_steps - 1) / piece_steps * piece_steps;
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel_for(work)), "cudaFuncGetAttributes");
  // Built for plain 9.0 or from PTX of another architecture the kernel is empty.
  if (attributes.binaryVersion != 90 || attributes.numRegs < 64) return false;
  allow_dynamic_shared(kernel_for(work), shared_bytes(work));
  return true;
}

void enqueue_filter_cores(const Work& work, const Pass& pass) {
  const Kernel kernel = kernel_for(work);
  launch_in_turn(work.is_early, kernel, work.segments, block_threads, shared_bytes(work), pass.stream, pass, work, tiles_of(pass.k),
                 stages_for(work));
}

}  // namespace centroid_lab::cuda::matrix_filter
