// Two features: which centroids can be the nearest of a point in a box. Follows task.wgsl and
// mean.wgsl in one module.

override threads: u32 = 256u;
// Clusters that there is room for.
override rows: u32 = 16u;
// Leaves of a branch, and points of a leaf.
override fan: u32 = 64u;
override leaf_points: u32 = 64u;
// The last bits of a key hold a row: fewer than 1024 of them.
const row_mask = 1023u;

@group(0) @binding(5) var<storage, read_write> stored_centroids: array<f32>;
// As plane-ordering.wgsl leaves them.
@group(0) @binding(7) var<storage, read_write> by_twos: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> nodes: array<vec4u>;

// -c.
var<workgroup> negated: array<vec2f, rows>;

// A centroid of this slot: placed by the host or by `means`, or made here; `writes`: for all others
// as well. All that it is made from is asked for before the first is looked at.
fn fresh_row(row: u32, writes: bool) -> vec2f {
  let own = task.slot * task.centroids_stride + 2u * row;
  if (!means_first()) {
    return vec2f(stored_centroids[own], stored_centroids[own + 1u]);
  }
  let earlier = own - task.centroids_stride;
  let at = (task.slot - 1u) * task.sums_stride + 4u * row;
  let x = vec2u(atomicLoad(&sums[at]), atomicLoad(&sums[at + 1u]));
  let y = vec2u(atomicLoad(&sums[at + 2u]), atomicLoad(&sums[at + 3u]));
  let members = atomicLoad(&counts[(task.slot - 1u) * task.counts_stride + row]);
  // An empty cluster keeps its centroid.
  var centroid = vec2f(stored_centroids[earlier], stored_centroids[earlier + 1u]);
  if (members != 0u) {
    centroid = vec2f(mean_of(x.x, x.y, members, scales[2]), mean_of(y.x, y.y, members, scales[3]));
  }
  if (writes) {
    stored_centroids[own] = centroid.x;
    stored_centroids[own + 1u] = centroid.y;
  }
  return centroid;
}

fn stage(lane: u32, writes: bool) {
  for (var row = lane; row < task.k; row += threads) {
    negated[row] = -fresh_row(row, writes);
  }
  workgroupBarrier();
}

// Its middle, and half of its width with room for rounding.
struct Box { middle: vec2f, half: vec2f }

fn box_of(node: u32) -> Box {
  let box = bitcast<vec4f>(nodes[2u * node]);
  let middle = 0.5 * box.xy + 0.5 * box.zw;
  return Box(middle, 0.500001 * (box.zw - box.xy) + 1e-6 * abs(middle));
}

fn distance(x: vec2f, negated: vec2f) -> f32 {
  let difference = x + negated;
  return fma(difference.y, difference.y, difference.x * difference.x);
}

// For the nearest of several: the row in the last bits. Any row would do to compare the others
// with, so nothing hangs on what is cut off.
fn key_of(distance: f32, row: u32) -> u32 {
  return (bitcast<u32>(distance) & ~row_mask) | row;
}

// Whether a centroid can be the nearest of a point in the box, by another one: not when that one is
// nearer to all points of the box. `step`: from the one to the other; both distances are to the
// middle. proof.md has the margin.
fn can_win(box: Box, step: vec2f, smallest: f32, found: f32) -> bool {
  let reach = 2.0 * dot(abs(step), box.half);
  let margin = 7.62939453125e-06 * (found + smallest + dot(box.half, box.half)) + 1e-36;
  return !(found - smallest - reach > margin);
}

struct Closest { distance: f32, cluster: u32 }

// Equal distances go to the lower index, in whatever order rows come.
fn nearer(closest: Closest, row: u32, distance: f32) -> Closest {
  let wins = distance < closest.distance || (distance == closest.distance && row < closest.cluster);
  return Closest(min(closest.distance, distance), select(closest.cluster, row, wins));
}

// A 64-bit number of two words.
fn plus(low: u32, high: u32, more_low: u32, more_high: u32) -> vec2u {
  let sum = low + more_low;
  return vec2u(sum, high + more_high + select(0u, 1u, sum < low));
}
