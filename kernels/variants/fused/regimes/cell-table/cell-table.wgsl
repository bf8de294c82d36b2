// Two features and many clusters: a table of the plane tells for each cell which centroids can be
// the nearest of a point in it. Follows fresh_centroids.wgsl and plane-cutting.wgsl;
// plane-cutting/proof.md has the margin.

// Of the workgroups that make the table, and of those that go over the points.
override table_threads: u32 = 256u;
override threads: u32 = 256u;
override max_rows: u32 = 8u;
// Copies of a workgroup's sums.
override replicas: u32 = 1u;

// A cell lists its candidates in order, 16 bits each, the last repeated: seven and their number in
// a vector, up to 24 more in three vectors behind those of all cells. The first two tell by their
// top bits whether there are more than two, than four.
const more_than_two = 0x8000u;
const more_than_four = 0x80000000u;
const max_listed = 31u;
@group(0) @binding(8) var<storage, read_write> table: array<vec4u>;

var<workgroup> negated: array<vec2f, max_rows>;
var<workgroup> coordinates: array<f32, 2u * max_rows>;

// A cell is looked at by a team of lanes, each of which takes a run of centroids.
const teams = 32u;
override team: u32 = table_threads / teams;
const list_words = max_listed + 1u;
var<workgroup> found_by: array<Closest, table_threads>;
var<workgroup> listed_by: array<u32, table_threads>;
var<workgroup> lists: array<u32, teams * list_words>;

fn nearest_to(x: vec2f, first: u32, last: u32) -> Closest {
  var closest = Closest(3e38, first);
  for (var row = first; row < last; row++) {
    closest = nearer(closest, row, distance(x, negated[row]));
  }
  return closest;
}

fn two_of(list: u32, at: u32, last: u32) -> u32 {
  return lists[list + min(at, last)] | (lists[list + min(at + 1u, last)] << 16u);
}

fn entry_of(list: u32, vector: u32, total: u32) -> vec4u {
  let last = min(total, max_listed) - 1u;
  let at = select(8u * vector - 1u, 0u, vector == 0u);
  var entry = vec4u(
    two_of(list, at, last),
    two_of(list, at + 2u, last),
    two_of(list, at + 4u, last),
    two_of(list, at + 6u, last),
  );
  if (vector == 0u) {
    entry.x |= select(0u, more_than_two, total > 2u) | select(0u, more_than_four, total > 4u);
    entry.w = (entry.w & 0xffffu) | (total << 16u);
  }
  return entry;
}

@compute @workgroup_size(table_threads)
fn make_table(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  for (var entry = lane; entry < 2u * task.k; entry += table_threads) {
    coordinates[entry] = -fresh_coordinate(entry, group.x == 0u);
  }
  let within = extent_of_points();
  cut_plane(within);
  workgroupBarrier();
  for (var row = lane; row < task.k; row += table_threads) {
    negated[row] = vec2f(coordinates[2u * row], coordinates[2u * row + 1u]);
  }
  workgroupBarrier();
  let index = group.x * teams + lane / team;
  let cell = cell_at(index, within);
  let run = (task.k + team - 1u) / team;
  let first = min(task.k, lane % team * run);
  let last = min(task.k, first + run);
  found_by[lane] = nearest_to(cell.middle, first, last);
  workgroupBarrier();
  let team_at = lane / team * team;
  var own = found_by[team_at];
  for (var other = 1u; other < team; other++) {
    if (found_by[team_at + other].distance < own.distance) {
      own = found_by[team_at + other];
    }
  }
  let centre = negated[min(own.cluster, max_rows - 1u)];
  var count = 0u;
  for (var row = first; row < last; row++) {
    let found = distance(cell.middle, negated[row]);
    count += select(0u, 1u, can_win(cell, negated[row] - centre, own.distance, found));
  }
  listed_by[lane] = count;
  workgroupBarrier();
  var at = 0u;
  var total = 0u;
  for (var other = 0u; other < team; other++) {
    at += select(0u, listed_by[team_at + other], other < lane % team);
    total += listed_by[team_at + other];
  }
  let list = lane / team * list_words;
  if (count > 0u) {
    for (var row = first; row < last; row++) {
      let found = distance(cell.middle, negated[row]);
      if (can_win(cell, negated[row] - centre, own.distance, found)) {
        if (at < max_listed) {
          lists[list + at] = row;
        }
        at++;
      }
    }
  }
  workgroupBarrier();
  if (lane % team < 4u && index < side * side) {
    let to = select(side * side + 3u * index + lane % team - 1u, index, lane % team == 0u);
    table[to] = entry_of(list, lane % team, total);
  }
}

var<workgroup> beginnings: array<vec2u, side * side>;
// [upper, lower of both features, members][cluster][copy].
var<workgroup> partial: array<atomic<u32>, 5u * max_rows * replicas>;
var<private> scale: vec2f;

// A coordinate in fixed point is H * 2^15 + L, |H| <= 2^15 and |L| <= 2^14. Added to `magic`, both
// stand in the last bits of a float, whose bits, magic_bits + H, are what is added up: no
// conversion, nothing carries over among fewer than 2^16 points, no addition is waited for. By
// `fma`, which compilers do not take apart.
const magic: f32 = 12582912.0;
const magic_bits = 0x4b400000u;
const upper_unit: f32 = 32768.0;

fn try_row(closest: Closest, row: u32, x: vec2f) -> Closest {
  return nearer(closest, row, distance(x, negated[row]));
}

fn try_two(closest: Closest, rows: u32, x: vec2f) -> Closest {
  return try_row(try_row(closest, rows & 0x7fffu, x), (rows >> 16u) & 0x7fffu, x);
}

// Candidates after the fourth, or all.
fn nearest_of_more(x: vec2f, index: u32, first: Closest) -> u32 {
  let entry = table[index];
  let total = entry.w >> 16u;
  if (total > max_listed) {
    return nearest_to(x, 0u, task.k).cluster;
  }
  var closest = try_row(try_two(first, entry.z, x), entry.w & 0x7fffu, x);
  for (var vector = 0u; 8u * vector + 7u < total; vector++) {
    let more = table[side * side + 3u * index + vector];
    closest = try_two(try_two(closest, more.x, x), more.y, x);
    closest = try_two(try_two(closest, more.z, x), more.w, x);
  }
  return closest.cluster;
}

fn nearest(x: vec2f) -> u32 {
  let index = cell_of(x);
  let entry = beginnings[index];
  let first = entry.x & 0x7fffu;
  var closest = try_row(Closest(distance(x, negated[first]), first), (entry.x >> 16u) & 0x7fffu, x);
  if ((entry.x & more_than_two) != 0u) {
    closest = try_two(closest, entry.y, x);
    if ((entry.x & more_than_four) != 0u) {
      return nearest_of_more(x, index, closest);
    }
  }
  return closest.cluster;
}

fn add(cluster: u32, point: vec2f, lane: u32) {
  let fixed = point * scale;
  let upper = fma(fixed, vec2f(1.0 / upper_unit), vec2f(magic));
  let lower = fma(upper - magic, vec2f(-upper_unit), fixed) + magic;
  let at = cluster * replicas + lane % replicas;
  atomicAdd(&partial[at], bitcast<u32>(upper.x));
  atomicAdd(&partial[at + max_rows * replicas], bitcast<u32>(lower.x));
  atomicAdd(&partial[at + 2u * max_rows * replicas], bitcast<u32>(upper.y));
  atomicAdd(&partial[at + 3u * max_rows * replicas], bitcast<u32>(lower.y));
  atomicAdd(&partial[at + 4u * max_rows * replicas], 1u);
}

fn assign_point(index: u32, point: vec2f, lane: u32) {
  let cluster = nearest(point);
  if (index >= task.count) {
    return;
  }
  if (accumulate()) {
    add(cluster, point, lane);
  }
  if (write_labels()) {
    let changed = note_label(task.first + index, cluster);
    if (count_changes()) {
      atomicAdd(&changed_in_group, changed);
    }
  }
}

// Two points from an even index on; a lane past the end repeats the last ones.
fn load_two(index: u32) -> vec4f {
  return points_by_twos[(task.first + min(index, task.count - 1u)) / 2u];
}

fn sum_of(word: u32, cluster: u32) -> u32 {
  var sum = 0u;
  for (var replica = 0u; replica < replicas; replica++) {
    sum += atomicLoad(&partial[(word * max_rows + cluster) * replicas + replica]);
  }
  return sum;
}

// members * 2^30 + upper * 2^15 + lower, in two words.
fn flush(lane: u32) {
  for (var entry = lane; entry < 2u * task.k; entry += threads) {
    let cluster = entry / 2u;
    let members = sum_of(4u, cluster);
    if (members != 0u) {
      let upper = sum_of(2u * (entry % 2u), cluster) - members * magic_bits;
      let lower = sum_of(2u * (entry % 2u) + 1u, cluster) - members * magic_bits;
      let bias_low = members << 30u;
      let sum = bias_low + (upper << 15u);
      let low = sum + lower;
      let carries = select(0u, 1u, sum < bias_low) + select(0u, 1u, low < sum);
      let signs = bitcast<u32>(bitcast<i32>(upper) >> 17u) + bitcast<u32>(bitcast<i32>(lower) >> 31u);
      add_to_sum(cluster, entry % 2u, low, (members >> 2u) + signs + carries);
      if (entry % 2u == 0u) {
        add_to_count(cluster, members);
      }
    }
  }
}

// Persistent workgroups: each takes every `groups`-th block of points.
@compute @workgroup_size(threads)
fn by_table(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  cut_plane(extent_of_points());
  scale = vec2f(scales[0], scales[1]);
  for (var row = lane; row < task.k; row += threads) {
    let at = task.slot * task.centroids_stride + 2u * row;
    negated[row] = -vec2f(centroids[at], centroids[at + 1u]);
  }
  for (var index = lane; index < side * side; index += threads) {
    beginnings[index] = table[index].xy;
  }
  workgroupBarrier();
  let block = 4u * threads;
  for (var start = group.x * block; start < task.count; start += groups.x * block) {
    let index = start + 2u * lane;
    let a = load_two(index);
    let b = load_two(index + 2u * threads);
    assign_point(index, a.xy, lane);
    assign_point(index + 1u, a.zw, lane);
    assign_point(index + 2u * threads, b.xy, lane);
    assign_point(index + 2u * threads + 1u, b.zw, lane);
  }
  if (accumulate()) {
    workgroupBarrier();
    flush(lane);
  }
  report_changes(lane);
}
