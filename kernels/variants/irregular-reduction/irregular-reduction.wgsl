// A group assigns its points; the members of a cluster become neighbours within the group by atomic
// counters and are added in log steps; a further kernel adds what the groups have. Follows task.wgsl
// and columns.wgsl in one module.

// Groups that keep partial sums; each takes every max_groups-th block of points.
override max_groups: u32 = 1u;
// Clusters whose members are gathered at a time, and features that are added at a time.
override tile: u32 = 1u;
override slice: u32 = 1u;
// Items of a group that adds partials: a power of two.
override mergers: u32 = 256u;

const items = 256u;
const no_cluster = 0xffffffffu;

// (groups, k, features): low and high word; (groups, k).
@group(0) @binding(8) var<storage, read_write> partial_sums: array<vec2u>;
@group(0) @binding(9) var<storage, read_write> partial_counts: array<u32>;

// Of the tile: members of each cluster in this block, and where its places begin.
var<workgroup> members: array<atomic<u32>, tile>;
var<workgroup> begins: array<u32, tile>;
// Places given away, and members of the largest cluster.
var<workgroup> given: atomic<u32>;
var<workgroup> largest: atomic<u32>;
var<workgroup> longest: u32;
// [feature of the slice][place]: lower and upper 16 bits, so that 256 of them add up without a
// carry.
var<workgroup> halves: array<vec2u, slice * items>;

// Where a work item stands among the members of its cluster.
struct Standing {
  takes_part: bool,
  // Within the cluster, of `size`.
  rank: u32,
  size: u32,
  // Within the group.
  position: u32,
}

fn groups_at_work() -> u32 {
  return min((task.count + items - 1u) / items, max_groups);
}

fn plus(a: vec2u, b: vec2u) -> vec2u {
  let low = a.x + b.x;
  return vec2u(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn clear_partials(group: u32, lane: u32) {
  for (var cluster = lane; cluster < task.k; cluster += items) {
    partial_counts[group * task.k + cluster] = 0u;
  }
  for (var at = lane; at < task.k * features; at += items) {
    partial_sums[group * task.k * features + at] = vec2u();
  }
  storageBarrier();
}

// Ranks by a counter for each cluster, then places by a counter for all, so that a cluster's
// members are neighbours. `row`: cluster within the tile of `rows` clusters; beyond them for an
// item that sits this tile out.
fn stand(row: u32, rows: u32, lane: u32) -> Standing {
  // Items may still read the counters of the tile before.
  workgroupBarrier();
  for (var at = lane; at < rows; at += items) {
    atomicStore(&members[at], 0u);
  }
  if (lane == 0u) {
    atomicStore(&given, 0u);
    atomicStore(&largest, 0u);
  }
  workgroupBarrier();
  var standing = Standing(row < rows, 0u, 0u, 0u);
  if (standing.takes_part) {
    standing.rank = atomicAdd(&members[row], 1u);
  }
  workgroupBarrier();
  for (var at = lane; at < rows; at += items) {
    let size = atomicLoad(&members[at]);
    if (size > 0u) {
      begins[at] = atomicAdd(&given, size);
      atomicMax(&largest, size);
    }
  }
  workgroupBarrier();
  if (standing.takes_part) {
    standing.size = atomicLoad(&members[row]);
    standing.position = begins[row] + standing.rank;
  }
  if (lane == 0u) {
    longest = atomicLoad(&largest);
  }
  return standing;
}

// Sums `width` features from `base` on; afterwards the first place of each cluster holds its sum.
fn add_in_log_steps(point: u32, base: u32, width: u32, standing: Standing) {
  // Items may still read the sums of the slice before.
  workgroupBarrier();
  if (standing.takes_part) {
    for (var feature = 0u; feature < width; feature++) {
      let fixed = to_fixed(value_at(point, base + feature), base + feature);
      halves[feature * items + standing.position] = vec2u(fixed & 0xffffu, fixed >> 16u);
    }
  }
  let most = workgroupUniformLoad(&longest);
  for (var step = 1u; step < most; step <<= 1u) {
    if (standing.takes_part && standing.rank % (2u * step) == 0u && standing.rank + step < standing.size) {
      for (var feature = 0u; feature < width; feature++) {
        let at = feature * items + standing.position;
        halves[at] += halves[at + step];
      }
    }
    workgroupBarrier();
  }
}

// Takes the sums of a slice over into the group's partials. A cluster always falls to the same
// item.
fn keep_sums(group: u32, first: u32, rows: u32, base: u32, width: u32, lane: u32) {
  for (var row = lane; row < rows; row += items) {
    let size = atomicLoad(&members[row]);
    if (size > 0u) {
      let cluster = group * task.k + first + row;
      if (base == 0u) {
        partial_counts[cluster] += size;
      }
      for (var feature = 0u; feature < width; feature++) {
        let sum = halves[feature * items + begins[row]];
        let at = cluster * features + base + feature;
        partial_sums[at] = plus(partial_sums[at], plus(vec2u(sum.y << 16u, sum.y >> 16u), vec2u(sum.x, 0u)));
      }
    }
  }
}

// The study's one kernel: map and reduction within the group.
@compute @workgroup_size(256)
fn assign_and_reduce(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
  let group = id.x;
  if (accumulate()) {
    clear_partials(group, lane);
  }
  for (var start = group * items; start < task.count; start += groups_at_work() * items) {
    // An item past the end works on the last point and belongs to no cluster, but keeps up with the
    // barriers.
    let is_point = start + lane < task.count;
    let point = task.first + min(start + lane, task.count - 1u);
    let own = nearest(point);
    if (is_point) {
      let changed = note_label(point, own);
      if (count_changes()) {
        atomicAdd(&changed_in_group, changed);
      }
    }
    if (!accumulate()) {
      continue;
    }
    let cluster = select(no_cluster, own, is_point);
    for (var first = 0u; first < task.k; first += tile) {
      let rows = min(tile, task.k - first);
      let standing = stand(cluster - first, rows, lane);
      for (var base = 0u; base < features; base += slice) {
        let width = min(slice, features - base);
        add_in_log_steps(point, base, width, standing);
        keep_sums(group, first, rows, base, width, lane);
      }
    }
  }
  report_changes(lane);
}

var<workgroup> collected: array<vec2u, mergers>;

// The sum of what all items have, for item 0.
fn sum_over_items(mine: vec2u, lane: u32) -> vec2u {
  workgroupBarrier();
  collected[lane] = mine;
  for (var step = mergers / 2u; step > 0u; step >>= 1u) {
    workgroupBarrier();
    if (lane < step) {
      collected[lane] = plus(collected[lane], collected[lane + step]);
    }
  }
  return collected[0];
}

// One group per cluster adds the partials.
@compute @workgroup_size(mergers)
fn merge(
  @builtin(workgroup_id) id: vec3u,
  @builtin(num_workgroups) grid: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let cluster = id.y * grid.x + id.x;
  if (!accumulate() || cluster >= task.k) {
    return;
  }
  var mine = vec2u();
  for (var group = lane; group < groups_at_work(); group += mergers) {
    mine.x += partial_counts[group * task.k + cluster];
  }
  let size = sum_over_items(mine, lane);
  if (lane == 0u) {
    add_to_count(cluster, size.x);
  }
  for (var feature = 0u; feature < features; feature++) {
    mine = vec2u();
    for (var group = lane; group < groups_at_work(); group += mergers) {
      mine = plus(mine, partial_sums[(group * task.k + cluster) * features + feature]);
    }
    let sum = sum_over_items(mine, lane);
    if (lane == 0u) {
      add_to_sum(cluster, feature, sum.x, sum.y);
    }
  }
}
