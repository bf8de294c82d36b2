// What the kernels of the seedings on WebGPU share: the buffers and exact distances. Follows
// float64.wgsl in one module. Arithmetic is fixed by src/engine/init/kernel.ts.

const threads = 256u;
const block_points = 1024u;
const lanes = 8u;
const max_candidates = 16u;
// In the place of a row: every point is a centre already, so that nothing is done any more.
const no_row = 0xffffffffu;

struct Shape {
  n: u32,
  d: u32,
  // Of 1024 points.
  blocks: u32,
  // Candidates of this round.
  candidates: u32,
  // Row of `sums` that the first of them fills; row 0 is that of D2.
  slot: u32,
  // Position in the list of the first candidate, for those that count whose they are.
  position: u32,
  // What a float32 distance is multiplied by, so that it is below the exact one.
  shrink: f32,
}

// What a round hands from kernel to kernel.
struct Round {
  // Rounds that have chosen a row.
  done: u32,
  rows: array<u32, max_candidates>,
  targets: array<vec2u, max_candidates>,
  potentials: array<vec2u, max_candidates>,
}

@group(0) @binding(0) var<uniform> shape: Shape;
// (d, n), the bits of float32: an exact distance must not have its subnormal coordinates flushed.
@group(0) @binding(1) var<storage, read> columns: array<u32>;
// (n) D2.
@group(0) @binding(2) var<storage, read_write> nearest: array<vec2u>;
// (candidates, n) the smaller of D2 and the distance to the candidate, where it is marked.
@group(0) @binding(3) var<storage, read_write> table: array<vec2u>;
// (n) a bit for each candidate whose distance may be below D2.
@group(0) @binding(4) var<storage, read_write> marks: array<u32>;
// (1 + candidates, blocks) the sum of each block of D2, then of what D2 would be with each
// candidate.
@group(0) @binding(5) var<storage, read_write> sums: array<vec2u>;
// The same, added up from the first block to this one.
@group(0) @binding(6) var<storage, read_write> running: array<vec2u>;
@group(0) @binding(7) var<storage, read_write> round: Round;
// (rounds, candidates) uniform in [0, 1).
@group(0) @binding(8) var<storage, read> draws: array<vec2u>;
// (rounds) the rows chosen.
@group(0) @binding(9) var<storage, read_write> chosen: array<u32>;
// (n) position in the list of the row nearest to each point.
@group(0) @binding(10) var<storage, read_write> winners: array<u32>;
// Points of each row in the list.
@group(0) @binding(11) var<storage, read_write> members: array<atomic<u32>>;

// What lane 0 found, for all of its workgroup.
var<workgroup> broadcast: u32;

fn is_over() -> bool {
  return round.rows[0] == no_row;
}

fn points_of(block: u32) -> u32 {
  return min(block_points, shape.n - block * block_points);
}

// The coordinates of a row from this feature on; what is past the last is not used.
fn four_of(row: u32, feature: u32) -> vec4u {
  let at = min(vec4u(feature) + vec4u(0u, 1u, 2u, 3u), vec4u(shape.d - 1u)) * shape.n + row;
  return vec4u(columns[at.x], columns[at.y], columns[at.z], columns[at.w]);
}

// In the order of the features; four are fetched at once, as every wait is as long as some
// additions. Beyond the last feature the row has the coordinates of the point, whose squares of 0
// change nothing.
fn distance_between(point: u32, row: u32) -> vec2u {
  var sum = vec2u();
  for (var feature = 0u; feature < shape.d; feature += 4u) {
    let a = four_of(point, feature);
    let is_there = vec4u(feature) + vec4u(0u, 1u, 2u, 3u) < vec4u(shape.d);
    let b = select(a, four_of(row, feature), is_there);
    let first = squared_difference_of(a.x, b.x);
    let second = squared_difference_of(a.y, b.y);
    sum = sum_of(sum_of(sum, first), second);
    if (feature + 2u < shape.d) {
      let third = squared_difference_of(a.z, b.z);
      let fourth = squared_difference_of(a.w, b.w);
      sum = sum_of(sum_of(sum, third), fourth);
    }
  }
  return sum;
}
