// Once, with the points: they are parted into cells, and lie cell by cell in 16 bits, relative to
// the centre of their cell. Any parting is right; near centres only make rounding errors small.
// Follows task.wgsl, and whatever says how many `features` there are.

override cells: u32 = 1u;
// Points of a workgroup of the filter: all of one cell. A cell is filled up to whole blocks.
override block_points: u32 = 128u;
// Features filled up to whole steps of the matrix units, and vectors of eight of them.
override steps: u32 = (features + 15u) / 16u;
override vectors: u32 = 2u * steps;

// Words of `cell_words`: the power of two that coordinates are multiplied by, the points and blocks
// of the part; then for each cell its number of points, later where its next point goes, and the
// length of its farthest point; then the cell of each block.
const unit_at = 0u;
const part_points_at = 1u;
const blocks_at = 2u;
const cells_at = 4u;
override reaches_at: u32 = cells_at + cells;
override block_cells_at: u32 = cells_at + 2u * cells;

const sample_points = 2048u;
const cell_threads = 256u;
const sampled_a_lane = 8u;

// (d, sample_points) coordinates, then the cell of each point of the sample.
@group(0) @binding(7) var<storage, read_write> sample: array<f32>;
// (d, cells): the centres.
@group(0) @binding(8) var<storage, read_write> centres: array<f32>;
@group(0) @binding(9) var<storage, read_write> cell_words: array<atomic<u32>>;
// Cell of each point.
@group(0) @binding(10) var<storage, read_write> cell_of_point: array<u32>;
// Point of each place, + 1; 0 where a block has none.
@group(0) @binding(11) var<storage, read_write> point_at: array<u32>;

fn sampled() -> u32 {
  return min(sample_points, task.count);
}

@compute @workgroup_size(64)
fn take_sample(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let at = (group.y * groups.x + group.x) * 64u + lane;
  let feature = at / sample_points;
  let which = at % sample_points;
  if (feature < features && which < sampled()) {
    let stride = task.count / sampled();
    sample[at] = points[which * stride * features + feature];
  }
}

// Evenly distributed in (0, 1), the same for the same numbers.
fn chance(which: u32, round_of: u32) -> f32 {
  var word = which * 747796405u + round_of * 2891336453u + 1u;
  word = ((word >> ((word >> 28u) + 4u)) ^ word) * 277803737u;
  word = (word >> 22u) ^ word;
  return (f32(word >> 9u) + 0.5) * 0.00000011920928955078125;
}

struct Draw { key: f32, which: u32 }
var<workgroup> draws: array<Draw, cell_threads>;

// The lane with the greatest key.
fn drawn(own: Draw, lane: u32) -> u32 {
  draws[lane] = own;
  for (var half = cell_threads / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half && draws[lane + half].key > draws[lane].key) {
      draws[lane] = draws[lane + half];
    }
  }
  workgroupBarrier();
  let which = draws[0].which;
  workgroupBarrier();
  return which;
}

// Centres drawn from the sample, far ones by the square of their distance likelier (k-means++). One
// workgroup.
@compute @workgroup_size(cell_threads)
fn draw_centres(@builtin(local_invocation_index) lane: u32) {
  var distances: array<f32, sampled_a_lane>;
  var owners: array<u32, sampled_a_lane>;
  for (var i = 0u; i < sampled_a_lane; i++) {
    distances[i] = 3e38;
    owners[i] = 0u;
  }
  var centre = 0u;
  for (var cell = 0u; cell < cells; cell++) {
    var own = Draw(-1.0, 0u);
    for (var i = 0u; i < sampled_a_lane; i++) {
      let which = i * cell_threads + lane;
      if (which < sampled()) {
        var sum = 0.0;
        for (var feature = 0u; feature < task.d; feature++) {
          let difference = sample[feature * sample_points + which] - sample[feature * sample_points + centre];
          sum = fma(difference, difference, sum);
        }
        owners[i] = select(owners[i], cell, sum < distances[i]);
        distances[i] = min(distances[i], sum);
        let key = distances[i] / -log(chance(which, cell));
        own = Draw(max(own.key, key), select(own.which, which, key > own.key));
      }
    }
    centre = drawn(own, lane);
  }
  for (var i = 0u; i < sampled_a_lane; i++) {
    sample[features * sample_points + i * cell_threads + lane] = f32(owners[i]);
  }
}

// The centre of a cell becomes the mean of its members in the sample. A workgroup for each cell;
// the first one also writes the unit: coordinates relative to a centre stay below 2^15.
@compute @workgroup_size(64)
fn move_centres(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let cell = group.x;
  for (var feature = lane; feature < task.d; feature += 64u) {
    var sum = 0.0;
    var members = 0.0;
    for (var which = 0u; which < sampled(); which++) {
      if (sample[features * sample_points + which] == f32(cell)) {
        sum += sample[feature * sample_points + which];
        members += 1.0;
      }
    }
    centres[feature * cells + cell] = sum / max(members, 1.0);
  }
  if (cell == 0u && lane == 0u) {
    var squares = 0.0;
    for (var feature = 0u; feature < task.d; feature++) {
      let reach = 2147483648.0 / scales[feature];
      squares = fma(reach, reach, squares);
    }
    let exponent = clamp(i32(floor(log2(30000.0) - 0.5 * log2(squares))), -126, 126);
    atomicStore(&cell_words[unit_at], u32(exponent + 127) << 23u);
    atomicStore(&cell_words[part_points_at], task.count);
  }
}

var<workgroup> cell_members: array<atomic<u32>, cells>;

fn forget_cell_members(lane: u32) {
  for (var cell = lane; cell < cells; cell += cell_threads) {
    atomicStore(&cell_members[cell], 0u);
  }
  workgroupBarrier();
}

// The nearest centre of each point, eight centres at a time, and the numbers of points.
@compute @workgroup_size(cell_threads)
fn find_cells(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let point = (group.y * groups.x + group.x) * cell_threads + lane;
  forget_cell_members(lane);
  if (point < task.count) {
    var nearest = 3e38;
    var nearest_cell = 0u;
    for (var cell = 0u; cell < cells; cell += 8u) {
      var low = vec4f();
      var high = vec4f();
      for (var feature = 0u; feature < task.d; feature++) {
        let at = feature * cells + cell;
        let x = points[point * features + feature];
        let a = x - vec4f(centres[at], centres[at + 1u], centres[at + 2u], centres[at + 3u]);
        let b = x - vec4f(centres[at + 4u], centres[at + 5u], centres[at + 6u], centres[at + 7u]);
        low = fma(a, a, low);
        high = fma(b, b, high);
      }
      for (var i = 0u; i < 4u; i++) {
        nearest_cell = select(nearest_cell, cell + i, low[i] < nearest);
        nearest = min(nearest, low[i]);
      }
      for (var i = 0u; i < 4u; i++) {
        nearest_cell = select(nearest_cell, cell + 4u + i, high[i] < nearest);
        nearest = min(nearest, high[i]);
      }
    }
    cell_of_point[point] = nearest_cell;
    atomicAdd(&cell_members[nearest_cell], 1u);
  }
  workgroupBarrier();
  for (var cell = lane; cell < cells; cell += cell_threads) {
    let count = atomicLoad(&cell_members[cell]);
    if (count != 0u) {
      atomicAdd(&cell_words[cells_at + cell], count);
    }
  }
}

var<workgroup> cell_blocks: array<u32, cells>;

// Numbers of points become where a cell begins, and blocks learn their cell. One workgroup.
@compute @workgroup_size(cell_threads)
fn begin_cells(@builtin(local_invocation_index) lane: u32) {
  if (lane < cells) {
    cell_blocks[lane] = (atomicLoad(&cell_words[cells_at + lane]) + block_points - 1u) / block_points;
  }
  workgroupBarrier();
  if (lane < cells) {
    var begin = 0u;
    for (var before = 0u; before < lane; before++) {
      begin += cell_blocks[before];
    }
    for (var block = begin; block < begin + cell_blocks[lane]; block++) {
      atomicStore(&cell_words[block_cells_at + block], lane);
    }
    atomicStore(&cell_words[cells_at + lane], begin * block_points);
    if (lane == cells - 1u) {
      atomicStore(&cell_words[blocks_at], begin + cell_blocks[lane]);
    }
  }
}

@compute @workgroup_size(cell_threads)
fn fill_cells(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let point = (group.y * groups.x + group.x) * cell_threads + lane;
  forget_cell_members(lane);
  var cell = 0u;
  var within = 0u;
  if (point < task.count) {
    cell = cell_of_point[point];
    within = atomicAdd(&cell_members[cell], 1u);
  }
  workgroupBarrier();
  for (var each = lane; each < cells; each += cell_threads) {
    let count = atomicLoad(&cell_members[each]);
    if (count != 0u) {
      atomicStore(&cell_members[each], atomicAdd(&cell_words[cells_at + each], count));
    }
  }
  workgroupBarrier();
  if (point < task.count) {
    point_at[atomicLoad(&cell_members[cell]) + within] = point + 1u;
  }
}
