// The row where the running sum of D2 passes a target, a workgroup a target.

var<workgroup> found: atomic<u32>;
var<workgroup> first_found: u32;

// The first block whose running sum passes the target: sums of values that are not negative never
// fall, however rounded.
fn block_passing(goal: vec2u) -> u32 {
  var passing = shape.blocks;
  var low = 0u;
  while (low < passing) {
    let middle = low + (passing - low) / 2u;
    if (exceeds(running[middle], goal)) {
      passing = middle;
    } else {
      low = middle + 1u;
    }
  }
  return passing;
}

// The first point of a block that passes the target, points at a centre never; its count of points
// where there is none.
fn point_passing(block: u32, goal: vec2u, lane: u32) -> u32 {
  let count = points_of(block);
  let first = block * block_points;
  for (var at = lane; at < count; at += threads) {
    tile[at] = nearest[first + at];
  }
  if (lane == 0u) {
    walked = vec2u();
    if (block > 0u) {
      walked = running[block - 1u];
    }
    atomicStore(&found, count);
  }
  workgroupBarrier();
  add_in_order(lane, count);
  for (var at = lane; at < count; at += threads) {
    if (exceeds(tile[at], goal) && !is_zero(nearest[first + at])) {
      atomicMin(&found, at);
    }
  }
  workgroupBarrier();
  if (lane == 0u) {
    first_found = atomicLoad(&found);
  }
  return workgroupUniformLoad(&first_found);
}

// The last point that is not at a centre; the last of all where each is.
fn last_with_distance() -> u32 {
  for (var block = shape.blocks; block > 0u; block--) {
    if (is_zero(sums[block - 1u])) {
      continue;
    }
    for (var at = points_of(block - 1u); at > 0u; at--) {
      let point = (block - 1u) * block_points + at - 1u;
      if (!is_zero(nearest[point])) {
        return point;
      }
    }
  }
  return shape.n - 1u;
}

// Where rounding lets no point of a block pass, the next block is searched from the sum before it.
fn find_row(goal: vec2u, candidate: u32, lane: u32) {
  if (lane == 0u) {
    broadcast = block_passing(goal);
  }
  var row = no_row;
  for (var block = workgroupUniformLoad(&broadcast); block < shape.blocks; block++) {
    let point = point_passing(block, goal, lane);
    if (point < points_of(block)) {
      row = block * block_points + point;
      break;
    }
  }
  if (lane == 0u) {
    if (row == no_row) {
      row = last_with_distance();
    }
    round.rows[candidate] = row;
  }
}

var<workgroup> drawn: vec2u;

// Targets that were told.
@compute @workgroup_size(threads)
fn pick(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) {
    drawn = round.targets[group.x];
  }
  find_row(workgroupUniformLoad(&drawn), group.x, lane);
}

// Targets of this round: a draw times the sum of D2.
@compute @workgroup_size(threads)
fn draw(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) {
    drawn = running[shape.blocks - 1u];
  }
  let total = workgroupUniformLoad(&drawn);
  if (is_zero(total)) {
    if (lane == 0u) {
      round.rows[group.x] = no_row;
    }
    return;
  }
  if (lane == 0u) {
    drawn = product_of(draws[round.done * shape.candidates + group.x], total);
  }
  find_row(workgroupUniformLoad(&drawn), group.x, lane);
}
