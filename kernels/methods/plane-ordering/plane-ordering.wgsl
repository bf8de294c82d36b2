// Two features: once for each part, a copy of its points in the order of a curve through the plane,
// and the box and the sums of each leaf (a few points) and each branch (`fan` leaves) of that
// order. Follows whole_numbers.wgsl in one module.

// Bins of the plane a side, a power of two. Within a bin points lie as it comes: sums are integers,
// so nothing shows of it.
override side_bits: u32 = 8u;
override side: u32 = 1u << side_bits;
override bins_total: u32 = side * side;
override fan: u32 = 64u;
override leaf_points: u32 = 64u;
// Bins of a workgroup of the scan.
const scan_threads = 256u;
const scanned_together = 1024u;

@group(0) @binding(1) var<storage, read> pairs: array<vec2f>;
// Points of each bin, then where the next one of it goes; behind them the sums of the scan's
// workgroups.
@group(0) @binding(7) var<storage, read_write> bins: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> plain_bins: array<u32>;
// Low corner of the bins, and bins to a unit.
@group(0) @binding(8) var<storage, read_write> extent: array<vec2f, 2>;
@group(0) @binding(9) var<storage, read_write> ordered: array<vec2f>;
// Two vectors for each leaf, then two for each branch: the box (least x and y, greatest x and y), as
// bits, and the sums of x and y, low and high word.
@group(0) @binding(10) var<storage, read_write> nodes: array<vec4u>;

// What most points lie in, by a sample without its outliers, which would leave all others in few
// bins.
const sampled = 512u;
const left_out = 3u;
var<workgroup> sample: array<vec2f, sampled>;
// Least x and y, greatest x and y.
var<workgroup> corners: array<f32, 4>;

@compute @workgroup_size(256)
fn find_extent(@builtin(local_invocation_index) lane: u32) {
  let apart = max(1u, task.count / sampled);
  for (var at = lane; at < sampled; at += 256u) {
    sample[at] = pairs[min(at * apart, max(task.count, 1u) - 1u)];
  }
  workgroupBarrier();
  for (var at = lane; at < sampled; at += 256u) {
    let own = sample[at];
    var above = vec2u();
    var below = vec2u();
    for (var other = 0u; other < sampled; other++) {
      let is_before = other < at;
      let each = sample[other];
      above += select(vec2u(), vec2u(1u), (each > own) | ((each == own) & vec2<bool>(is_before)));
      below += select(vec2u(), vec2u(1u), (each < own) | ((each == own) & vec2<bool>(is_before)));
    }
    if (below.x == left_out) { corners[0] = own.x; }
    if (below.y == left_out) { corners[1] = own.y; }
    if (above.x == left_out) { corners[2] = own.x; }
    if (above.y == left_out) { corners[3] = own.y; }
  }
  workgroupBarrier();
  if (lane == 0u) {
    let least = vec2f(corners[0], corners[1]);
    let wide = vec2f(corners[2], corners[3]) - least;
    let low = least - 0.02 * wide;
    let scale = f32(side) / max(1.04 * wide, vec2f(1e-30));
    extent[0] = low;
    extent[1] = scale;
  }
}

// Neighbours on a Hilbert curve are neighbours in the plane.
fn bin_of(point: vec2f) -> u32 {
  let along = clamp((point - extent[0]) * extent[1], vec2f(), vec2f(f32(side) - 1.0));
  var at = vec2u(along) & vec2u(side - 1u);
  var position = 0u;
  for (var step = side >> 1u; step > 0u; step >>= 1u) {
    let right = select(0u, 1u, (at.x & step) != 0u);
    let up = select(0u, 1u, (at.y & step) != 0u);
    position = (position << 2u) | ((3u * right) ^ up);
    if (up == 0u) {
      at = select(at, vec2u(side - 1u) - at, right == 1u).yx;
    }
  }
  return position;
}

@compute @workgroup_size(256)
fn clear_bins(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var bin = group.x * 256u + lane; bin < bins_total; bin += groups.x * 256u) {
    plain_bins[bin] = 0u;
  }
}

@compute @workgroup_size(256)
fn count_bins(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var index = group.x * 256u + lane; index < task.count; index += groups.x * 256u) {
    atomicAdd(&bins[bin_of(pairs[index])], 1u);
  }
}

var<workgroup> scanned: array<u32, scan_threads>;

// Sum of the values of the lanes before, and of all.
struct Scan { before: u32, all: u32 }

fn scan(lane: u32, value: u32) -> Scan {
  scanned[lane] = value;
  workgroupBarrier();
  for (var step = 1u; step < scan_threads; step *= 2u) {
    let sum = scanned[lane] + select(0u, scanned[max(lane, step) - step], lane >= step);
    workgroupBarrier();
    scanned[lane] = sum;
    workgroupBarrier();
  }
  return Scan(scanned[lane] - value, scanned[scan_threads - 1u]);
}

fn four_from(first: u32) -> vec4u {
  return vec4u(plain_bins[first], plain_bins[first + 1u], plain_bins[first + 2u], plain_bins[first + 3u]);
}

@compute @workgroup_size(256)
fn sum_bins(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let four = four_from(group.x * scanned_together + 4u * lane);
  let all = scan(lane, four.x + four.y + four.z + four.w).all;
  if (lane == 0u) {
    plain_bins[bins_total + group.x] = all;
  }
}

// The sums of the workgroups to those before each of them, by one workgroup.
@compute @workgroup_size(256)
fn scan_sums(@builtin(local_invocation_index) lane: u32) {
  let run = (bins_total / scanned_together + scan_threads - 1u) / scan_threads;
  let first = min(lane * run, bins_total / scanned_together);
  let last = min(first + run, bins_total / scanned_together);
  var sum = 0u;
  for (var at = first; at < last; at++) {
    sum += plain_bins[bins_total + at];
  }
  var start = scan(lane, sum).before;
  for (var at = first; at < last; at++) {
    let each = plain_bins[bins_total + at];
    plain_bins[bins_total + at] = start;
    start += each;
  }
}

@compute @workgroup_size(256)
fn start_bins(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let first = group.x * scanned_together + 4u * lane;
  let four = four_from(first);
  let start = plain_bins[bins_total + group.x] + scan(lane, four.x + four.y + four.z + four.w).before;
  plain_bins[first] = start;
  plain_bins[first + 1u] = start + four.x;
  plain_bins[first + 2u] = start + four.x + four.y;
  plain_bins[first + 3u] = start + four.x + four.y + four.z;
}

@compute @workgroup_size(256)
fn scatter_points(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var index = group.x * 256u + lane; index < task.count; index += groups.x * 256u) {
    let point = pairs[index];
    ordered[atomicAdd(&bins[bin_of(point)], 1u)] = point;
  }
}

@compute @workgroup_size(64)
fn describe_leaves(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let leaf = (group.y * groups.x + group.x) * 64u + lane;
  let first = leaf * leaf_points;
  if (first >= task.count) {
    return;
  }
  let finest = vec2f(finest_of(0u), finest_of(1u)).xyxy;
  var box = vec4f(ordered[first], ordered[first]);
  var x = vec2u();
  var y = vec2u();
  for (var index = first; index < min(first + leaf_points, task.count); index++) {
    let point = ordered[index];
    box = vec4f(min(box.xy, point), max(box.zw, point));
    let added = whole_of(point.xyxy, finest);
    x = plus_words(x, vec2u(added.low.x, added.high.x));
    y = plus_words(y, vec2u(added.low.y, added.high.y));
  }
  nodes[2u * leaf] = bitcast<vec4u>(box);
  nodes[2u * leaf + 1u] = vec4u(x, y);
}

@compute @workgroup_size(64)
fn describe_branches(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let branch = (group.y * groups.x + group.x) * 64u + lane;
  let leaves = (task.count + leaf_points - 1u) / leaf_points;
  let first = branch * fan;
  if (first >= leaves) {
    return;
  }
  var box = bitcast<vec4f>(nodes[2u * first]);
  var x = vec2u();
  var y = vec2u();
  for (var leaf = first; leaf < min(first + fan, leaves); leaf++) {
    let each = bitcast<vec4f>(nodes[2u * leaf]);
    let sums = nodes[2u * leaf + 1u];
    box = vec4f(min(box.xy, each.xy), max(box.zw, each.zw));
    x = plus_words(x, sums.xy);
    y = plus_words(y, sums.zw);
  }
  nodes[2u * (leaves + branch)] = bitcast<vec4u>(box);
  nodes[2u * (leaves + branch) + 1u] = vec4u(x, y);
}
