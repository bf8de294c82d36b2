// Assignment with the point's coordinates in workgroup memory; then the points sorted by label,
// their coordinates gathered in that order, and a segmented reduction. Follows task.wgsl and
// held_points.wgsl.

@compute @workgroup_size(holders)
fn assign(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let index = (group.y * groups.x + group.x) * holders + lane;
  if (index < task.count) {
    let point = task.first + index;
    let changed = note_label(point, nearest(point, lane));
    if (count_changes()) {
      atomicAdd(&changed_in_group, changed);
    }
  }
  report_changes(lane);
}

// Sorting: a stable radix sort, one digit a round (`task.step`), from the least significant.
const digit_bits = 4u;
const digits = 16u;
const lanes = 64u;
// Consecutive elements of a lane; lanes * run of a block.
const run = 16u;
const block_size = lanes * run;
const nobody = 0xffffffffu;

// (digits, blocks): members of a digit in each block; after the scan, where they go.
@group(0) @binding(7) var<storage, read_write> starts: array<u32>;
// (label, point) as the round before left them, and as this round leaves them.
@group(0) @binding(8) var<storage, read_write> pairs_before: array<vec2u>;
@group(0) @binding(9) var<storage, read_write> pairs_after: array<vec2u>;

fn blocks_of(count: u32) -> u32 {
  return (count + block_size - 1u) / block_size;
}

fn pair_at(position: u32) -> vec2u {
  if (task.step > 0u) {
    return pairs_before[position];
  }
  let point = task.first + position;
  return vec2u(labels[point - task.label_origin] - 1u, point);
}

fn digit_of(label: u32) -> u32 {
  return (label >> (digit_bits * task.step)) & (digits - 1u);
}

var<workgroup> members: array<atomic<u32>, digits>;

@compute @workgroup_size(lanes)
fn count_digits(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let block = group.y * groups.x + group.x;
  for (var i = 0u; i < run; i++) {
    let position = block * block_size + i * lanes + lane;
    if (position < task.count) {
      atomicAdd(&members[digit_of(pair_at(position).x)], 1u);
    }
  }
  workgroupBarrier();
  let blocks = blocks_of(task.count);
  if (lane < digits && block < blocks) {
    starts[lane * blocks + block] = atomicLoad(&members[lane]);
  }
}

const scanners = 256u;
// Consecutive numbers of a scanning lane.
const stretch = 4u;
var<workgroup> stretch_sums: array<u32, scanners>;

// Sum of a lane and all lanes before it.
fn sum_up_to(lane: u32, value: u32) -> u32 {
  stretch_sums[lane] = value;
  for (var offset = 1u; offset < scanners; offset <<= 1u) {
    workgroupBarrier();
    var before = 0u;
    if (lane >= offset) {
      before = stretch_sums[lane - offset];
    }
    workgroupBarrier();
    stretch_sums[lane] += before;
  }
  workgroupBarrier();
  return stretch_sums[lane];
}

// Numbers of members become first places: one workgroup adds up what stands before, chunk by chunk.
@compute @workgroup_size(scanners)
fn scan_digits(@builtin(local_invocation_index) lane: u32) {
  let size = digits * blocks_of(task.count);
  var carried = 0u;
  for (var chunk = 0u; chunk < size; chunk += scanners * stretch) {
    let first = chunk + lane * stretch;
    var numbers = vec4u(0u);
    for (var i = 0u; i < stretch; i++) {
      if (first + i < size) {
        numbers[i] = starts[first + i];
      }
    }
    let own_sum = numbers.x + numbers.y + numbers.z + numbers.w;
    var slot = carried + sum_up_to(lane, own_sum) - own_sum;
    for (var i = 0u; i < stretch; i++) {
      if (first + i < size) {
        starts[first + i] = slot;
      }
      slot += numbers[i];
    }
    carried += stretch_sums[scanners - 1u];
    workgroupBarrier();
  }
}

// [digit pair][lane]: two 16-bit numbers a word, of the even and the odd digit.
var<workgroup> ranks: array<u32, digits / 2u * lanes>;

fn rank_shift(digit: u32) -> u32 {
  return 16u * (digit & 1u);
}

// Members of each digit in the runs of all lanes before a lane.
fn scan_ranks(lane: u32) {
  for (var offset = 1u; offset <= lanes; offset <<= 1u) {
    workgroupBarrier();
    // The last round moves every lane's numbers on by one lane: the lanes before, without its own.
    let distance = select(offset, 1u, offset == lanes);
    var before = array<u32, 8>();
    if (lane >= distance) {
      for (var pair = 0u; pair < digits / 2u; pair++) {
        before[pair] = ranks[pair * lanes + lane - distance];
      }
    }
    workgroupBarrier();
    for (var pair = 0u; pair < digits / 2u; pair++) {
      let at = pair * lanes + lane;
      ranks[at] = before[pair] + select(ranks[at], 0u, offset == lanes);
    }
  }
}

// Each lane takes a run of consecutive elements, so that equal digits keep their order.
@compute @workgroup_size(lanes)
fn move_pairs(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let block = group.y * groups.x + group.x;
  let blocks = blocks_of(task.count);
  let first = block * block_size + lane * run;
  for (var pair = 0u; pair < digits / 2u; pair++) {
    ranks[pair * lanes + lane] = 0u;
  }
  for (var i = 0u; i < run; i++) {
    if (first + i < task.count) {
      let digit = digit_of(pair_at(first + i).x);
      ranks[digit / 2u * lanes + lane] += 1u << rank_shift(digit);
    }
  }
  scan_ranks(lane);
  for (var i = 0u; i < run; i++) {
    if (first + i < task.count) {
      let pair = pair_at(first + i);
      let digit = digit_of(pair.x);
      let at = digit / 2u * lanes + lane;
      let rank = (ranks[at] >> rank_shift(digit)) & 0xffffu;
      ranks[at] += 1u << rank_shift(digit);
      pairs_after[starts[digit * blocks + block] + rank] = pair;
    }
  }
}

// Gathering and adding up: (label, point) sorted, and (d, count) coordinates in that order.
@group(0) @binding(7) var<storage, read_write> sorted: array<vec2u>;
@group(0) @binding(8) var<storage, read_write> gathered: array<f32>;

@compute @workgroup_size(lanes)
fn gather(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let entry = (group.y * groups.x + group.x) * lanes + lane;
  if (entry < task.count * features) {
    gathered[entry] = points[sorted[entry % task.count].y * features + entry / task.count];
  }
}

// A sum over consecutive members of one cluster, low and high word.
struct Segment { cluster: u32, low: u32, high: u32 }

// Empty clusters have no segment: a segment finds its place by its cluster, never by its number.
fn deliver(segment: Segment, value: u32) {
  if (segment.cluster == nobody) {
    return;
  }
  if (value == features) {
    add_to_count(segment.cluster, segment.low);
  } else {
    add_to_sum(segment.cluster, value, segment.low, segment.high);
  }
}

fn extended(segment: Segment, low: u32, high: u32) -> Segment {
  let sum = segment.low + low;
  return Segment(segment.cluster, sum, segment.high + high + select(0u, 1u, sum < low));
}

// The last segment of a lane's run; segments that end earlier are delivered at once: few, as labels
// are sorted.
fn reduce_run(first: u32, value: u32) -> Segment {
  var segment = Segment(nobody, 0u, 0u);
  for (var i = 0u; i < run; i++) {
    let position = first + i;
    if (position < task.count) {
      let cluster = sorted[position].x;
      if (cluster != segment.cluster) {
        deliver(segment, value);
        segment = Segment(cluster, 0u, 0u);
      }
      var number = 1u;
      if (value < features) {
        number = to_fixed(gathered[value * task.count + position], value);
      }
      segment = extended(segment, number, 0u);
    }
  }
  return segment;
}

// Twice, so that a step reads what the step before wrote and one barrier a step is enough.
var<workgroup> segments: array<vec3u, 2u * lanes>;

// One workgroup per block of positions and coordinate; the coordinate after the last counts
// members.
@compute @workgroup_size(lanes)
fn reduce_segments(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let blocks = blocks_of(task.count);
  let index = group.y * groups.x + group.x;
  let value = index / blocks;
  var segment = Segment(nobody, 0u, 0u);
  if (value <= features) {
    segment = reduce_run(index % blocks * block_size + lane * run, value);
  }
  var side = 0u;
  segments[lane] = vec3u(segment.cluster, segment.low, segment.high);
  for (var offset = 1u; offset < lanes; offset <<= 1u) {
    workgroupBarrier();
    if (lane >= offset) {
      let before = segments[side + lane - offset];
      if (before.x == segment.cluster) {
        segment = extended(segment, before.y, before.z);
      }
    }
    side = lanes - side;
    segments[side + lane] = vec3u(segment.cluster, segment.low, segment.high);
  }
  workgroupBarrier();
  if (lane == lanes - 1u || segments[side + min(lane + 1u, lanes - 1u)].x != segment.cluster) {
    deliver(segment, value);
  }
}
