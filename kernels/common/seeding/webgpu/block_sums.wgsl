// Sums of the blocks, a workgroup a block of 1024 points.

// Threads of a workgroup: eight lanes of eight candidates.
const adders = 64u;

// Marks and D2 of the block; 0 past the last point.
var<workgroup> marked: array<u32, block_points>;
var<workgroup> held: array<vec2u, block_points>;
// Candidates that are marked somewhere in the block.
var<workgroup> touched: atomic<u32>;
// Sums of the lanes of eight candidates.
var<workgroup> lane_sums: array<vec2u, adders>;

fn sum_of_lanes(first: u32) -> vec2u {
  var pairs: array<vec2u, 4>;
  for (var at = 0u; at < 4u; at++) {
    pairs[at] = sum_of(lane_sums[first + 2u * at], lane_sums[first + 2u * at + 1u]);
  }
  return sum_of(sum_of(pairs[0], pairs[1]), sum_of(pairs[2], pairs[3]));
}

// What D2 of a point of the block would be. Without a branch, so that several can be under way; of
// what is not marked, one that everybody fetches.
fn value_of(block: u32, candidate: u32, at: u32) -> vec2u {
  let is_marked = ((marked[at] >> candidate) & 1u) != 0u;
  let position = candidate * shape.n + block * block_points + at;
  return select(held[at], table[select(0u, position, is_marked)], is_marked);
}

// Four values are under way while others are added.
fn add_lane(block: u32, candidate: u32, first: u32) -> vec2u {
  var sum = vec2u();
  for (var at = first; at < block_points; at += 4u * lanes) {
    let a = value_of(block, candidate, at);
    let b = value_of(block, candidate, at + lanes);
    let c = value_of(block, candidate, at + 2u * lanes);
    let d = value_of(block, candidate, at + 3u * lanes);
    sum = sum_of(sum_of(sum_of(sum_of(sum, a), b), c), d);
  }
  return sum;
}

fn gather(block: u32, lane: u32) {
  let count = points_of(block);
  var all = 0u;
  for (var at = lane; at < block_points; at += adders) {
    let point = block * block_points + min(at, count - 1u);
    let is_there = at < count;
    let own = select(0u, marks[point], is_there);
    marked[at] = own;
    held[at] = select(vec2u(), nearest[point], is_there);
    all |= own;
  }
  atomicOr(&touched, all);
}

// Eight candidates from `first` on. Where no point of the block comes nearer, its sum is the one of
// D2.
fn add_eight(block: u32, first: u32, lane: u32) {
  let candidates = atomicLoad(&touched) >> first;
  let own = lane / lanes;
  if (((candidates >> own) & 1u) != 0u) {
    lane_sums[lane] = add_lane(block, first + own, lane % lanes);
  }
  workgroupBarrier();
  if (lane < lanes && first + lane < shape.candidates) {
    let position = (shape.slot + first + lane) * shape.blocks + block;
    if (((candidates >> lane) & 1u) != 0u) {
      sums[position] = sum_of_lanes(lane * lanes);
    } else {
      sums[position] = sums[block];
    }
  }
  workgroupBarrier();
}

// What the sum would be with each candidate.
@compute @workgroup_size(adders)
fn add_candidates(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let block = group.y * groups.x + group.x;
  if (lane == 0u) {
    broadcast = select(0u, 1u, block >= shape.blocks || is_over());
    atomicStore(&touched, 0u);
  }
  if (workgroupUniformLoad(&broadcast) != 0u) {
    return;
  }
  gather(block, lane);
  workgroupBarrier();
  for (var first = 0u; first < shape.candidates; first += adders / lanes) {
    add_eight(block, first, lane);
  }
}

// Of D2 as it is.
@compute @workgroup_size(lanes)
fn add_blocks(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let block = group.y * groups.x + group.x;
  if (block >= shape.blocks) {
    return;
  }
  var sum = vec2u();
  for (var at = lane; at < points_of(block); at += lanes) {
    sum = sum_of(sum, nearest[block * block_points + at]);
  }
  lane_sums[lane] = sum;
  workgroupBarrier();
  if (lane == 0u) {
    sums[block] = sum_of_lanes(0u);
  }
}
