// 128 points by 128 clusters a workgroup, eight by eight a thread, features through workgroup
// memory in slices of eight: scores |c|^2 / 2 - x.c find for each point the group of eight clusters
// that holds the nearest one. Follows cluster-groups.wgsl.

@group(0) @binding(8) var<storage, read_write> offset_values: array<f32>;
@group(0) @binding(9) var<storage, read_write> point_extents: array<Extent>;
@group(0) @binding(10) var<storage, read_write> choices: array<u32>;
// Points open between all clusters from the front, between two groups from the back.
@group(0) @binding(11) var<storage, read_write> open_points: array<u32>;
@group(0) @binding(12) var<storage, read_write> state: array<atomic<u32>>;

const tile_points = 128u;
const tile_threads = 256u;
// Vectors of four of a feature, one more than there are so that features begin in different banks.
const row = 33u;
const slice_vectors = depth * row;

// Two slices: one is read while the other is filled. [slice][feature][four points].
var<workgroup> point_slices: array<vec4f, 2u * slice_vectors>;
// [slice][feature][half of a group][group].
var<workgroup> cluster_slices: array<vec4f, 2u * tile_threads>;
// [group of the tile][four points]: the smallest of the group.
var<workgroup> minima: array<vec4f, tile_groups * row>;
var<workgroup> open_total: u32;

// The three smallest groups so far, and which the first two are.
struct Ranks { first: f32, second: f32, third: f32, group: u32, next_group: u32 }

// Equal values go to the lower group.
fn ranked(ranks: Ranks, value: f32, group: u32) -> Ranks {
  let is_first = value < ranks.first || (value == ranks.first && group < ranks.group);
  let is_second = value < ranks.second;
  let displaced = select(ranks.next_group, group, is_second);
  return Ranks(
    min(ranks.first, value),
    min(ranks.second, max(value, ranks.first)),
    min(ranks.third, max(value, ranks.second)),
    select(ranks.group, group, is_first),
    select(displaced, ranks.group, is_first),
  );
}

fn value_of(point: u32, feature: u32) -> f32 {
  if (feature >= features) {
    return 0.0;
  }
  return points[point * features + feature];
}

fn least(low: vec4f, high: vec4f) -> f32 {
  let both = min(low, high);
  return min(min(both.x, both.y), min(both.z, both.w));
}

fn term(x: f32, c: vec4f, sum: vec4f) -> vec4f {
  return fma(vec4f(x), c, sum);
}

// `own`: the four points that this lane brings into workgroup memory. Answers the ranks of point
// `lane % 128` among half of the groups: the columns of `lane / 128`.
fn rank_groups(own: vec4u, lane: u32) -> Ranks {
  let column = (lane & 7u) + ((lane >> 5u) & 1u) * 8u;
  let quad = ((lane >> 3u) & 3u) + (lane >> 6u) * 4u;
  let own_feature = lane & 7u;
  let own_at = own_feature * row + (lane >> 3u);
  let tiles = (task.k + tile_clusters - 1u) / tile_clusters;
  // Not the constant: compilers unroll this loop until the code is too long for the cache.
  let all_slices = (task.d + depth - 1u) / depth;
  let steps = tiles * all_slices;
  var ranks = Ranks(3e38, 3e38, 3e38, 0u, 0u);
  point_slices[own_at] = vec4f(
    value_of(own.x, own_feature),
    value_of(own.y, own_feature),
    value_of(own.z, own_feature),
    value_of(own.w, own_feature),
  );
  cluster_slices[lane] = tiled[lane];
  workgroupBarrier();
  var step = 0u;
  for (var tile = 0u; tile < tiles; tile++) {
    // Zeroed by hand: SwiftShader keeps the values of the round before in a variable without
    // initialiser.
    var a0 = vec4f();
    var a1 = vec4f();
    var a2 = vec4f();
    var a3 = vec4f();
    var a4 = vec4f();
    var a5 = vec4f();
    var a6 = vec4f();
    var a7 = vec4f();
    var b0 = vec4f();
    var b1 = vec4f();
    var b2 = vec4f();
    var b3 = vec4f();
    var b4 = vec4f();
    var b5 = vec4f();
    var b6 = vec4f();
    var b7 = vec4f();
    for (var slice = 0u; slice < all_slices; slice++) {
      let next_feature = select(slice + 1u, 0u, slice + 1u == all_slices) * depth + own_feature;
      let next_step = min(step + 1u, steps - 1u);
      let next_points = vec4f(
        value_of(own.x, next_feature),
        value_of(own.y, next_feature),
        value_of(own.z, next_feature),
        value_of(own.w, next_feature),
      );
      let next_clusters = tiled[next_step * tile_threads + lane];
      let odd = step & 1u;
      let points_at = odd * slice_vectors + quad;
      let clusters_at = odd * tile_threads + column;
      for (var feature = 0u; feature < depth; feature++) {
        let x = point_slices[points_at + feature * row];
        let y = point_slices[points_at + feature * row + 16u];
        let c = cluster_slices[clusters_at + feature * 2u * tile_groups];
        let e = cluster_slices[clusters_at + feature * 2u * tile_groups + tile_groups];
        a0 = term(x.x, c, a0);
        a1 = term(x.y, c, a1);
        a2 = term(x.z, c, a2);
        a3 = term(x.w, c, a3);
        a4 = term(y.x, c, a4);
        a5 = term(y.y, c, a5);
        a6 = term(y.z, c, a6);
        a7 = term(y.w, c, a7);
        b0 = term(x.x, e, b0);
        b1 = term(x.y, e, b1);
        b2 = term(x.z, e, b2);
        b3 = term(x.w, e, b3);
        b4 = term(y.x, e, b4);
        b5 = term(y.y, e, b5);
        b6 = term(y.z, e, b6);
        b7 = term(y.w, e, b7);
      }
      point_slices[(1u - odd) * slice_vectors + own_at] = next_points;
      cluster_slices[(1u - odd) * tile_threads + lane] = next_clusters;
      step++;
      workgroupBarrier();
    }
    let at = tile * tile_clusters + column * group_size;
    let low = vec4f(offset_values[at], offset_values[at + 1u], offset_values[at + 2u], offset_values[at + 3u]);
    let high = vec4f(offset_values[at + 4u], offset_values[at + 5u], offset_values[at + 6u], offset_values[at + 7u]);
    let front = vec4f(least(low + a0, high + b0), least(low + a1, high + b1), least(low + a2, high + b2), least(low + a3, high + b3));
    let back = vec4f(least(low + a4, high + b4), least(low + a5, high + b5), least(low + a6, high + b6), least(low + a7, high + b7));
    minima[column * row + quad] = front;
    minima[column * row + 16u + quad] = back;
    workgroupBarrier();
    for (var i = 0u; i < tile_groups / 2u; i++) {
      let group = (lane >> 7u) * (tile_groups / 2u) + i;
      ranks = ranked(ranks, minima[group * row + ((lane & 127u) >> 2u)][lane & 3u], tile * tile_groups + group);
    }
  }
  return ranks;
}

var<workgroup> other_values: array<vec3f, tile_points>;
var<workgroup> other_groups: array<vec2u, tile_points>;

// Both halves of the columns, for lanes below 128.
fn united(ranks: Ranks, lane: u32) -> Ranks {
  if (lane >= tile_points) {
    other_values[lane - tile_points] = vec3f(ranks.first, ranks.second, ranks.third);
    other_groups[lane - tile_points] = vec2u(ranks.group, ranks.next_group);
  }
  workgroupBarrier();
  let values = other_values[lane & 127u];
  let groups = other_groups[lane & 127u];
  return ranked(ranked(ranked(ranks, values.x, groups.x), values.y, groups.y), values.z, groups.y);
}

// Scores of two groups closer than this do not tell which of them holds the nearest centroid.
fn margin(point: Extent, best: f32) -> f32 {
  let longest = bitcast<f32>(atomicLoad(&state[longest_at]));
  let growth = bitcast<f32>(atomicLoad(&state[growth_at]));
  let of_products = point.growth * growth + 3.0 * point.length * longest;
  let of_norms = f32(10u + features / 32u) * longest * longest;
  let of_distances = f32(features + 3u) * max(0.0, fma(point.length, point.length, 2.0 * best));
  return 1.1 * 1.1920928955078125e-07 * (2.0 * of_products + of_norms + of_distances) + 1e-36;
}

// What ranks say of a point of the dispatch, if the third group, or the second one too, is
// certainly farther than the first.
fn choose(index: u32, ranks: Ranks, is_third_farther: bool, is_second_farther: bool) {
  choices[index] = choice_of(ranks.group, ranks.group);
  if (!is_third_farther) {
    open_points[atomicAdd(&state[undecided_at], 1u)] = index;
  } else if (!is_second_farther) {
    choices[index] = choice_of(ranks.group, ranks.next_group);
    open_points[task.count - 1u - atomicAdd(&state[pairs_at], 1u)] = index;
  }
}

@compute @workgroup_size(tile_threads)
fn filter_groups(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (lane == 0u) {
    open_total = atomicLoad(&state[by_matrices_at]);
  }
  if (workgroupUniformLoad(&open_total) != 0u) {
    return;
  }
  let stride = groups.x * groups.y * tile_points;
  for (var first = (group.y * groups.x + group.x) * tile_points; first < task.count; first += stride) {
    let own = task.first + min(vec4u(first + 4u * (lane >> 3u)) + vec4u(0u, 1u, 2u, 3u), vec4u(task.count - 1u));
    let ranks = united(rank_groups(own, lane), lane);
    let index = first + lane;
    if (lane < tile_points && index < task.count) {
      let apart = margin(point_extents[task.first + index], ranks.first);
      choose(index, ranks, ranks.third - ranks.first > apart, ranks.second - ranks.first > apart);
    }
    workgroupBarrier();
  }
}
