// Many centroids, for staged-centroids.wgsl: scores |c|^2 / 2 - x.c, which take half the operations
// of a distance, choose groups of eight centroids, and distances decide inside them.
// kernels/methods/scores/proof.md has the proof.

// Bits of the length of the longest centroid, rounded up: positive floats are ordered as their bits
// are.
var<workgroup> longest: atomic<u32>;

fn begin(lane: u32) {
  for (var cluster = lane; cluster < task.k; cluster += threads) {
    atomicMax(&longest, bitcast<u32>(1.0001 * sqrt(2.0 * half_norm(cluster))));
  }
}

fn quad_product(x: vec4f, c: vec4f, start: f32) -> f32 {
  return fma(x.w, c.w, fma(x.z, c.z, fma(x.y, c.y, fma(x.x, c.x, start))));
}

fn pair_product(x: vec4f, c: vec4f, start: f32) -> f32 {
  return fma(x.y, c.y, fma(x.x, c.x, start));
}

// |c|^2 / 2 - x.c of four points and a staged row.
fn scores(at: u32, half: f32, x: Four) -> vec4f {
  let front = staged[at];
  if (features <= 2u) {
    return vec4f(
      pair_product(x.a.front, front, half),
      pair_product(x.b.front, front, half),
      pair_product(x.c.front, front, half),
      pair_product(x.d.front, front, half),
    );
  }
  let low = vec4f(
    quad_product(x.a.front, front, half),
    quad_product(x.b.front, front, half),
    quad_product(x.c.front, front, half),
    quad_product(x.d.front, front, half),
  );
  if (features <= 4u) {
    return low;
  }
  let back = staged[at + 1u];
  return vec4f(
    quad_product(x.a.back, back, low.x),
    quad_product(x.b.back, back, low.y),
    quad_product(x.c.back, back, low.z),
    quad_product(x.d.back, back, low.w),
  );
}

fn group_scores(at: u32, x: Four) -> vec4f {
  let low = staged[at + group_size * row_vectors];
  let high = staged[at + group_size * row_vectors + 1u];
  let first = min(scores(at, low.x, x), scores(at + row_vectors, low.y, x));
  let second = min(scores(at + 2u * row_vectors, low.z, x), scores(at + 3u * row_vectors, low.w, x));
  let third = min(scores(at + 4u * row_vectors, high.x, x), scores(at + 5u * row_vectors, high.y, x));
  let fourth = min(scores(at + 6u * row_vectors, high.z, x), scores(at + 7u * row_vectors, high.w, x));
  return min(min(first, second), min(third, fourth));
}

// With the smallest distance of the others.
struct Nearest { cluster: u32, distance: f32, next: f32 }

// The better of a candidate and the centroids of a group.
fn nearest_in_group(group: u32, x: Row, is_staged: bool, so_far: Nearest) -> Nearest {
  let first = group * group_size;
  let rows = min(group_size, task.k - first);
  var best = so_far;
  for (var row = 0u; row < rows; row++) {
    var distance = 0.0;
    if (is_staged) {
      distance = staged_distance(group * group_vectors + row * row_vectors, x);
    } else {
      let centroid = centroid_row(first + row);
      distance = distance_to(x, -centroid.front, -centroid.back);
    }
    best = Nearest(
      select(best.cluster, first + row, distance < best.distance),
      min(best.distance, distance),
      min(best.next, max(best.distance, distance)),
    );
  }
  return best;
}

// Scores of two groups closer than this do not tell which of them holds the nearest centroid.
fn margin(x: Row) -> f32 {
  let reach = sqrt(dot(x.front, x.front) + dot(x.back, x.back)) + bitcast<f32>(atomicLoad(&longest));
  return f32(4u * features + 8u) * 1.1920928955078125e-07 * reach * reach + 1e-36;
}

// The three smallest group scores of four points, and the groups of the first two.
struct Ranks { first: vec4f, second: vec4f, third: vec4f, group: vec4u, next_group: vec4u }

fn rank(ranks: ptr<function, Ranks>, least: vec4f, group: u32) {
  let is_first = least < (*ranks).first;
  let is_second = least < (*ranks).second;
  (*ranks).third = min((*ranks).third, max(least, (*ranks).second));
  (*ranks).second = min((*ranks).second, max(least, (*ranks).first));
  (*ranks).first = min((*ranks).first, least);
  let displaced = select((*ranks).next_group, vec4u(group), is_second);
  (*ranks).next_group = select(displaced, (*ranks).group, is_first);
  (*ranks).group = select((*ranks).group, vec4u(group), is_first);
}

// Distances decide among the centroids of the groups that the scores leave open: one, two, or all;
// the mark of a point in doubt where they do not.
fn decide(x: Row, score: vec3f, group: u32, next_group: u32, is_staged: bool) -> u32 {
  let min_gap = margin(x);
  var first = group;
  var last = group;
  var step = 1u;
  if (!(score.y - score.x > min_gap)) {
    first = min(group, next_group);
    last = max(group, next_group);
    step = max(1u, last - first);
  }
  if (!(score.z - score.x > min_gap)) {
    first = 0u;
    last = (task.k - 1u) / group_size;
    step = 1u;
  }
  var best = Nearest(first * group_size, 3e38, 3e38);
  for (var open = first; open <= last; open += step) {
    best = nearest_in_group(open, x, is_staged, best);
  }
  return best.cluster | select(0u, doubt_mark, is_in_doubt(best.distance, best.next));
}

fn part_of(values: vec4f, lane_point: u32) -> f32 {
  return select(select(values.w, values.z, lane_point == 2u), select(values.y, values.x, lane_point == 0u), lane_point < 2u);
}

fn decide_four(x: Four, ranks: Ranks, is_staged: bool) -> Nearest4 {
  var best = ranks.group;
  for (var p = 0u; p < 4u; p++) {
    let score = vec3f(part_of(ranks.first, p), part_of(ranks.second, p), part_of(ranks.third, p));
    let next_group = part_of_u(ranks.next_group, p);
    let decided = decide(row_of(x, p), score, part_of_u(ranks.group, p), next_group, is_staged);
    best = select(best, vec4u(decided), vec4u(p) == vec4u(0u, 1u, 2u, 3u));
  }
  return Nearest4(best & vec4u(~doubt_mark), best >= vec4u(doubt_mark));
}

fn unranked() -> Ranks {
  let far = vec4f(3e38);
  return Ranks(far, far, far, vec4u(), vec4u());
}

// Groups that the scores rank first for four points, then what distances make of them.
fn nearest_four(x: Four, lane: u32) -> Nearest4 {
  let all_groups = (task.k + group_size - 1u) / group_size;
  let one_tile = all_groups <= tile_groups;
  var ranks = unranked();
  for (var first = 0u; first < all_groups; first += tile_groups) {
    if (!one_tile) {
      workgroupBarrier();
      stage(first, lane);
      workgroupBarrier();
    }
    for (var group = 0u; group < min(tile_groups, all_groups - first); group++) {
      rank(&ranks, group_scores(group * group_vectors, x), first + group);
    }
  }
  return decide_four(x, ranks, one_tile);
}
