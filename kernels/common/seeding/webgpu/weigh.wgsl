// Exact distances of the pairs of a point and a candidate that are marked; a workgroup a block of
// 1024 points. The pairs of the block are listed, so that threads calculate side by side whichever
// points they lie at.

const pairs_at_once = 1024u;

// Candidate, and point within the block.
var<workgroup> pairs: array<u32, pairs_at_once>;
var<workgroup> pair_count: atomic<u32>;

fn marks_at(point: u32) -> u32 {
  if (point >= shape.n) {
    return 0u;
  }
  return marks[point];
}

// The pairs of this thread whose turn it is, from its place in the list of all.
fn list_pairs(own: vec4u, base: u32, first: u32, lane: u32) {
  var position = base;
  for (var at = 0u; at < 4u; at++) {
    for (var left = own[at]; left != 0u; left &= left - 1u) {
      if (position >= first && position < first + pairs_at_once) {
        pairs[position - first] = (countTrailingZeros(left) * block_points) | (at * threads + lane);
      }
      position++;
    }
  }
}

fn calculate(pair: u32, block: u32) {
  let candidate = pair / block_points;
  let point = block * block_points + pair % block_points;
  let before = nearest[point];
  let distance = distance_between(point, round.rows[candidate]);
  table[candidate * shape.n + point] = select(before, distance, exceeds(before, distance));
}

@compute @workgroup_size(threads)
fn weigh(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let block = group.y * groups.x + group.x;
  var own = vec4u();
  if (block < shape.blocks && !is_over()) {
    for (var at = 0u; at < 4u; at++) {
      own[at] = marks_at(block * block_points + at * threads + lane);
    }
  }
  if (lane == 0u) {
    atomicStore(&pair_count, 0u);
  }
  workgroupBarrier();
  let ones = countOneBits(own);
  let base = atomicAdd(&pair_count, ones.x + ones.y + ones.z + ones.w);
  workgroupBarrier();
  if (lane == 0u) {
    broadcast = atomicLoad(&pair_count);
  }
  let count = workgroupUniformLoad(&broadcast);
  for (var first = 0u; first < count; first += pairs_at_once) {
    list_pairs(own, base, first, lane);
    workgroupBarrier();
    for (var at = lane; at < min(pairs_at_once, count - first); at += threads) {
      calculate(pairs[at], block);
    }
    workgroupBarrier();
  }
}
