// What the filter on matrix units begins and ends with; its kernel is in matrix-filter.wgsl.
// proof.md has the bound. Follows group_ranks.wgsl and listed_tiles.wgsl.

// [cell][cluster, filled up to whole tiles][vectors], then the lists of tiles.
@group(0) @binding(7) var<storage, read_write> images: array<vec4u>;
@group(0) @binding(8) var<storage, read_write> start_quads: array<vec4f>;
@group(0) @binding(9) var<storage, read_write> point_records: array<vec4u>;
@group(0) @binding(13) var<storage, read_write> point_halves: array<vec4u>;
@group(0) @binding(14) var<storage, read_write> part_words: array<u32>;

@group(0) @binding(7) var<storage, read_write> last_state: array<u32>;
@group(0) @binding(8) var<storage, read_write> last_words: array<u32>;

const first_rest = 8u;
const longest_rest = 1024u;
const passes_an_order = 8u;

// Counters back to 0. Matrix units are for whole parts, as points lie cell by cell, and left alone
// for a while when more than a quarter of the points were undecided.
@compute @workgroup_size(256)
fn clear_for_matrices(@builtin(local_invocation_index) lane: u32) {
  let resting = last_state[resting_at];
  let next_rest = max(last_state[next_rest_at], first_rest);
  let clusters = last_state[arranged_at];
  let passes = last_state[passes_at];
  let is_poor = last_state[by_matrices_at] != 0u && last_state[undecided_at] > task.count / 4u;
  workgroupBarrier();
  for (var at = lane; at < arrayLength(&last_state); at += 256u) {
    last_state[at] = 0u;
  }
  workgroupBarrier();
  if (lane == 0u) {
    let rest = select(max(resting, 1u) - 1u, next_rest, is_poor);
    let is_whole = task.first == 0u && task.count == last_words[part_points_at];
    last_state[resting_at] = rest;
    last_state[next_rest_at] = select(next_rest, min(2u * next_rest, longest_rest), is_poor);
    last_state[by_matrices_at] = select(0u, 1u, is_whole && rest == 0u);
    // The order of the clusters only saves time, and seldom changes.
    let is_new = clusters != task.k || passes >= passes_an_order;
    last_state[arranged_at] = task.k;
    last_state[arranges_at] = select(0u, 1u, is_new);
    last_state[passes_at] = select(passes + 1u, 1u, is_new);
  }
}

var<workgroup> listed_tiles: u32;
// Of the points of the workgroup.
var<workgroup> listed_cell: u32;

fn list_of(block: u32) -> u32 {
  return lists_at + part_words[block_cells_at + block] * (all_tiles + 1u);
}

// How many tiles of clusters the points of a block are compared with, the same in all lanes: those
// of its list, or none where the block has no points or this pass goes without matrix units.
fn tiles_for(block: u32, listed: u32, lane: u32) -> u32 {
  if (lane == 0u) {
    let is_open = block < part_words[blocks_at] && atomicLoad(&state[by_matrices_at]) != 0u;
    listed_tiles = select(0u, listed, is_open);
    listed_cell = part_words[block_cells_at + block];
  }
  return workgroupUniformLoad(&listed_tiles);
}

// The share of its length that a centroid may lose, and the power of two that coordinates are
// multiplied by.
fn losses_now() -> vec2f {
  return vec2f(bitcast<f32>(atomicLoad(&state[lost_share_at])), bitcast<f32>(part_words[unit_at]));
}

// Scores above this, in squared units, belong to centroids that are certainly farther than the one
// with the score `best`.
fn limit_of(length: f32, lost: f32, square: f32, best: f32, losses: vec2f) -> f32 {
  let u = 0.00000011920928955078125;
  let unit = losses.y;
  let share = losses.x + 2.0 * u;
  if (share >= 1.0) {
    return 3e38;
  }
  let of_products = 1.25 * f32(16u * steps + 16u) * u;
  // The error of a score of a centroid of length w is at most a w + b + c w w / 2.
  let kept = length + lost;
  let a = lost + kept * (share + 1.01 * (of_products + u));
  let b = 1.02 * kept * always_lost();
  let c = 1.05 * f32(8u * ((vectors + 7u) / 8u) + 13u) * u;
  let slack = 1.01 * f32(features + 8u) * u * square + 16.0 * u * abs(best);
  // The greatest distance of the best centroid: the larger root of (1 - 2 c) p p - 2 a p - q.
  let q = max(0.0, square + 2.0 * best + 2.0 * c * square + 2.0 * a * length + 2.0 * b + slack);
  let near = 1.00001 * (a + sqrt(fma(a, a, q))) / (1.0 - 2.0 * c);
  let distances = 2.1 * f32(features + 3u) * u;
  let beyond = near * near * (1.0 + distances) + f32(features) * 1.2e-38 * unit * unit;
  let reach = length + 1.00001 * sqrt(beyond);
  return 1.000001 * (0.5 * max(0.0, beyond - square) + 0.5 * slack + a * reach + b + 0.5 * c * reach * reach)
    + 0.5 * min(0.0, beyond - square) + 8.0 * u * (beyond + square);
}

// How the clusters of a point stand so far: the smallest score, the smallest of the other clusters
// of its group, both again of the next group, the smallest of the third; places that the smallest
// of the first two belong to.
struct Standing { first: f32, inner: f32, second: f32, second_inner: f32, third: f32, position: u32, second_position: u32 }

fn nothing_stands() -> Standing {
  return Standing(3e38, 3e38, 3e38, 3e38, 3e38, 0u, 0u);
}

// After another group, of which the two smallest scores are told, and the place of the smaller one.
fn after_group(so_far: Standing, value: f32, inner: f32, position: u32) -> Standing {
  let is_first = value < so_far.first;
  let is_second = value < so_far.second;
  return Standing(
    min(so_far.first, value),
    select(so_far.inner, inner, is_first),
    min(so_far.second, max(value, so_far.first)),
    select(select(so_far.second_inner, inner, is_second), so_far.inner, is_first),
    min(so_far.third, max(value, so_far.second)),
    select(so_far.position, position, is_first),
    select(select(so_far.second_position, position, is_second), so_far.position, is_first),
  );
}

// Where a point is listed that distances decide: between two clusters, inside two groups or one, or
// among all clusters that its cell lists.
struct Verdict { index: u32, list: u32 }
const in_no_list = 0u;
const among_pairs = 1u;
const among_open = 2u;
const among_duels = 3u;
// A duel is told by two places of 16 bits.
const max_in_duels = 0xffffu;

// What stands for the point of a record.
fn verdict_for(of_point: vec4u, standing: Standing, losses: vec2f) -> Verdict {
  if (of_point.x == 0u) {
    return Verdict(0u, in_no_list);
  }
  let index = of_point.x - 1u;
  let limit = limit_of(bitcast<f32>(of_point.y), bitcast<f32>(of_point.z), bitcast<f32>(of_point.w), standing.first, losses);
  if (!(standing.third > limit)) {
    choices[index] = choice_of(listed_cell, any_group);
    return Verdict(index, among_open);
  }
  let are_two = !(standing.second > limit);
  let fits = max(standing.position, standing.second_position) <= max_in_duels;
  if (are_two && fits && min(standing.inner, standing.second_inner) > limit) {
    choices[index] = standing.position | (standing.second_position << 16u);
    return Verdict(index, among_duels);
  }
  if (are_two || !(standing.inner > limit)) {
    let group = standing.position / group_size;
    choices[index] = choice_of(group, select(group, standing.second_position / group_size, are_two));
    return Verdict(index, among_pairs);
  }
  choices[index] = decided(standing.position);
  return Verdict(index, in_no_list);
}

var<workgroup> own_pairs: atomic<u32>;
var<workgroup> own_open: atomic<u32>;
var<workgroup> own_duels: atomic<u32>;
var<workgroup> lists_begin: vec3u;

// Among the points of the workgroup that go to the same list.
fn slot_of(verdict: Verdict) -> u32 {
  if (verdict.list == among_pairs) {
    return atomicAdd(&own_pairs, 1u);
  }
  if (verdict.list == among_open) {
    return atomicAdd(&own_open, 1u);
  }
  if (verdict.list == among_duels) {
    return atomicAdd(&own_duels, 1u);
  }
  return 0u;
}

// One lane makes room for all.
fn begin_lists(lane: u32) {
  workgroupBarrier();
  if (lane == 0u) {
    let pairs = atomicLoad(&own_pairs);
    let open = atomicLoad(&own_open);
    let duels = atomicLoad(&own_duels);
    if (pairs != 0u) {
      lists_begin.x = atomicAdd(&state[pairs_at], pairs);
    }
    if (open != 0u) {
      lists_begin.y = atomicAdd(&state[undecided_at], open);
    }
    if (duels != 0u) {
      lists_begin.z = atomicAdd(&state[duels_at], duels);
    }
  }
  workgroupBarrier();
}

fn list_verdict(verdict: Verdict, slot: u32) {
  if (verdict.list == among_pairs) {
    open_points[task.count - 1u - lists_begin.x - slot] = verdict.index;
  } else if (verdict.list == among_open) {
    open_points[lists_begin.y + slot] = verdict.index;
  } else if (verdict.list == among_duels) {
    open_points[task.count + lists_begin.z + slot] = verdict.index;
  }
}

// The same for four points.
struct FourStandings { first: vec4f, inner: vec4f, second: vec4f, second_inner: vec4f, third: vec4f, position: vec4u, second_position: vec4u }

fn nothing_stands_for_four() -> FourStandings {
  let none = vec4f(3e38);
  return FourStandings(none, none, none, none, none, vec4u(), vec4u());
}

fn four_after_group(so_far: FourStandings, value: vec4f, inner: vec4f, position: vec4u) -> FourStandings {
  let is_first = value < so_far.first;
  let is_second = value < so_far.second;
  return FourStandings(
    min(so_far.first, value),
    select(so_far.inner, inner, is_first),
    min(so_far.second, max(value, so_far.first)),
    select(select(so_far.second_inner, inner, is_second), so_far.inner, is_first),
    min(so_far.third, max(value, so_far.second)),
    select(so_far.position, position, is_first),
    select(select(so_far.second_position, position, is_second), so_far.position, is_first),
  );
}

// After what stands for the same point among other groups. The second of these cannot be the first
// of all.
fn merged(so_far: Standing, first: f32, inner: f32, second: f32, second_inner: f32, third: f32, position: f32, second_position: f32) -> Standing {
  let after_first = after_group(so_far, first, inner, u32(position));
  let after_second = after_group(after_first, second, second_inner, u32(second_position));
  return after_group(after_second, third, 3e38, u32(second_position));
}
