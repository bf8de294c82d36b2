// Two features: the plane cut into cells, for private-sums.wgsl. Follows task.wgsl in one module.

// Cells a side, a power of two; the table goes a little beyond the points.
override side_bits: u32 = 6u;
override side: u32 = 1u << side_bits;

@group(0) @binding(1) var<storage, read> points_by_twos: array<vec4f>;
// Keys of the greatest x and y, and of the greatest -x and -y of all points: larger for larger
// numbers.
@group(0) @binding(7) var<storage, read_write> bounds: array<atomic<u32>>;
// The same, read only: atomic loads of all lanes would queue up at one place of memory.
@group(0) @binding(7) var<storage, read_write> known_bounds: array<u32>;
var<workgroup> group_bounds: array<atomic<u32>, 4>;

// Cell of a coordinate: the last bits of coordinate * cell_scale + cell_offset.
var<private> cell_scale: vec2f;
var<private> cell_offset: vec2f;
const cell_zero: f32 = 8388608.0;

fn key_of(value: f32) -> u32 {
  let bits = bitcast<u32>(value);
  return select(bits | 0x80000000u, ~bits, bits >= 0x80000000u);
}

fn bound(at: u32) -> f32 {
  let key = known_bounds[at];
  return bitcast<f32>(select(~key, key & 0x7fffffffu, key >= 0x80000000u));
}

// Once for each part.
@compute @workgroup_size(256)
fn find_bounds(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  var greatest = vec4f(-3e38);
  for (var index = 2u * (group.x * 256u + lane); index < task.count; index += 512u * groups.x) {
    let two = points_by_twos[(task.first + index) / 2u];
    greatest = max(greatest, vec4f(two.xy, -two.xy));
    if (index + 1u < task.count) {
      greatest = max(greatest, vec4f(two.zw, -two.zw));
    }
  }
  atomicMax(&group_bounds[0], key_of(greatest.x));
  atomicMax(&group_bounds[1], key_of(greatest.y));
  atomicMax(&group_bounds[2], key_of(greatest.z));
  atomicMax(&group_bounds[3], key_of(greatest.w));
  workgroupBarrier();
  if (lane < 4u) {
    atomicMax(&bounds[lane], atomicLoad(&group_bounds[lane]));
  }
}

struct Extent { most: vec2f, least: vec2f }

fn extent_of_points() -> Extent {
  return Extent(vec2f(bound(0u), bound(1u)), -vec2f(bound(2u), bound(3u)));
}

// One cell for all where the points lie close together for how far away they are.
fn cut_plane(points_within: Extent) {
  let most = points_within.most;
  let least = points_within.least;
  let wide = vec2f(f32(side) - 4.0) / (most - least);
  let is_cut = (most - least > vec2f(1e-30)) & (max(abs(most), abs(least)) * wide < vec2f(4096.0));
  cell_scale = select(vec2f(), wide, is_cut);
  cell_offset = cell_zero + select(vec2f(), round(1.5 - least * wide), is_cut);
}

// Index of the cell of a point.
fn cell_of(x: vec2f) -> u32 {
  let at = bitcast<vec2u>(fma(x, cell_scale, cell_offset)) & vec2u(side - 1u);
  return (at.y << side_bits) | at.x;
}

// A cell's middle, and half of its width with room for how `cell_of` rounds.
struct Cell { middle: vec2f, half: vec2f }

fn cell_at(index: u32, within: Extent) -> Cell {
  let from_zero = vec2f(f32(index % side), f32(index / side)) - (cell_offset - cell_zero);
  let is_cut = cell_scale > vec2f();
  let middle = select(0.5 * (within.most + within.least), from_zero / cell_scale, is_cut);
  let half = select(0.51 * (within.most - within.least), 0.53125 / cell_scale, is_cut);
  return Cell(middle, half + 1e-6 * abs(middle));
}

// Whether a centroid can be the nearest of a point in the cell, by the one nearest to its middle:
// not when that one is nearer to all points of the cell. `step`: from the one to the other; both
// distances are to the middle.
fn can_win(cell: Cell, step: vec2f, smallest: f32, found: f32) -> bool {
  let reach = 2.0 * dot(abs(step), cell.half);
  let margin = 7.62939453125e-06 * (found + smallest + dot(cell.half, cell.half)) + 1e-36;
  return !(found - smallest - reach > margin);
}

fn distance(x: vec2f, negated: vec2f) -> f32 {
  let difference = x + negated;
  return fma(difference.y, difference.y, difference.x * difference.x);
}

struct Closest { distance: f32, cluster: u32 }

// Equal distances go to the lower index.
fn nearer(closest: Closest, row: u32, distance: f32) -> Closest {
  let cluster = select(closest.cluster, row, distance < closest.distance);
  return Closest(min(closest.distance, distance), cluster);
}
