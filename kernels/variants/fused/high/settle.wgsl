// From groups to labels and sums: points between two groups are decided, points are ordered by group, and those of a
// group get their labels and are added up. Follows groups.wgsl and rows_by_four.wgsl or rows_by_one.wgsl.

struct Nearest { cluster: u32, distance: f32 }

fn better(so_far: Nearest, cluster: u32, distance: f32) -> Nearest {
  let is_closer = cluster < task.k && distance < so_far.distance;
  return Nearest(select(so_far.cluster, cluster, is_closer), select(so_far.distance, distance, is_closer));
}

// Distances to the eight centroids of a group, features added in order; equal ones go to the lower index.
fn nearest_of_group(group: u32, point: u32) -> Nearest {
  var low = vec4f();
  var high = vec4f();
  for (var feature = 0u; feature < features; feature += 4u) {
    let x = four_of(point, feature);
    // Coordinates past the last feature are 0 on both sides.
    let at = eight_at(group, feature);
    let a = x.xxxx + tiled[at];
    let b = x.xxxx + tiled[at + tile_groups];
    let c = x.yyyy + tiled[at + 2u * tile_groups];
    let d = x.yyyy + tiled[at + 3u * tile_groups];
    let e = x.zzzz + tiled[at + 4u * tile_groups];
    let f = x.zzzz + tiled[at + 5u * tile_groups];
    let g = x.wwww + tiled[at + 6u * tile_groups];
    let h = x.wwww + tiled[at + 7u * tile_groups];
    low = fma(g, g, fma(e, e, fma(c, c, fma(a, a, low))));
    high = fma(h, h, fma(f, f, fma(d, d, fma(b, b, high))));
  }
  let first = group * group_size;
  var best = Nearest(first, low.x);
  best = better(best, first + 1u, low.y);
  best = better(best, first + 2u, low.z);
  best = better(best, first + 3u, low.w);
  best = better(best, first + 4u, high.x);
  best = better(best, first + 5u, high.y);
  best = better(best, first + 6u, high.z);
  return better(best, first + 7u, high.w);
}

@group(0) @binding(8) var<storage, read_write> pair_choices: array<u32>;
@group(0) @binding(9) var<storage, read_write> open_pairs: array<u32>;
@group(0) @binding(10) var<storage, read_write> pair_state: array<u32>;

@compute @workgroup_size(64)
fn decide_pairs(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let at = (group.y * groups.x + group.x) * 64u + lane;
  if (at >= pair_state[pairs_at]) {
    return;
  }
  let index = open_pairs[task.count - 1u - at];
  let choice = pair_choices[index];
  let one = min(choice & 0xffffu, choice >> 16u);
  let other = max(choice & 0xffffu, choice >> 16u);
  let first = nearest_of_group(one, task.first + index);
  let second = nearest_of_group(other, task.first + index);
  let group_of = select(one, other, second.distance < first.distance);
  pair_choices[index] = choice_of(group_of, group_of);
}

const settle_threads = 256u;
const settle_points = 256u;
// Lanes that share a row, four features each, so that neighbours read and add neighbours.
override row_lanes: u32 = 32u;

@group(0) @binding(8) var<storage, read_write> ordered: array<u32>;
@group(0) @binding(9) var<storage, read_write> settle_choices: array<u32>;

// Cluster and place of each point, ordered by cluster; points that are not there come last.
var<workgroup> keys: array<u32, settle_points>;
var<workgroup> sorted_clusters: array<u32, settle_points>;
var<workgroup> sorted_points: array<u32, settle_points>;
const nothing = 0xffffffu;

struct Sums { low: vec4u, high: vec4u }

fn flush_sums(cluster: u32, feature: u32, sums_of_run: Sums) {
  for (var i = 0u; i < 4u; i++) {
    if (feature + i < features) {
      add_to_sum(cluster, feature + i, sums_of_run.low[i], sums_of_run.high[i]);
    }
  }
}

fn scale_of(feature: u32) -> f32 {
  return scales[min(feature, features - 1u)];
}

// Runs of one cluster within the stretch of a lane.
fn add_stretch(lane: u32) {
  let stretch = settle_points * row_lanes / settle_threads;
  let start = lane / row_lanes * stretch;
  for (var feature = lane % row_lanes * 4u; feature < features; feature += row_lanes * 4u) {
    let scale = vec4f(scale_of(feature), scale_of(feature + 1u), scale_of(feature + 2u), scale_of(feature + 3u));
    var cluster = sorted_clusters[start];
    var run = Sums(vec4u(), vec4u());
    for (var at = start; at < start + stretch; at++) {
      let next = sorted_clusters[at];
      if (next == nothing) {
        break;
      }
      if (next != cluster) {
        flush_sums(cluster, feature, run);
        run = Sums(vec4u(), vec4u());
        cluster = next;
      }
      let fixed = vec4u(vec4i(round(four_of(sorted_points[at], feature) * scale)) + bias);
      run.low += fixed;
      run.high += select(vec4u(), vec4u(1u), run.low < fixed);
    }
    if (cluster != nothing) {
      flush_sums(cluster, feature, run);
    }
  }
}

@compute @workgroup_size(settle_threads)
fn settle(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let at = (group.y * groups.x + group.x) * settle_points + lane;
  var cluster = nothing;
  var point = 0u;
  if (at < task.count) {
    let index = ordered[at];
    point = task.first + index;
    cluster = nearest_of_group(settle_choices[index] & 0xffffu, point).cluster;
    let changed = note_label(point, cluster);
    if (count_changes()) {
      atomicAdd(&changed_in_group, changed);
    }
  }
  if (accumulate()) {
    let key = (cluster << 8u) | lane;
    keys[lane] = key;
    workgroupBarrier();
    var rank = 0u;
    for (var i = 0u; i < settle_points; i++) {
      rank += select(0u, 1u, keys[i] < key);
    }
    sorted_clusters[rank] = cluster;
    sorted_points[rank] = point;
    workgroupBarrier();
    add_stretch(lane);
    // The first of a run counts its members.
    let own = sorted_clusters[lane];
    if (own != nothing && (lane == 0u || sorted_clusters[max(lane, 1u) - 1u] != own)) {
      var members = 1u;
      while (lane + members < settle_points && sorted_clusters[min(lane + members, settle_points - 1u)] == own) {
        members++;
      }
      add_to_count(own, members);
    }
  }
  report_changes(lane);
}
