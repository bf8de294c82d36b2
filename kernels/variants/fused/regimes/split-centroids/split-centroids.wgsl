// Two features, many clusters, few points: four points a lane, and teams of lanes that share the
// centroids for the same points, so that few points fill a large card. One dispatch for an
// iteration. Follows task.wgsl, mean.wgsl and fresh_centroids.wgsl in one module.

override threads: u32 = 256u;
// Centroids that there is room for, whole fours.
override max_rows: u32 = 4u;
// Teams of `crew` lanes, `slices` of which take the same 4 * crew points, each some of the
// centroids.
const crew = 32u;
const points_of_crew = 128u;
override slices: u32 = 1u;
override sets: u32 = threads / crew / slices;
override block: u32 = sets * points_of_crew;
const far_off: f32 = 1e15;

@group(0) @binding(1) var<storage, read> pairs: array<vec2f>;
var<workgroup> coordinates: array<f32, 2u * max_rows>;
// -c; a row past the last centroid is nowhere near any point.
var<workgroup> negated: array<vec2f, max_rows>;
// [slice][point]: the nearest centroid of the slice.
var<workgroup> smallest: array<f32, slices * block>;
var<workgroup> nearest: array<u32, slices * block>;

fn distances(x: vec4f, y: vec4f, row: u32) -> vec4f {
  let right = x + negated[row].x;
  let up = y + negated[row].y;
  return fma(up, up, right * right);
}

// The first of the rows of a group of four that is nearest.
fn nearest_in_group(x: vec2f, first: u32) -> u32 {
  var best = first;
  var least = 3e38;
  for (var row = first; row < first + 4u; row++) {
    let difference = x + negated[row];
    let found = fma(difference.y, difference.y, difference.x * difference.x);
    best = select(best, row, found < least);
    least = min(least, found);
  }
  return best;
}

fn load(index: u32) -> vec2f {
  return pairs[task.first + min(index, task.count - 1u)];
}

fn stage(lane: u32, writes: bool) {
  for (var entry = lane; entry < 2u * max_rows; entry += threads) {
    coordinates[entry] = far_off;
    if (entry < 2u * task.k) {
      coordinates[entry] = -fresh_coordinate(entry, writes);
    }
  }
  workgroupBarrier();
  for (var row = lane; row < max_rows; row += threads) {
    negated[row] = vec2f(coordinates[2u * row], coordinates[2u * row + 1u]);
  }
  workgroupBarrier();
}

// Four points of a lane against the rows of a slice.
fn search(first_point: u32, slice: u32, at: u32) {
  let a = load(first_point);
  let b = load(first_point + crew);
  let c = load(first_point + 2u * crew);
  let d = load(first_point + 3u * crew);
  let x = vec4f(a.x, b.x, c.x, d.x);
  let y = vec4f(a.y, b.y, c.y, d.y);
  let run = (max_rows / 4u + slices - 1u) / slices * 4u;
  var least = vec4f(3e38);
  var group = vec4u(min(slice * run, max_rows - 4u));
  for (var row = slice * run; row < min(slice * run + run, max_rows); row += 4u) {
    let low = min(distances(x, y, row), distances(x, y, row + 1u));
    let found = min(low, min(distances(x, y, row + 2u), distances(x, y, row + 3u)));
    group = select(group, vec4u(row), found < least);
    least = min(least, found);
  }
  let position = slice * block + at;
  smallest[position] = least.x;
  smallest[position + crew] = least.y;
  smallest[position + 2u * crew] = least.z;
  smallest[position + 3u * crew] = least.w;
  nearest[position] = nearest_in_group(a, group.x);
  nearest[position + crew] = nearest_in_group(b, group.y);
  nearest[position + 2u * crew] = nearest_in_group(c, group.z);
  nearest[position + 3u * crew] = nearest_in_group(d, group.w);
}

// Equal distances go to the lower slice, whose rows come first.
fn best_of(point: u32) -> u32 {
  var best = nearest[point];
  var least = smallest[point];
  for (var slice = 1u; slice < slices; slice++) {
    let found = smallest[slice * block + point];
    best = select(best, nearest[slice * block + point], found < least);
    least = min(least, found);
  }
  return best;
}

// Both additions are on their way before a carry is looked at.
fn add(cluster: u32, point: vec2f) {
  let words = vec2u(to_fixed(point.x, 0u), to_fixed(point.y, 1u));
  let at = task.slot * task.sums_stride + 4u * cluster;
  let before = vec2u(atomicAdd(&sums[at], words.x), atomicAdd(&sums[at + 2u], words.y));
  add_to_count(cluster, 1u);
  let carries = before + words < before;
  if (carries.x) { atomicAdd(&sums[at + 1u], 1u); }
  if (carries.y) { atomicAdd(&sums[at + 3u], 1u); }
}

fn add_and_label(index: u32, cluster: u32) {
  if (index >= task.count) {
    return;
  }
  if (accumulate()) {
    add(cluster, load(index));
  }
  if (write_labels()) {
    let changed = note_label(task.first + index, cluster);
    if (count_changes()) {
      atomicAdd(&changed_in_group, changed);
    }
  }
}

@compute @workgroup_size(threads)
fn split_centroids(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  stage(lane, group.x + group.y == 0u);
  let start = (group.y * groups.x + group.x) * block;
  let team = lane / crew;
  let at = team / slices * points_of_crew + lane % crew;
  if (team < sets * slices) {
    search(start + at, team % slices, at);
  }
  workgroupBarrier();
  for (var point = lane; point < block; point += threads) {
    add_and_label(start + point, best_of(point));
  }
  report_changes(lane);
}
