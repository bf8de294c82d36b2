// The pass by tiles: threads look at headers, warps at the leads of tiles that may have changed, and at their points where
// leads are used up; a tile with many candidates is shared by the warps of a block.
#include <algorithm>

#include "check.hpp"
#include "leads.cuh"
#include "visit.cuh"

namespace centroid_lab::cuda {
namespace {

constexpr int threads = 256;
/// Above so many changed points of a tile they are added up by label before they go to the sums.
constexpr int max_singles = 10;
/// Above so many candidates all warps of a block compare them.
constexpr int max_narrow = 24;

/// What a warp has done.
struct Tally {
  unsigned changed = 0;
  unsigned searches = 0;
  unsigned candidates = 0;
  unsigned visits = 0;
};

/// What holds for all tiles of a pass.
struct Conditions {
  float largest_shift;
  bool fresh;
  /// Only looked at to see what tiles would cost: no sums, no labels handed out.
  bool pilots;
  /// The labels of every tile are to be left behind.
  bool all;
};

/// Whether a centroid whose lead is used up must be compared: where neither it nor a label of the tile has moved since it
/// was compared last, the outcome is the same.
__device__ bool must_compare(const TileArguments& to, const Conditions& when, int c, float own) {
  return when.fresh || own > 0 || to.shift[c] > 0;
}

/// Renews leads that are used up by the ball of the tile, where that is enough. @returns how many candidates are left;
/// `lead` gets the smallest of the other leads.
template <int D>
__device__ int renew_leads(const TileArguments& to, int k, const Visit& visit, const Conditions& when, float own, int anchor,
                           float& lead, Tally& tally) {
  Ball<D> ball(to, visit.tile);
  ball.take_anchor(to, anchor);
  const Exclusion exclusion(to, to.radii[visit.tile], ball.to_anchor(to));
  int left = 0;
  lead = INFINITY;
  for (int base = 0; base < k; base += 32) {
    const int c = min(base + static_cast<int>(threadIdx.x % 32), k - 1);
    float its_lead = when.fresh ? -INFINITY : lead_now(to, visit, c);
    bool is_used_up = !(its_lead > 0);
    if (__any_sync(whole_warp, is_used_up && must_compare(to, when, c, own))) {
      float from_centre, from_anchor;
      ball.measure(to, c, from_centre, from_anchor);
      const float renewed = exclusion.lead(from_centre, from_anchor);
      if (is_used_up || renewed > its_lead) {
        its_lead = renewed > 0 ? renewed : -INFINITY;
        visit.leads[c] = kept_lead(to, visit, c, its_lead);
        is_used_up = !(renewed > 0);
      }
      tally.searches++;
    }
    lead = fminf(lead, its_lead);
    const bool stays = is_used_up && must_compare(to, when, c, own) && base + static_cast<int>(threadIdx.x % 32) < k;
    left += __popc(__ballot_sync(whole_warp, stays));
  }
  lead = smallest_of_warp(lead);
  return left;
}

/// Compares the candidates among every `stride`-th 32 centroids from `first` on with the points of the tile.
template <int D>
__device__ void compare(const TileArguments& to, int k, const Visit& visit, const Conditions& when, float own, int anchor,
                        int first, int stride, Search& search, Tally& tally) {
  TilePoints<D> points(to, visit.tile);
#pragma unroll
  for (int p = 0; p < points_per_lane; p++) {
    const std::size_t i = visit.tile * tile_points + p * 32 + threadIdx.x % 32;
    const int label = when.fresh ? anchor : i < to.n ? to.labels[i] : 0;
    search.begin(to, p, i < to.n, label, points.distance_to(to, p, label));
  }
  for (int base = 32 * first; base < k; base += 32 * stride) {
    const int c = base + static_cast<int>(threadIdx.x % 32);
    const bool stays = c < k && !(lead_now(to, visit, c) > 0) && must_compare(to, when, c, own);
    unsigned candidates = __ballot_sync(whole_warp, stays);
    tally.candidates += __popc(candidates);
    for (; candidates != 0; candidates &= candidates - 1) points.offer(to, visit, base + __ffs(candidates) - 1, search);
  }
  points.finish(to, visit, search);
}

/// The labels that a tile has now, for its header.
__device__ void name_labels(const bool (&is_point)[points_per_lane], const int (&labels)[points_per_lane], TileHeader& header) {
  unsigned open = 0;
#pragma unroll
  for (int p = 0; p < points_per_lane; p++) open |= is_point[p] ? 1U << p : 0U;
  for (int at = 0; at < max_named; at++) {
    const unsigned lanes = __ballot_sync(whole_warp, open != 0);
    header.labels[at] = no_label;
    if (lanes == 0) continue;
    int mine = 0;
#pragma unroll
    for (int p = points_per_lane - 1; p >= 0; p--) mine = (open >> p & 1) != 0 ? labels[p] : mine;
    const int label = __shfl_sync(whole_warp, mine, __ffs(lanes) - 1);
    header.labels[at] = static_cast<std::uint16_t>(label);
#pragma unroll
    for (int p = 0; p < points_per_lane; p++) open &= labels[p] == label ? ~(1U << p) : ~0U;
  }
  if (__any_sync(whole_warp, open != 0)) header.labels[0] = many_labels;
}

/// Stores the labels found, and moves the points that changed. @returns whether any did.
__device__ bool resolve_labels(const TileArguments& to, const Pass& pass, const Visit& visit, const Conditions& when,
                       const Search& search, TileHeader& header, Tally& tally) {
  const int lane = threadIdx.x % 32;
  int old[points_per_lane];
  bool moves[points_per_lane], is_point[points_per_lane];
  int moved = 0;
#pragma unroll
  for (int p = 0; p < points_per_lane; p++) {
    const std::size_t i = visit.tile * tile_points + p * 32 + lane;
    is_point[p] = i < to.n;
    moves[p] = is_point[p] && (when.fresh || search.nearest[p] != search.label[p]);
    old[p] = when.fresh ? -1 : search.label[p];
    if (moves[p]) {
      to.labels[i] = static_cast<std::uint16_t>(search.nearest[p]);
      // The point counts for the label that it leaves from now on.
      if (search.nearest[p] != search.label[p]) visit.leads[search.label[p]] = -INFINITY;
      if (pass.labels != nullptr && !when.pilots && !when.all) {
        tally.changed += note_label(pass, to.order[i], search.nearest[p]);
      }
    }
    moved += __popc(__ballot_sync(whole_warp, moves[p]));
  }
  if (moved == 0) return false;
  name_labels(is_point, search.nearest, header);
  if (when.pilots) return true;
  const float* points = to.points + visit.tile * to.d * tile_points;
  if (moved <= max_singles) {
    move_singly(to, pass, points, moves, old, search.nearest);
  } else {
    move_together(to, pass, points, moves, search.nearest, 1);
    if (!when.fresh) move_together(to, pass, points, moves, old, -1);
  }
  return true;
}

/// Leaves the labels of a tile behind, whether or not they changed.
__device__ void note_labels(const TileArguments& to, const Pass& pass, std::size_t tile, Tally& tally) {
  for (std::size_t i = tile * tile_points + threadIdx.x % 32; i < min(to.n, (tile + 1) * tile_points); i += 32) {
    tally.changed += note_label(pass, to.order[i], to.labels[i]);
  }
}

/// The largest shift of the labels of a tile.
__device__ float own_shift(const TileArguments& to, const TileHeader& header, const Conditions& when) {
  if (when.fresh) return 0;
  if (header.labels[0] == many_labels) return when.largest_shift;
  float shift = 0;
  for (const std::uint16_t label : header.labels) {
    if (label != no_label) shift = fmaxf(shift, to.shift[label]);
  }
  return shift;
}

/// Whether the leads of a tile must be looked at, by one thread; notes how its labels have moved.
__device__ bool is_open(const TileArguments& to, std::size_t tile, const Conditions& when) {
  if (when.fresh) {
    to.headers[tile].drift = 0;
    return true;
  }
  TileHeader header = to.headers[tile];
  if (when.largest_shift == 0) return when.all;
  const float own = own_shift(to, header, when);
  header.drift = __fadd_ru(header.drift, own);
  header.gap = __fsub_rd(header.gap, __fadd_ru(own, when.largest_shift));
  to.headers[tile] = header;
  return !(header.gap > 0) || when.all;
}

/// What the warps of a block share.
struct Shared {
  unsigned opened;
  unsigned next;
  unsigned widened;
  unsigned open[threads];
  unsigned wide[threads];
  /// Distance and cluster of the nearest candidate of each point so far.
  unsigned long long keys[tile_points];
  /// A bit for each point whose nearest is in doubt.
  unsigned doubtful[points_per_lane];
};

/// The centroid that all others are compared with by the ball.
template <int D>
__device__ int anchor_of(const TileArguments& to, const Pass& pass, std::size_t tile, const Conditions& when) {
  if (!when.fresh) return to.labels[tile * tile_points];
  Ball<D> ball(to, tile);
  return first_anchor<D>(to, pass.k, ball);
}

/// The end of a visit, by one warp.
__device__ void conclude(const TileArguments& to, const Pass& pass, const Visit& visit, const Conditions& when,
                         Search& search, TileHeader header, float lead, Tally& tally) {
  __syncwarp();
  const TieMargin margin(to.d);
  unsigned doubts = 0;
#pragma unroll
  for (int p = 0; p < points_per_lane; p++) doubts |= margin.is_doubtful(search.smallest[p], search.gap[p]) ? 1U << p : 0;
  if (__any_sync(whole_warp, doubts != 0)) {
    PackedLabels<16> labels;
#pragma unroll
    for (int p = 0; p < points_per_lane; p++) labels.put(p, search.nearest[p]);
    const PointsOfTile points{to.points + visit.tile * to.d * tile_points + threadIdx.x % 32};
    labels = decide_points<points_per_lane, 16>(to.d, points, RowsApart{to.rows, to.width}, pass.k, AllInOrder{}, doubts, labels);
#pragma unroll
    for (int p = 0; p < points_per_lane; p++) search.nearest[p] = labels.at(p);
  }
  const bool has_moved = resolve_labels(to, pass, visit, when, search, header, tally);
  header.gap = has_moved ? -1.0F : lead;
  if (threadIdx.x % 32 == 0) to.headers[visit.tile] = header;
  __syncwarp();
  if (when.all && pass.labels != nullptr && !when.pilots) note_labels(to, pass, visit.tile, tally);
  tally.visits++;
}

/// Visits a tile by one warp. @returns false where its candidates are so many that the whole block is to share them.
template <int D>
__device__ bool visit_narrow(const TileArguments& to, const Pass& pass, std::size_t tile, const Conditions& when, Tally& tally) {
  TileHeader header = to.headers[tile];
  const Visit visit{tile, to.leads + tile * to.lead_stride, header.drift};
  const float own = own_shift(to, header, when);
  const int anchor = anchor_of<D>(to, pass, tile, when);
  float lead;
  const int left = renew_leads<D>(to, pass.k, visit, when, own, anchor, lead, tally);
  __syncwarp();
  if (left > max_narrow) {
    if (threadIdx.x % 32 == 0) {
      // For the warps that will compare: what the leads that stay say, and in a fresh pass the anchor.
      header.gap = lead;
      if (when.fresh) header.labels[0] = static_cast<std::uint16_t>(anchor);
      to.headers[tile] = header;
    }
    return false;
  }
  if (left == 0 && !when.fresh) {
    header.gap = lead;
    if (threadIdx.x % 32 == 0) to.headers[tile] = header;
    if (when.all && pass.labels != nullptr && !when.pilots) note_labels(to, pass, tile, tally);
    return true;
  }
  Search search;
  compare<D>(to, pass.k, visit, when, own, anchor, 0, 1, search, tally);
  conclude(to, pass, visit, when, search, header, fminf(lead, search.lead), tally);
  return true;
}

/// Visits a tile by all warps of a block, which share its candidates.
template <int D>
__device__ void visit_wide(const TileArguments& to, const Pass& pass, std::size_t tile, const Conditions& when, Shared& shared,
                           Tally& tally) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int at = threadIdx.x; at < tile_points; at += threads) shared.keys[at] = ~0ULL;
  if (threadIdx.x < points_per_lane) shared.doubtful[threadIdx.x] = 0;
  __syncthreads();
  const TileHeader header = to.headers[tile];
  const Visit visit{tile, to.leads + tile * to.lead_stride, header.drift};
  const float own = own_shift(to, header, when);
  Search search;
  compare<D>(to, pass.k, visit, when, own, header.labels[0], warp, threads / 32, search, tally);
  const TieMargin margin(to.d);
#pragma unroll
  for (int p = 0; p < points_per_lane; p++) {
    const std::size_t i = tile * tile_points + p * 32 + lane;
    if (i >= to.n) continue;
    const unsigned long long key = static_cast<unsigned long long>(__float_as_uint(search.smallest[p])) << 32 | static_cast<unsigned>(search.nearest[p]);
    const unsigned long long other = atomicMin(&shared.keys[p * 32 + lane], key);
    // Every warp begins with the label.
    const bool differs = other != ~0ULL && static_cast<unsigned>(other) != static_cast<unsigned>(key);
    const float its = __uint_as_float(static_cast<unsigned>(other >> 32));
    const float gap = differs ? fminf(search.gap[p], fabsf(its - search.smallest[p])) : search.gap[p];
    const float least = differs ? fminf(its, search.smallest[p]) : search.smallest[p];
    if (margin.is_doubtful(least, gap)) atomicOr(&shared.doubtful[p], 1U << lane);
  }
  __syncthreads();
  if (warp != 0) return;
#pragma unroll
  for (int p = 0; p < points_per_lane; p++) {
    const unsigned long long key = shared.keys[p * 32 + lane];
    search.gap[p] = shared.doubtful[p] >> lane & 1 ? 0.0F : INFINITY;
    if (key == ~0ULL) continue;
    search.nearest[p] = static_cast<int>(static_cast<unsigned>(key));
    search.smallest[p] = __uint_as_float(static_cast<unsigned>(key >> 32));
  }
  // Leads of other warps are not looked at: the tile is opened again.
  conclude(to, pass, visit, when, search, header, -1.0F, tally);
}

/// The warps' tallies into the state and the pass.
__device__ void report(const TileArguments& to, const Pass& pass, const Tally& tally) {
  __shared__ unsigned long long work;
  __shared__ unsigned changed;
  if (threadIdx.x == 0) work = changed = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&work, static_cast<unsigned long long>(tally.searches) * to.search_cost +
                         static_cast<unsigned long long>(tally.candidates) * to.candidate_cost +
                         static_cast<unsigned long long>(tally.visits) * to.tile_cost);
  }
  if (tally.changed != 0) atomicAdd(&changed, tally.changed);
  __syncthreads();
  if (threadIdx.x != 0) return;
  if (work != 0) atomicAdd(&to.state->work, work);
  if (changed != 0) atomicAdd(pass.changed, changed);
}

/// A round of a block: a thread looks at a header each. Tiles of a block lie far apart: neighbours cost alike.
template <int D>
__device__ void make_round(const TileArguments& to, const Pass& pass, std::size_t first, std::size_t stride, std::size_t last,
                           const Conditions& when, Shared& shared, Tally& tally) {
  // The round before may still be read.
  __syncthreads();
  if (threadIdx.x == 0) shared.opened = shared.next = shared.widened = 0;
  __syncthreads();
  const std::size_t mine = first + threadIdx.x * stride;
  if (mine < last && is_open(to, mine, when)) shared.open[atomicAdd(&shared.opened, 1U)] = threadIdx.x;
  __syncthreads();
  const unsigned opened = shared.opened;
  for (;;) {
    unsigned at = threadIdx.x % 32 == 0 ? atomicAdd(&shared.next, 1U) : 0;
    at = __shfl_sync(whole_warp, at, 0);
    if (at >= opened) break;
    const unsigned which = shared.open[at];
    if (!visit_narrow<D>(to, pass, first + which * stride, when, tally) && threadIdx.x % 32 == 0) {
      shared.wide[atomicAdd(&shared.widened, 1U)] = which;
    }
  }
  __syncthreads();
  const unsigned widened = shared.widened;
  for (unsigned at = 0; at < widened; at++) {
    visit_wide<D>(to, pass, first + shared.wide[at] * stride, when, shared, tally);
    __syncthreads();
  }
}

template <int D>
__global__ void __launch_bounds__(threads, D == 0 || D > 8 ? 2 : 3) visit_tiles(TileArguments to, Pass pass) {
  __shared__ Shared shared;
  const PassState& state = *to.state;
  if (state.skip_tiles != 0) return;
  const bool pilots = state.mode == Mode::brute;
  const Conditions when{state.largest_shift, state.fresh != 0, pilots,
                        !pilots && (state.fresh != 0 || (pass.write_labels && !pass.count_changes))};
  const std::size_t step = pilots ? pilot_stride : 1;
  const std::size_t first = (pass.first + tile_points * step - 1) / (tile_points * step) * step;
  const std::size_t last = (pass.first + pass.count + tile_points - 1) / tile_points;
  const std::size_t stride = gridDim.x * step;
  Tally tally;
  for (std::size_t base = first + blockIdx.x * step; base < last; base += threads * stride) {
    make_round<D>(to, pass, base, stride, last, when, shared, tally);
  }
  report(to, pass, tally);
}

/// Calls `use` with the kernel for d.
template <class Use>
void with_kernel(int d, const Use& use) {
  if (d <= 2) use(visit_tiles<2>);
  else if (d <= 4) use(visit_tiles<4>);
  else if (d <= 8) use(visit_tiles<8>);
  else if (d <= 16) use(visit_tiles<16>);
  else use(visit_tiles<0>);
}

}  // namespace

unsigned visiting_blocks(int d, const cudaDeviceProp& device) {
  int resident = 1;
  with_kernel(d, [&](auto kernel) {
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, 0),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  });
  return static_cast<unsigned>(std::max(1, resident) * device.multiProcessorCount);
}

void enqueue_visit(const TileArguments& to, const Pass& pass, unsigned blocks) {
  with_kernel(to.d, [&](auto kernel) { kernel<<<blocks, threads, 0, pass.stream>>>(to, pass); });
  check_launch("fused: visit_tiles");
}

}  // namespace centroid_lab::cuda
