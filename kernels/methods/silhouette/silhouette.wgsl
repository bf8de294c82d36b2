// Distances of a thread's point to a stretch of rows in the order of their clusters. Sums are 64-bit fixed point (two words):
// the same on every device that rounds alike, with the error of a single distance.

struct Shape {
  points: u32,
  /// Vectors of four features in a row; zeros behind the last feature.
  vectors: u32,
  clusters: u32,
  /// Of a sum of `together` distances: below 2^31 whatever the points.
  scale: f32,
}

struct Stretch {
  first: u32,
  last: u32,
  /// Of the first row.
  cluster: u32,
  groups_in_row: u32,
}

/// What is known of a point: words low and high of each sum.
struct Sums {
  partial: vec2<u32>,
  own: vec2<u32>,
  nearest: vec2<u32>,
  /// Whose the nearest is; 0xffffffff: none yet.
  nearest_cluster: u32,
  cluster: u32,
}

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<uniform> stretch: Stretch;
@group(0) @binding(2) var<storage, read> rows: array<vec4<f32>>;
/// (clusters + 1)
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<storage, read_write> sums: array<Sums>;

const threads = 64u;
const together = 8u;

fn plus(sum: vec2<u32>, distances: f32) -> vec2<u32> {
  let low = sum.x + u32(distances * shape.scale + 0.5);
  return vec2<u32>(low, sum.y + select(0u, 1u, low < sum.x));
}

fn mean_of(sum: vec2<u32>, cluster: u32) -> f32 {
  return (f32(sum.y) * 4294967296.0 + f32(sum.x)) / f32(starts[cluster + 1u] - starts[cluster]);
}

fn distance_to(own: u32, row: u32) -> f32 {
  var square = 0.0;
  for (var v = 0u; v < shape.vectors; v++) {
    let difference = rows[own + v] - rows[row + v];
    square += dot(difference, difference);
  }
  return sqrt(square);
}

/// Sum of the distances to eight rows.
fn distances_to_eight(own: u32, first: u32) -> f32 {
  var a = vec4<f32>();
  var b = vec4<f32>();
  let s = shape.vectors;
  for (var v = 0u; v < s; v++) {
    let x = rows[own + v];
    let at = first + v;
    let d0 = x - rows[at];
    let d1 = x - rows[at + s];
    let d2 = x - rows[at + 2u * s];
    let d3 = x - rows[at + 3u * s];
    a += vec4<f32>(dot(d0, d0), dot(d1, d1), dot(d2, d2), dot(d3, d3));
    let d4 = x - rows[at + 4u * s];
    let d5 = x - rows[at + 5u * s];
    let d6 = x - rows[at + 6u * s];
    let d7 = x - rows[at + 7u * s];
    b += vec4<f32>(dot(d4, d4), dot(d5, d5), dot(d6, d6), dot(d7, d7));
  }
  return dot(sqrt(a) + sqrt(b), vec4<f32>(1.0));
}

@compute @workgroup_size(threads)
fn add_pairs(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
  let point = (group.y * stretch.groups_in_row + group.x) * threads + thread;
  if (point >= shape.points) {
    return;
  }
  let own = point * shape.vectors;
  var known = sums[point];
  var cluster = stretch.cluster;
  var row = stretch.first;
  while (row < stretch.last) {
    while (starts[cluster + 1u] <= row) {
      cluster++;
    }
    let end = min(stretch.last, starts[cluster + 1u]);
    while (row + together <= end) {
      known.partial = plus(known.partial, distances_to_eight(own, row * shape.vectors));
      row += together;
    }
    while (row < end) {
      known.partial = plus(known.partial, distance_to(own, row * shape.vectors));
      row++;
    }
    if (row == starts[cluster + 1u]) {
      if (known.cluster == cluster) {
        known.own = known.partial;
      } else if (known.nearest_cluster == 0xffffffffu ||
                 mean_of(known.partial, cluster) < mean_of(known.nearest, known.nearest_cluster)) {
        known.nearest = known.partial;
        known.nearest_cluster = cluster;
      }
      known.partial = vec2<u32>();
    }
  }
  sums[point] = known;
}
