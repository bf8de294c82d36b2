// What the filter on matrix units begins and ends with; its kernel is written by the engine for each number of features.
// README.md has the bound. Follows tile.wgsl and arrange.wgsl.

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

// Counters back to 0. Matrix units are for whole parts, as points lie cell by cell, and left alone for a while when more
// than a quarter of the points were undecided.
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

fn list_of(block: u32) -> u32 {
  return lists_at + part_words[block_cells_at + block] * (all_tiles + 1u);
}

// How many tiles of clusters the points of a block are compared with, the same in all lanes: those of its list, or none where
// the block has no points or this pass goes without matrix units.
fn tiles_for(block: u32, listed: u32, lane: u32) -> u32 {
  if (lane == 0u) {
    let is_open = block < part_words[blocks_at] && atomicLoad(&state[by_matrices_at]) != 0u;
    listed_tiles = select(0u, listed, is_open);
  }
  return workgroupUniformLoad(&listed_tiles);
}

// The share of its length that a centroid may lose, and the power of two that coordinates are multiplied by.
fn losses_now() -> vec2f {
  return vec2f(bitcast<f32>(atomicLoad(&state[lost_share_at])), bitcast<f32>(part_words[unit_at]));
}

// Scores above this, in squared units, belong to centroids that are certainly farther than the one with the score `best`.
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

// What the ranks of the point of a record say.
fn choose_for(of_point: vec4u, ranks: Ranks, losses: vec2f) {
  if (of_point.x == 0u) {
    return;
  }
  let limit = limit_of(bitcast<f32>(of_point.y), bitcast<f32>(of_point.z), bitcast<f32>(of_point.w), ranks.first, losses);
  choose(of_point.x - 1u, ranks, ranks.third > limit, ranks.second > limit);
}

// The ranks of four points.
struct FourRanks { first: vec4f, second: vec4f, third: vec4f, group: vec4u, next_group: vec4u }

fn no_ranks() -> FourRanks {
  return FourRanks(vec4f(3e38), vec4f(3e38), vec4f(3e38), vec4u(), vec4u());
}

fn ranked_four(ranks: FourRanks, value: vec4f, group: u32) -> FourRanks {
  let is_first = value < ranks.first;
  let displaced = select(ranks.next_group, vec4u(group), value < ranks.second);
  return FourRanks(
    min(ranks.first, value),
    min(ranks.second, max(value, ranks.first)),
    min(ranks.third, max(value, ranks.second)),
    select(ranks.group, vec4u(group), is_first),
    select(displaced, ranks.group, is_first),
  );
}

fn merged(ranks: Ranks, first: f32, second: f32, third: f32, group: f32, next_group: f32) -> Ranks {
  return ranked(ranked(ranked(ranks, first, u32(group)), second, u32(next_group)), third, u32(next_group));
}
