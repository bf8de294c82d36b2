// Points in doubt, one after the other by a workgroup: computed distances leave the candidates, of
// which exact_order.wgsl finds the nearest; of equal ones the lowest index. Follows task.wgsl and
// exact_order.wgsl; a file with `take_resolved`, which is told the nearest, and `point_words`, the
// bits of the points, follows. kernels/methods/canonical/proof.md has the bound.

override resolve_threads: u32 = 64u;
// Positions that a workgroup looks through at a time.
override looked_through: u32 = 512u;
// Lanes side by side that share a row, so that neighbours read neighbours.
override split: u32 = 1u;
override rows_at_once: u32 = resolve_threads / split;

// Bits: a driver may flush what is denormal.
@group(0) @binding(5) var<storage, read> centroid_words: array<u32>;

var<workgroup> in_doubt: array<u32, looked_through>;
var<workgroup> in_doubt_total: atomic<u32>;
var<workgroup> shared_total: u32;
// Of each lane: its share of a distance; the smallest distance that it saw.
var<workgroup> shares: array<f32, resolve_threads>;
// Clusters among which exact arithmetic chooses, in any order.
var<workgroup> candidates: array<u32, rows_at_once>;
var<workgroup> candidates_found: atomic<u32>;
// Exact sums of so many lanes, then of all.
const exact_lanes = 32u;
var<workgroup> exact_of_lanes: array<u32, exact_lanes * exact_words>;
var<workgroup> exact_columns: array<vec2u, exact_words>;
var<workgroup> nearest_so_far: u32;
var<workgroup> pair_shared: vec2u;

const no_cluster = 0xffffffffu;

// Of one of as many rows as there are at once; the lanes of a row all get it. All lanes call it.
fn computed_distance(point: u32, cluster: u32, lane: u32) -> f32 {
  let begin = task.slot * task.centroids_stride + min(cluster, task.k - 1u) * task.d;
  var sum = 0.0;
  for (var feature = lane % split; feature < task.d; feature += split) {
    let x = bitcast<f32>(point_words[point * task.d + feature]);
    let difference = x - bitcast<f32>(centroid_words[begin + feature]);
    sum = fma(difference, difference, sum);
  }
  if (split > 1u) {
    workgroupBarrier();
    shares[lane] = sum;
    workgroupBarrier();
    sum = 0.0;
    for (var other = 0u; other < split; other++) {
      sum += shares[lane / split * split + other];
    }
  }
  // Beyond the range all are candidates of each other.
  return select(3e38, min(sum, 3e38), cluster < task.k);
}

fn smallest_distance(point: u32, lane: u32) -> f32 {
  var least = 3e38;
  for (var first = 0u; first < task.k; first += rows_at_once) {
    least = min(least, computed_distance(point, first + lane / split, lane));
  }
  workgroupBarrier();
  shares[lane] = least;
  workgroupBarrier();
  for (var other = 0u; other < resolve_threads; other++) {
    least = min(least, shares[other]);
  }
  return least;
}

// Whether a cluster is nearer than the nearest so far, or as near and of a lower index: then it is
// that one. Each lane adds up features of its own, coordinates that both have left out.
fn try_exactly(point: u32, cluster: u32, lane: u32) {
  let so_far = nearest_so_far;
  let begin = task.slot * task.centroids_stride;
  if (lane < exact_lanes) {
    var sum = Exact();
    for (var feature = lane; feature < task.d; feature += exact_lanes) {
      let c = centroid_words[begin + cluster * task.d + feature];
      let other = centroid_words[begin + so_far * task.d + feature];
      if (c != other) {
        let x = point_words[point * task.d + feature];
        add_difference(&sum, x, c, false);
        add_difference(&sum, x, other, true);
      }
    }
    for (var i = 0u; i < exact_words; i++) {
      exact_of_lanes[lane * exact_words + i] = sum[i];
    }
  }
  workgroupBarrier();
  if (lane < exact_words) {
    var column = vec2u();
    for (var other = 0u; other < min(exact_lanes, task.d); other++) {
      let word = exact_of_lanes[other * exact_words + lane];
      column.x += word;
      column.y += select(0u, 1u, column.x < word);
    }
    exact_columns[lane] = column;
  }
  workgroupBarrier();
  if (lane == 0u) {
    var carry = 0u;
    var any_bit = 0u;
    var last = 0u;
    for (var i = 0u; i < exact_words; i++) {
      last = exact_columns[i].x + carry;
      carry = exact_columns[i].y + select(0u, 1u, last < carry);
      any_bit |= last;
    }
    let is_nearer = last >= 0x80000000u || (any_bit == 0u && cluster < so_far);
    nearest_so_far = select(so_far, cluster, is_nearer);
  }
  workgroupBarrier();
}

// The nearest centroid of a point; all lanes of the workgroup call it.
fn exactly_nearest(position: u32, lane: u32) -> u32 {
  let point = point_in_doubt(position);
  if (lane == 0u) {
    pair_shared = pair_in_doubt(position);
    nearest_so_far = pair_shared.x;
  }
  let pair = workgroupUniformLoad(&pair_shared);
  if (pair.x != no_cluster) {
    try_exactly(point, pair.y, lane);
    return workgroupUniformLoad(&nearest_so_far);
  }
  let least = smallest_distance(point, lane);
  for (var first = 0u; first < task.k; first += rows_at_once) {
    let cluster = first + lane / split;
    let distance = computed_distance(point, cluster, lane);
    if (lane % split == 0u && cluster < task.k && is_in_doubt(least, distance)) {
      candidates[atomicAdd(&candidates_found, 1u)] = cluster;
    }
    workgroupBarrier();
    if (lane == 0u) {
      shared_total = atomicExchange(&candidates_found, 0u);
      if (nearest_so_far == no_cluster && shared_total > 0u) {
        nearest_so_far = candidates[0];
      }
    }
    let total = workgroupUniformLoad(&shared_total);
    for (var at = 0u; at < total; at++) {
      try_exactly(point, candidates[at], lane);
    }
  }
  return min(workgroupUniformLoad(&nearest_so_far), task.k - 1u);
}

// All that are noted: a regime with an order of its own notes points of other ranges too.
fn resolve_all(group: vec3u, groups: vec3u, lane: u32) {
  if (lane == 0u) {
    shared_total = doubts_end();
  }
  let end = workgroupUniformLoad(&shared_total);
  for (var start = group.x * looked_through; start < end; start += groups.x * looked_through) {
    for (var at = start + lane; at < min(start + looked_through, end); at += resolve_threads) {
      if (is_in_doubt_at(at)) {
        in_doubt[atomicAdd(&in_doubt_total, 1u)] = at;
      }
    }
    workgroupBarrier();
    if (lane == 0u) {
      shared_total = atomicExchange(&in_doubt_total, 0u);
    }
    let total = workgroupUniformLoad(&shared_total);
    for (var at = 0u; at < total; at++) {
      let position = in_doubt[at];
      // Read by all lanes before one of them writes.
      let known = known_before(position);
      let nearest = exactly_nearest(position, lane);
      take_resolved(position, nearest, known, lane);
      workgroupBarrier();
    }
  }
}
