// Points and centroids as 16-bit numbers for the matrix units, with what that loses. Follows
// sampled-cells.wgsl.

// Binding 7: eight features each, of points as `half_at` has it, or of centroids, row by row.
@group(0) @binding(7) var<storage, read_write> halves: array<vec4u>;
@group(0) @binding(11) var<storage, read_write> some_centres: array<f32>;
@group(0) @binding(12) var<storage, read_write> some_words: array<atomic<u32>>;
@group(0) @binding(8) var<storage, read_write> some_points: array<u32>;

// Of the point at a place: its number + 1; its length, the length of what was lost and the squared
// length, all in units.
@group(0) @binding(9) var<storage, read_write> records: array<vec4u>;

// [cell][cluster]: what the products are taken from; then [cell][group]: at most the length of its
// nearest centroid.
@group(0) @binding(8) var<storage, read_write> starts: array<f32>;
@group(0) @binding(9) var<storage, read_write> image_state: array<atomic<u32>>;

const max_half = 65504.0;
const min_half = 0.00006103515625;

// The number of 11 significant bits next to a coordinate, 0 below the smallest normal number of 16
// bits. By bits: whether drivers round to nearest, and what compilers make of packing and unpacking
// again, must not matter.
fn rounded(value: f32) -> f32 {
  let word = bitcast<u32>(value);
  let near = bitcast<f32>((word + 0xfffu + ((word >> 13u) & 1u)) & 0xffffe000u);
  return select(clamp(near, -max_half, max_half), 0.0, abs(near) < min_half);
}

// Sums of squares of a vector, and of what rounding takes away from it.
struct Squares { whole: f32, lost: f32 }
struct Rounded { halves: vec4u, squares: Squares }

fn rounded_pair(a: f32, b: f32) -> u32 {
  return pack2x16float(vec2f(rounded(a), rounded(b)));
}

fn with_square(so_far: Squares, value: f32) -> Squares {
  let lost = value - rounded(value);
  return Squares(fma(value, value, so_far.whole), fma(lost, lost, so_far.lost));
}

fn rounded_eight(so_far: Squares, v: array<f32, 8>) -> Rounded {
  var squares = so_far;
  for (var i = 0u; i < 8u; i++) {
    squares = with_square(squares, v[i]);
  }
  let packed_halves = vec4u(
    rounded_pair(v[0], v[1]),
    rounded_pair(v[2], v[3]),
    rounded_pair(v[4], v[5]),
    rounded_pair(v[6], v[7]),
  );
  return Rounded(packed_halves, squares);
}

fn relative_value(point: u32, cell: u32, feature: u32, unit: f32) -> f32 {
  if (feature >= features) {
    return 0.0;
  }
  return unit * (points[point * features + feature] - some_centres[feature * cells + cell]);
}

// Matrix by matrix, as the units take them: [sixteen places][step][place][two vectors].
fn half_at(position: u32, vector: u32) -> u32 {
  return ((position / 16u) * steps + vector / 2u) * 32u + position % 16u * 2u + vector % 2u;
}

// Once: the point of each place.
@compute @workgroup_size(64)
fn round_points(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let position = (group.y * groups.x + group.x) * 64u + lane;
  if (position >= atomicLoad(&some_words[blocks_at]) * block_points) {
    return;
  }
  let cell = atomicLoad(&some_words[block_cells_at + position / block_points]);
  let number = some_points[position];
  let point = max(number, 1u) - 1u;
  let unit = select(bitcast<f32>(atomicLoad(&some_words[unit_at])), 0.0, number == 0u);
  var squares = Squares(0.0, 0.0);
  for (var vector = 0u; vector < vectors; vector++) {
    var values: array<f32, 8>;
    for (var i = 0u; i < 8u; i++) {
      values[i] = relative_value(point, cell, vector * 8u + i, unit);
    }
    let eight = rounded_eight(squares, values);
    squares = eight.squares;
    halves[half_at(position, vector)] = eight.halves;
  }
  let length = 1.001 * sqrt(squares.whole);
  let lost = 1.001 * sqrt(squares.lost) + 0.0000002 * length;
  atomicMax(&some_words[reaches_at + cell], bitcast<u32>(length));
  records[position] = vec4u(number, bitcast<u32>(length), bitcast<u32>(lost), bitcast<u32>(squares.whole));
}

fn relative_coordinate(cluster: u32, cell: u32, feature: u32, unit: f32) -> f32 {
  if (cluster >= task.k || feature >= features) {
    return 0.0;
  }
  return unit * (coordinate(cluster, feature) - some_centres[feature * cells + cell]);
}

// Lanes of a row of the images, and rows of a workgroup.
const image_lanes = 8u;
const image_rows = 8u;
var<workgroup> row_squares: array<Squares, 64>;
// The share that a row lost, and its length.
var<workgroup> row_results: array<vec2f, image_rows>;

// The centroids relative to the centre of each cell: [cell][cluster, filled up to whole tiles].
@compute @workgroup_size(64)
fn round_centroids(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let row = (group.y * groups.x + group.x) * image_rows + lane / image_lanes;
  let clusters = image_clusters();
  let cell = min(row / clusters, cells - 1u);
  let cluster = row % clusters;
  let unit = bitcast<f32>(atomicLoad(&some_words[unit_at]));
  var squares = Squares(0.0, 0.0);
  var is_outside = false;
  for (var vector = lane % image_lanes; vector < vectors; vector += image_lanes) {
    var values: array<f32, 8>;
    for (var i = 0u; i < 8u; i++) {
      values[i] = relative_coordinate(cluster, cell, vector * 8u + i, unit);
      is_outside = is_outside || !(abs(values[i]) <= max_half);
    }
    let eight = rounded_eight(squares, values);
    squares = eight.squares;
    if (row < cells * clusters) {
      halves[row * vectors + vector] = eight.halves;
    }
  }
  // A centroid beyond 16 bits: nothing is certain then.
  squares = Squares(select(squares.whole, 1.0, is_outside), select(squares.lost, 3e38, is_outside));
  row_squares[lane] = squares;
  workgroupBarrier();
  if (lane % image_lanes == 0u) {
    for (var i = 1u; i < image_lanes; i++) {
      squares.whole += row_squares[lane + i].whole;
      squares.lost += row_squares[lane + i].lost;
    }
    if (row < cells * clusters) {
      starts[row] = select(0.5 * squares.whole, nowhere, cluster >= task.k);
    }
    // The share of its length that a centroid lost, beyond what is always allowed for.
    let lost = 1.001 * sqrt(squares.lost) - always_lost();
    let share = select(0.0, 1.001 * lost / sqrt(squares.whole), lost > 0.0);
    let is_known = squares.lost < 3e38;
    let length = select(3e38, select(0.0, 0.999 * sqrt(squares.whole), is_known), cluster < task.k);
    row_results[lane / image_lanes] = vec2f(select(3e38, share, is_known), length);
  }
  workgroupBarrier();
  if (lane == 0u) {
    var result = row_results[0];
    for (var i = 1u; i < image_rows; i++) {
      result = vec2f(max(result.x, row_results[i].x), min(result.y, row_results[i].y));
    }
    atomicMax(&image_state[lost_share_at], bitcast<u32>(result.x));
    if (row < cells * clusters) {
      starts[(cells * clusters) + row / image_rows] = result.y;
    }
  }
}

// What a centroid next to the centre of a cell may lose by underflow.
fn always_lost() -> f32 {
  return 0.0001 * sqrt(f32(features));
}

fn image_clusters() -> u32 {
  return tiles_of_all * tile_clusters;
}
