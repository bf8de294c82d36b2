// From groups to labels and sums: points between two groups are decided, and what puts points in
// the order of their clusters. Follows cluster-groups.wgsl and rows_by_four.wgsl or
// rows_by_one.wgsl.

// A distance, where its cluster stands, and the smallest distance of the others.
struct Nearest { distance: f32, position: u32, next: f32 }

fn nothing_near() -> Nearest {
  return Nearest(3e38, 0u, 3e38);
}

// Of both; they may have the same cluster.
fn nearer_of(one: Nearest, other: Nearest) -> Nearest {
  let is_nearer = other.distance < one.distance;
  let farther = select(max(one.distance, other.distance), 3e38, one.position == other.position);
  return Nearest(
    min(one.distance, other.distance),
    select(one.position, other.position, is_nearer),
    min(min(one.next, other.next), farther),
  );
}

// Places past the last cluster have names from k on.
fn better(so_far: Nearest, cluster: f32, distance: f32, position: u32) -> Nearest {
  let found = select(3e38, distance, u32(cluster) < task.k);
  return Nearest(
    min(so_far.distance, found),
    select(so_far.position, position, found < so_far.distance),
    min(so_far.next, max(so_far.distance, found)),
  );
}

// The choice of a point whose nearest centroid is looked for by distances alone.
fn choice_by(nearest: Nearest) -> u32 {
  if (is_in_doubt(nearest.distance, nearest.next)) {
    return doubtful_choice;
  }
  return decided(nearest.position);
}

// Four features of four sums, added in order.
fn four_terms(x: vec4f, c: vec4f, d: vec4f, e: vec4f, f: vec4f, sum: vec4f) -> vec4f {
  let a = x.xxxx + c;
  let b = x.yyyy + d;
  let g = x.zzzz + e;
  let h = x.wwww + f;
  return fma(h, h, fma(g, g, fma(b, b, fma(a, a, sum))));
}

// The nearest of the eight centroids of a group.
fn nearest_among(group: u32, low: vec4f, high: vec4f) -> Nearest {
  let names_low = tiled[names_at + 2u * group];
  let names_high = tiled[names_at + 2u * group + 1u];
  let first = group * group_size;
  var best = better(nothing_near(), names_low.x, low.x, first);
  best = better(best, names_low.y, low.y, first + 1u);
  best = better(best, names_low.z, low.z, first + 2u);
  best = better(best, names_low.w, low.w, first + 3u);
  best = better(best, names_high.x, high.x, first + 4u);
  best = better(best, names_high.y, high.y, first + 5u);
  best = better(best, names_high.z, high.z, first + 6u);
  return better(best, names_high.w, high.w, first + 7u);
}

// Distances to the eight centroids of a group, in blocks of features.
fn nearest_of_group(group: u32, point: u32) -> Nearest {
  var all_low = vec4f();
  var all_high = vec4f();
  for (var first = 0u; first < features; first += block_features) {
    var low = vec4f();
    var high = vec4f();
    for (var feature = first; feature < min(first + block_features, features); feature += 4u) {
      let x = four_of(point, feature);
      // Coordinates past the last feature are 0 on both sides.
      let at = eight_at(group, feature);
      low = four_terms(x, tiled[at], tiled[at + 2u * tile_groups], tiled[at + 4u * tile_groups], tiled[at + 6u * tile_groups], low);
      high = four_terms(
        x,
        tiled[at + tile_groups],
        tiled[at + 3u * tile_groups],
        tiled[at + 5u * tile_groups],
        tiled[at + 7u * tile_groups],
        high,
      );
    }
    all_low += low;
    all_high += high;
  }
  return nearest_among(group, all_low, all_high);
}

@group(0) @binding(8) var<storage, read_write> pair_choices: array<u32>;
@group(0) @binding(9) var<storage, read_write> open_pairs: array<u32>;
@group(0) @binding(10) var<storage, read_write> pair_state: array<u32>;

// The nearest of four neighbouring clusters, by their distances.
fn nearest_of_half(group: u32, half: u32, point: u32) -> Nearest {
  var distances = vec4f();
  for (var first = 0u; first < features; first += block_features) {
    var sums = vec4f();
    for (var feature = first; feature < min(first + block_features, features); feature += 4u) {
      let at = eight_at(group, feature) + half * tile_groups;
      let x = four_of(point, feature);
      sums = four_terms(x, tiled[at], tiled[at + 2u * tile_groups], tiled[at + 4u * tile_groups], tiled[at + 6u * tile_groups], sums);
    }
    distances += sums;
  }
  let names = tiled[names_at + 2u * group + half];
  let at = group * group_size + half * 4u;
  let best = better(nothing_near(), names.x, distances.x, at);
  return better(better(better(best, names.y, distances.y, at + 1u), names.z, distances.z, at + 2u), names.w, distances.w, at + 3u);
}

const pair_lanes = 4u;
const pairs_together = 16u;
var<workgroup> all_pairs: u32;
var<workgroup> pair_halves: array<Nearest, 64>;

// Four lanes a pair: each takes half of one of its groups, which may be twice the same.
@compute @workgroup_size(64)
fn decide_pairs(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (lane == 0u) {
    all_pairs = pair_state[pairs_at];
  }
  let total = workgroupUniformLoad(&all_pairs);
  let stride = groups.x * groups.y * pairs_together;
  for (var first = (group.y * groups.x + group.x) * pairs_together; first < total; first += stride) {
    let pair = first + lane / pair_lanes;
    let index = open_pairs[task.count - 1u - min(pair, total - 1u)];
    let choice = pair_choices[index];
    let own_group = select(choice & 0xffffu, choice >> 16u, (lane & 2u) != 0u);
    pair_halves[lane] = nearest_of_half(own_group, lane & 1u, task.first + index);
    workgroupBarrier();
    if (lane % pair_lanes == 0u && pair < total) {
      var nearest = pair_halves[lane];
      for (var other = 1u; other < pair_lanes; other++) {
        nearest = nearer_of(nearest, pair_halves[lane + other]);
      }
      pair_choices[index] = choice_by(nearest);
    }
    workgroupBarrier();
  }
}

const sum_threads = 256u;
const sum_points = 256u;
// Lanes that share a row, four features each, so that neighbours read and add neighbours.
override row_lanes: u32 = 32u;

// Clusters whose sums a workgroup keeps: those at the places from its first group on.
override kept_sums: u32 = 16u;
var<workgroup> kept: array<atomic<u32>, kept_sums * features * 2u + 1u>;
var<workgroup> first_position: u32;

// Place and number of each point, ordered by place; points that are not there come last.
var<workgroup> keys: array<u32, sum_points>;
var<workgroup> key_quads: array<vec4u, sum_points / 4u>;
var<workgroup> sorted_positions: array<u32, sum_points>;
var<workgroup> sorted_points: array<u32, sum_points>;
const nothing = 0xffffffu;
// Rows that are fetched together.
const row_batch = 4u;

struct Sums { low: vec4u, high: vec4u, rest: vec4i }

fn no_sums() -> Sums {
  return Sums(vec4u(), vec4u(), vec4i());
}

fn cluster_at(position: u32) -> u32 {
  return u32(tiled[names_at + position / 4u][position % 4u]);
}

// Four of a row of the scales.
fn scales_of(feature: u32, row: u32) -> vec4f {
  let at = row * features;
  let last = features - 1u;
  return vec4f(
    scales[at + min(feature, last)],
    scales[at + min(feature + 1u, last)],
    scales[at + min(feature + 2u, last)],
    scales[at + min(feature + 3u, last)],
  );
}

fn rank_of(key: u32) -> u32 {
  var rank = vec4u();
  for (var i = 0u; i < sum_points / 4u; i++) {
    rank += select(vec4u(), vec4u(1u), key_quads[i] < vec4u(key));
  }
  return rank.x + rank.y + rank.z + rank.w;
}
