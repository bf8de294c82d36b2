// The nearest of the clusters that a lane looked at, and of all lanes of a point. proof.md has the
// margin. Follows staged-points.wgsl.

// Of four points: the smallest score or distance; the second smallest one; the number among its
// eight of the cluster that a distance is to; the tile of the cluster.
struct Standing { first: vec4f, second: vec4f, number: vec4f, tile: vec4u }

// The two results of two points in each lane, and where distances choose their numbers.
var<workgroup> results: array<vec4f, result_pairs>;
override result_numbers: u32 = select(result_pairs, 1u, by_scores);
var<workgroup> numbers_of: array<vec2f, result_numbers>;
// Tiles of the clusters of results, where there are several: as many words as results.
override result_tiles: u32 = select(1u, 2u * result_pairs, cluster_tiles > 1u);
var<workgroup> tiles_of: array<u32, result_tiles>;

// The number of a cluster takes the lowest bits of its score, so that one minimum finds both.
const number_mask = 7u;

fn nothing_stands() -> Standing {
  let none = vec4f(3e38);
  return Standing(none, none, vec4f(), vec4u());
}

fn numbered(scores: vec4f, numbers: vec4u) -> vec4f {
  return bitcast<vec4f>((bitcast<vec4u>(scores) & vec4u(~number_mask)) | numbers);
}

// What is found among eight clusters; scores have the number in their bits.
struct Ranked { first: f32, second: f32, number: f32 }

// The two smallest of eight scores. Every other one lost once: to a smaller one, or to the smallest.
fn rank_scores(front: vec4f, back: vec4f) -> Ranked {
  var low = numbered(front, vec4u(0u, 1u, 2u, 3u));
  var high = vec4f(3e38);
  if (vectors > 1u) {
    let other = numbered(back, vec4u(4u, 5u, 6u, 7u));
    high = max(low, other);
    low = min(low, other);
  }
  let pair = min(low.xy, low.zw);
  let lost = max(low.xy, low.zw);
  let rest = min(min(high.x, high.y), min(high.z, high.w));
  return Ranked(min(pair.x, pair.y), min(min(max(pair.x, pair.y), min(lost.x, lost.y)), rest), 0.0);
}

fn ranked_with(best: Ranked, distance: f32, number: f32) -> Ranked {
  return Ranked(
    min(best.first, distance),
    min(best.second, max(best.first, distance)),
    select(best.number, number, distance < best.first),
  );
}

fn rank_distances(front: vec4f, back: vec4f) -> Ranked {
  var best = ranked_with(Ranked(front.x, 3e38, 0.0), front.y, 1.0);
  best = ranked_with(best, front.z, 2.0);
  best = ranked_with(best, front.w, 3.0);
  if (vectors > 1u) {
    best = ranked_with(best, back.x, 4.0);
    best = ranked_with(best, back.y, 5.0);
    best = ranked_with(best, back.z, 6.0);
    best = ranked_with(best, back.w, 7.0);
  }
  return best;
}

fn rank(front: vec4f, back: vec4f) -> Ranked {
  if (by_scores) {
    return rank_scores(front, back);
  }
  return rank_distances(front, back);
}

// After another tile of clusters.
fn stand(so_far: ptr<function, Standing>, sums: Sums, cluster_tile: u32) {
  let a = rank(sums.a, sums.a2);
  let b = rank(sums.b, sums.b2);
  let c = rank(sums.c, sums.c2);
  let d = rank(sums.d, sums.d2);
  let first = vec4f(a.first, b.first, c.first, d.first);
  let second = vec4f(a.second, b.second, c.second, d.second);
  let nearer = first < (*so_far).first;
  (*so_far).second = min(min(second, (*so_far).second), max(first, (*so_far).first));
  (*so_far).first = min(first, (*so_far).first);
  (*so_far).tile = select((*so_far).tile, vec4u(cluster_tile), nearer);
  if (!by_scores) {
    (*so_far).number = select((*so_far).number, vec4f(a.number, b.number, c.number, d.number), nearer);
  }
}

fn store_pair(pair: u32, row: u32, column: u32, pair_results: vec4f, numbers: vec2f, tiles: vec2u) {
  let at = (pair * lane_rows + row) * result_stride + column;
  results[at] = pair_results;
  if (!by_scores) {
    numbers_of[at] = numbers;
  }
  if (cluster_tiles > 1u) {
    tiles_of[2u * at] = tiles.x;
    tiles_of[2u * at + 1u] = tiles.y;
  }
}

fn store_results(found: Standing, row: u32, column: u32) {
  let first = found.first;
  let second = found.second;
  store_pair(0u, row, column, vec4f(first.x, second.x, first.y, second.y), found.number.xy, found.tile.xy);
  store_pair(1u, row, column, vec4f(first.z, second.z, first.w, second.w), found.number.zw, found.tile.zw);
}

struct Found { first: f32, second: f32, cluster: u32 }

fn result_of(point: u32, column: u32) -> Found {
  let pair = point / lane_rows / 2u;
  let half = point / lane_rows % 2u;
  let at = (pair * lane_rows + point % lane_rows) * result_stride + column;
  let both = results[at];
  let own = select(both.xy, both.zw, half == 1u);
  var cluster_tile = 0u;
  if (cluster_tiles > 1u) {
    cluster_tile = tiles_of[2u * at + half];
  }
  var number = bitcast<u32>(own.x) & number_mask;
  if (!by_scores) {
    number = u32(select(numbers_of[at].x, numbers_of[at].y, half == 1u));
  }
  let vector = number / 4u * columns + column;
  return Found(own.x, own.y, cluster_tile * tile_clusters + 4u * vector + number % 4u);
}

// Of all lanes that looked at a point.
fn found_of(point: u32) -> Found {
  var found = result_of(point, 0u);
  for (var column = 1u; column < columns; column++) {
    let other = result_of(point, column);
    let is_nearer = other.first < found.first;
    let second = min(min(found.second, other.second), max(found.first, other.first));
    found = Found(
      min(found.first, other.first),
      second,
      select(found.cluster, other.cluster, is_nearer),
    );
  }
  return found;
}

// Scores closer than this do not tell which of their centroids is the nearest. `square`: of the
// point's length; `best`: its smallest score.
fn margin(square: f32, best: f32) -> f32 {
  let of_lengths = 2.1 * rounding * fma(f32(features + 9u), sqrt(square * longest), f32(features + 5u) * longest);
  let near = max(0.0, fma(0.5, square, best));
  let of_nearness = 12.2 * f32(features + 6u) * rounding * (square + near);
  return min(of_lengths, of_nearness) + f32(4u * features + 64u) * 1.2e-38;
}

// Points of the dispatch that distances to all centroids decide.
var<workgroup> open_points: array<u32, list_room>;
var<workgroup> open_total: atomic<u32>;

fn label_point(index: u32, row: u32, norm: f32, home: u32) {
  if (row >= tile_points || index >= task.count) {
    return;
  }
  let found = found_of(row);
  var is_open = false;
  if (by_scores) {
    // A number is lost where a device takes a denormal score for 0.
    let has_number = abs(found.first) > 1e-36;
    is_open = !has_number || !(found.second - found.first > margin(norm, found.first));
  }
  if (is_open) {
    open_points[atomicAdd(&open_total, 1u)] = index;
  } else if (!by_scores && is_in_doubt(found.first, found.second)) {
    leave_in_doubt(task.first + index);
  } else {
    note_point(index, found.cluster, home);
  }
}

fn label_tile(first: u32, known: Known, lane: u32) {
  label_point(first + lane, lane, known.norms.x, known.homes.x);
  if (label_turns > 1u) { label_point(first + lane + threads, lane + threads, known.norms.y, known.homes.y); }
  if (label_turns > 2u) { label_point(first + lane + 2u * threads, lane + 2u * threads, known.norms.z, known.homes.z); }
  if (label_turns > 3u) { label_point(first + lane + 3u * threads, lane + 3u * threads, known.norms.w, known.homes.w); }
}
