// Two features: which centroids can be the nearest of a point in a box. Follows whole_numbers.wgsl in
// one module.

override threads: u32 = 256u;
// Clusters that there is room for.
override rows: u32 = 16u;
// Leaves of a branch, and points of a leaf.
override fan: u32 = 64u;
override leaf_points: u32 = 64u;
// The last bits of a key hold a row: fewer than 1024 of them.
const row_mask = 1023u;

// As plane-ordering.wgsl leaves them.
@group(0) @binding(7) var<storage, read_write> by_twos: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> nodes: array<vec4u>;

// -c.
var<workgroup> negated: array<vec2f, rows>;

fn stage(lane: u32) {
  for (var row = lane; row < task.k; row += threads) {
    let at = task.slot * task.centroids_stride + 2u * row;
    negated[row] = -vec2f(centroids[at], centroids[at + 1u]);
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

// With the smallest distance of the others.
struct Closest { distance: f32, cluster: u32, next: f32 }

// In whatever order rows come, each once.
fn nearer(closest: Closest, row: u32, distance: f32) -> Closest {
  return Closest(
    min(closest.distance, distance),
    select(closest.cluster, row, distance < closest.distance),
    min(closest.next, max(closest.distance, distance)),
  );
}

// Sums of a node: low and high words of x and y.
fn sums_of(node: u32) -> vec4u {
  return nodes[2u * node + 1u];
}

// A point as a node of its own has it.
fn words_of(point: vec2f) -> vec4u {
  let added = whole_of(point.xyxy, vec2f(finest_of(0u), finest_of(1u)).xyxy);
  return vec4u(added.low.x, added.high.x, added.low.y, added.high.y);
}
