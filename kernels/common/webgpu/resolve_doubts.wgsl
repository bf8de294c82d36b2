// Points in doubt, several at a time by a workgroup: each goes through all centroids, or through the
// two that are known to be its only candidates. Computed distances leave out the centroids that are
// certainly farther than the nearest so far; what they leave is decided by the difference of two
// distances, added up as one sum, and where that does not tell either by whole numbers. So the
// nearest so far is always the nearest, of equal ones the one with the lowest index.
// Follows task.wgsl and exact_order.wgsl; a file with `take_resolved`, which is told the nearest, and
// `point_words`, the bits of the points, follows. kernels/methods/canonical/proof.md has the bounds.

override resolve_threads: u32 = 64u;
// Points at once, and lanes that share a row of all of them, so that neighbours read neighbours.
const together = 8u;
// Lanes of a point, and rows that are looked at at once.
override team: u32 = resolve_threads / together;

// Bits: a driver may flush what is denormal.
@group(0) @binding(5) var<storage, read> centroid_words: array<u32>;

var<workgroup> doubts_total: u32;
// Of each point: the entry in the list, where its row begins, the nearest so far, the smallest
// computed distance so far, and whether its candidates are known.
var<workgroup> entries: array<u32, together>;
var<workgroup> rows_at: array<u32, together>;
var<workgroup> nearest: array<u32, together>;
var<workgroup> min_so_far: array<f32, together>;
var<workgroup> is_paired: array<u32, together>;
var<workgroup> unpaired: atomic<u32>;
// [turn of two][point][lane]: what lanes hand to each other.
var<workgroup> shares: array<f32, 2u * together * resolve_threads>;
var<workgroup> distances_now: array<f32, resolve_threads>;
// Of each point: clusters that distances do not tell from the nearest so far, how many there are, and
// how many of them are decided.
var<workgroup> rivals: array<u32, resolve_threads>;
var<workgroup> rivals_found: array<atomic<u32>, together>;
var<workgroup> rivals_done: array<u32, together>;
var<workgroup> max_rivals: atomic<u32>;
var<workgroup> turns: u32;
var<workgroup> unclear: atomic<u32>;
var<workgroup> unclear_total: u32;
// Whether a lane has several clusters that may be the nearest to its point.
var<workgroup> crowded: atomic<u32>;
var<workgroup> crowded_total: u32;
// Exact differences.
var<workgroup> columns: array<atomic<i32>, together * exact_columns>;
var<workgroup> is_rival_nearer: array<u32, together>;

const no_cluster = 0xffffffffu;

fn centroid_row_at(cluster: u32) -> u32 {
  return task.slot * task.centroids_stride + min(cluster, task.k - 1u) * task.d;
}

fn point_value(at: u32) -> f32 {
  return bitcast<f32>(point_words[at]);
}

// Squares of a feature of all points; 0 past the last.
struct Squares { low: vec4f, high: vec4f }

fn squares_of(feature: u32, centroid_at: u32, low_at: vec4u, high_at: vec4u) -> Squares {
  let at = min(feature, task.d - 1u);
  let c = vec4f(bitcast<f32>(centroid_words[centroid_at + at]));
  let a = low_at + vec4u(at);
  let b = high_at + vec4u(at);
  let from_low = vec4f(point_value(a.x), point_value(a.y), point_value(a.z), point_value(a.w)) - c;
  let from_high = vec4f(point_value(b.x), point_value(b.y), point_value(b.z), point_value(b.w)) - c;
  let is_there = feature < task.d;
  return Squares(select(vec4f(), from_low * from_low, is_there), select(vec4f(), from_high * from_high, is_there));
}

// Of one cluster and all points: what every `together`-th feature adds to their distances. Four of them
// are asked for at once.
fn share_distances(cluster: u32, turn: u32, lane: u32) {
  let centroid_at = centroid_row_at(cluster);
  let low_at = vec4u(rows_at[0], rows_at[1], rows_at[2], rows_at[3]);
  let high_at = vec4u(rows_at[4], rows_at[5], rows_at[6], rows_at[7]);
  var low = vec4f();
  var high = vec4f();
  for (var feature = lane % together; feature < task.d; feature += 4u * together) {
    let a = squares_of(feature, centroid_at, low_at, high_at);
    let b = squares_of(feature + together, centroid_at, low_at, high_at);
    let c = squares_of(feature + 2u * together, centroid_at, low_at, high_at);
    let d = squares_of(feature + 3u * together, centroid_at, low_at, high_at);
    low += (a.low + b.low) + (c.low + d.low);
    high += (a.high + b.high) + (c.high + d.high);
  }
  let at = turn * together * resolve_threads + lane;
  for (var i = 0u; i < 4u; i++) {
    shares[at + i * resolve_threads] = low[i];
    shares[at + (4u + i) * resolve_threads] = high[i];
  }
}

// Of the lane's point and its cluster of those at once, from what was shared.
fn shared_distance(turn: u32, lane: u32) -> f32 {
  let at = (turn * together + lane / team) * resolve_threads + lane % team * together;
  var distance = 0.0;
  for (var i = 0u; i < together; i++) {
    distance += shares[at + i];
  }
  // Beyond the range all are rivals of each other.
  return min(distance, 3e38);
}

// Roundings that a term of a distance meets here.
fn share_roundings() -> u32 {
  return (task.d + together - 1u) / together + together + 3u;
}

// Whether two clusters have the same centroid, bit by bit.
fn is_copy(cluster: u32, other: u32) -> bool {
  let a_row = centroid_row_at(cluster);
  let b_row = centroid_row_at(other);
  for (var feature = 0u; feature < task.d; feature++) {
    if (centroid_words[a_row + feature] != centroid_words[b_row + feature]) {
      return false;
    }
  }
  return true;
}

// Those of the point's clusters at once that may be as near as the nearest so far go to its rivals. Copies
// of it, or where there is none of the first at once, are no rivals: they are as near, and come later. Where
// there are fewer distinct points than clusters nearly all are copies.
fn find_rivals(first: u32, lane: u32) {
  share_distances(first + lane / together, 0u, lane);
  workgroupBarrier();
  let own = lane / team;
  let cluster = first + lane % team;
  distances_now[lane] = select(3e38, shared_distance(0u, lane), cluster < task.k);
  workgroupBarrier();
  let before = min_so_far[own];
  var least = before;
  for (var i = 0u; i < team; i++) {
    least = min(least, distances_now[own * team + i]);
  }
  let margin_roundings = share_roundings();
  let model = select(nearest[own], first, nearest[own] == no_cluster);
  let is_rival = cluster < task.k && is_paired[own] == 0u && !is_farther(least, distances_now[lane], margin_roundings) &&
    (cluster == model || !is_copy(cluster, model));
  let is_beaten = is_farther(least, before, margin_roundings);
  workgroupBarrier();
  if (lane % team == 0u) {
    min_so_far[own] = least;
    if (is_beaten && is_paired[own] == 0u) {
      nearest[own] = no_cluster;
    }
  }
  if (is_rival) {
    rivals[own * team + atomicAdd(&rivals_found[own], 1u)] = cluster;
  }
  workgroupBarrier();
}

// The rivals of all points at once, with a barrier for so many rows as are looked at together: each lane
// notes the nearest of its clusters. Answers whether one of them has several that may be the nearest;
// then no rivals are noted.
fn find_all_rivals(lane: u32) -> bool {
  let own = lane / team;
  var own_distance = 3e38;
  var own_next = 3e38;
  var own_cluster = no_cluster;
  var seen = 0u;
  var turn = 0u;
  for (var first = 0u; first < task.k; first += team) {
    share_distances(first + lane / together, turn, lane);
    workgroupBarrier();
    let cluster = first + lane % team;
    if (cluster < task.k) {
      let distance = shared_distance(turn, lane);
      let is_nearer = seen == 0u || distance < own_distance;
      own_next = select(min(own_next, max(own_distance, distance)), own_next, seen == 0u);
      own_cluster = select(own_cluster, cluster, is_nearer);
      own_distance = min(own_distance, distance);
      seen++;
    }
    turn = 1u - turn;
  }
  distances_now[lane] = own_distance;
  workgroupBarrier();
  var least = 3e38;
  for (var i = 0u; i < team; i++) {
    least = min(least, distances_now[own * team + i]);
  }
  let margin_roundings = share_roundings();
  let is_open = is_paired[own] == 0u && seen > 0u;
  if (is_open && !is_farther(least, own_distance, margin_roundings)) {
    rivals[own * team + atomicAdd(&rivals_found[own], 1u)] = own_cluster;
  }
  if (is_open && seen > 1u && !is_farther(least, own_next, margin_roundings)) {
    atomicStore(&crowded, 1u);
  }
  workgroupBarrier();
  if (lane == 0u) {
    crowded_total = atomicExchange(&crowded, 0u);
  }
  let is_crowded = workgroupUniformLoad(&crowded_total) != 0u;
  if (is_crowded && lane % team == 0u) {
    atomicStore(&rivals_found[own], 0u);
  }
  workgroupBarrier();
  return is_crowded;
}

// The sum of (a - b) (a - x) + (a - b) (b - x), by which the squared distance to the nearest so far, a,
// exceeds that to a rival, b; above the sum of the magnitudes. Each lane has features of its own.
fn share_difference(row: u32, a_row: u32, b_row: u32, lane: u32) {
  var by_a = 0.0;
  var by_b = 0.0;
  var magnitude = 0.0;
  for (var feature = lane % team; feature < task.d; feature += team) {
    let x = point_value(row + feature);
    let a = bitcast<f32>(centroid_words[a_row + feature]);
    let b = bitcast<f32>(centroid_words[b_row + feature]);
    let apart = a - b;
    let from_a = a - x;
    let from_b = b - x;
    by_a = fma(apart, from_a, by_a);
    by_b = fma(apart, from_b, by_b);
    magnitude = fma(abs(apart), abs(from_a) + abs(from_b), magnitude);
  }
  shares[lane] = by_a + by_b;
  shares[resolve_threads + lane] = magnitude;
}

// Exact terms that lanes add before carries are taken on: no column goes over.
const carried_features = 4096u;

// The exact difference of the squared distances to `b` and `a`; coordinates that both have are left out.
fn add_exactly(own: u32, row: u32, a_row: u32, b_row: u32, begin: u32, lane: u32) {
  let end = min(begin + carried_features, task.d);
  for (var feature = begin + lane % team; feature < end; feature += team) {
    let a = centroid_words[a_row + feature];
    let b = centroid_words[b_row + feature];
    if (a != b) {
      let x = point_words[row + feature];
      add_difference(own, x, b, false);
      add_difference(own, x, a, true);
    }
  }
}

// The next rival of each point that has one left.
fn decide_rival(lane: u32) {
  let own = lane / team;
  let at = rivals_done[own];
  let has_rival = at < atomicLoad(&rivals_found[own]);
  let rival = rivals[own * team + min(at, team - 1u)];
  let so_far = nearest[own];
  let row = rows_at[own];
  let a_row = centroid_row_at(so_far);
  let b_row = centroid_row_at(rival);
  if (has_rival) {
    share_difference(row, a_row, b_row, lane);
  }
  workgroupBarrier();
  var difference = 0.0;
  var magnitude = 0.0;
  for (var i = own * team; i < own * team + team; i++) {
    difference += shares[i];
    magnitude += shares[resolve_threads + i];
  }
  let share = 1.1 * f32((task.d + team - 1u) / team + team + 8u) * rounding;
  let is_clear = share < 0.04 && abs(difference) > share * magnitude + f32(task.d) * underflow;
  let is_unclear = has_rival && !is_clear;
  var is_nearer = difference > 0.0;
  if (lane % team == 0u && is_unclear) {
    atomicStore(&unclear, 1u);
  }
  workgroupBarrier();
  if (lane == 0u) {
    unclear_total = atomicExchange(&unclear, 0u);
  }
  if (workgroupUniformLoad(&unclear_total) != 0u) {
    for (var i = lane; i < together * exact_columns; i += resolve_threads) {
      atomicStore(&columns[i], 0i);
    }
    workgroupBarrier();
    for (var begin = 0u; begin < task.d; begin += carried_features) {
      if (is_unclear) {
        add_exactly(own, row, a_row, b_row, begin, lane);
      }
      workgroupBarrier();
      if (lane % team == 0u && is_unclear) {
        let sign = carried_sign(own);
        is_rival_nearer[own] = select(0u, 1u, sign < 0i || (sign == 0i && rival < so_far));
      }
      workgroupBarrier();
    }
    is_nearer = select(is_nearer, is_rival_nearer[own] != 0u, is_unclear);
  }
  if (lane % team == 0u && has_rival) {
    nearest[own] = select(so_far, rival, is_nearer);
    rivals_done[own] = at + 1u;
  }
  workgroupBarrier();
}

// All rivals against the nearest so far; the first one takes an empty place.
fn decide_rivals(lane: u32) {
  let own = lane / team;
  if (lane % team == 0u) {
    let found = atomicLoad(&rivals_found[own]);
    var done = 0u;
    if (found > 0u && nearest[own] == no_cluster) {
      nearest[own] = rivals[own * team];
      done = 1u;
    }
    rivals_done[own] = done;
    atomicMax(&max_rivals, found - done);
  }
  workgroupBarrier();
  if (lane == 0u) {
    turns = atomicExchange(&max_rivals, 0u);
  }
  let all = workgroupUniformLoad(&turns);
  for (var turn = 0u; turn < all; turn++) {
    decide_rival(lane);
  }
  if (lane % team == 0u) {
    atomicStore(&rivals_found[own], 0u);
  }
  workgroupBarrier();
}

// Up to `together` points of the list; where there are fewer the last one stands for the others.
fn resolve_some(first: u32, count: u32, lane: u32) {
  if (lane < together) {
    let entry = labels[doubts_from() + first + min(lane, count - 1u)];
    let pair = pair_in_doubt(entry);
    let has_pair = pair.x != no_cluster;
    entries[lane] = entry;
    rows_at[lane] = entry * task.d;
    nearest[lane] = pair.x;
    min_so_far[lane] = 3e38;
    is_paired[lane] = select(0u, 1u, has_pair);
    if (has_pair) {
      rivals[lane * team] = pair.y;
      atomicStore(&rivals_found[lane], 1u);
    } else {
      atomicStore(&unpaired, 1u);
    }
  }
  workgroupBarrier();
  if (lane == 0u) {
    turns = atomicExchange(&unpaired, 0u);
  }
  let all_are_paired = workgroupUniformLoad(&turns) == 0u;
  decide_rivals(lane);
  if (!all_are_paired) {
    if (find_all_rivals(lane)) {
      for (var cluster = 0u; cluster < task.k; cluster += team) {
        find_rivals(cluster, lane);
        decide_rivals(lane);
      }
    } else {
      decide_rivals(lane);
    }
  }
  let own = lane / team;
  let known = known_before(entries[own]);
  let cluster = min(nearest[own], task.k - 1u);
  // Read by all lanes before one of them writes.
  workgroupBarrier();
  if (own < count) {
    take_resolved(entries[own], cluster, known, lane % team);
  }
  workgroupBarrier();
}

// All that are noted. The workgroup that ends last leaves an empty list.
fn resolve_all(group: vec3u, groups: vec3u, lane: u32) {
  let count_at = doubts_at();
  if (lane == 0u) {
    doubts_total = atomicLoad(&counts[count_at]);
  }
  let total = workgroupUniformLoad(&doubts_total);
  if (total == 0u) {
    return;
  }
  for (var first = group.x * together; first < total; first += groups.x * together) {
    resolve_some(first, min(together, total - first), lane);
  }
  if (lane == 0u && atomicAdd(&counts[count_at + 1u], 1u) + 1u == groups.x) {
    atomicStore(&counts[count_at], 0u);
    atomicStore(&counts[count_at + 1u], 0u);
  }
}
