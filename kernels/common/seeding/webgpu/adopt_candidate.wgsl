// What a round changes.

// Of a thread, where each has one.
fn point_of(group: vec3u, groups: vec3u, lane: u32) -> u32 {
  return (group.y * groups.x + group.x) * threads + lane;
}

// The candidate with the smallest potential; of equal ones the one that was drawn first.
fn best_candidate() -> u32 {
  var best = 0u;
  for (var candidate = 1u; candidate < shape.candidates; candidate++) {
    if (exceeds(round.potentials[best], round.potentials[candidate])) {
      best = candidate;
    }
  }
  return best;
}

// D2 and its sums become those with the best candidate, which is noted; a workgroup a block of 1024
// points.
@compute @workgroup_size(threads)
fn adopt_candidate(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let block = group.y * groups.x + group.x;
  if (lane == 0u) {
    broadcast = no_row;
    if (block < shape.blocks && !is_over()) {
      broadcast = best_candidate();
    }
  }
  let best = workgroupUniformLoad(&broadcast);
  if (best == no_row) {
    return;
  }
  for (var at = lane; at < points_of(block); at += threads) {
    let point = block * block_points + at;
    if (((marks[point] >> best) & 1u) != 0u) {
      nearest[point] = table[best * shape.n + point];
    }
  }
  if (lane != 0u) {
    return;
  }
  let position = (shape.slot + best) * shape.blocks + block;
  sums[block] = sums[position];
  running[block] = running[position];
  // Nobody else reads how many rounds are done in this dispatch.
  if (block == 0u) {
    chosen[round.done] = round.rows[best];
    round.done++;
  }
}

// D2 becomes the smallest of D2 and the distances to all candidates.
@compute @workgroup_size(threads)
fn lower(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let point = point_of(group, groups, lane);
  if (point >= shape.n) {
    return;
  }
  var smallest = nearest[point];
  for (var left = marks[point]; left != 0u; left &= left - 1u) {
    let candidate = countTrailingZeros(left);
    let value = table[candidate * shape.n + point];
    if (exceeds(smallest, value)) {
      smallest = value;
      winners[point] = shape.position + candidate;
    }
  }
  nearest[point] = smallest;
}

@compute @workgroup_size(threads)
fn forget(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let point = point_of(group, groups, lane);
  if (point < shape.n) {
    nearest[point] = infinite;
  }
}

@compute @workgroup_size(threads)
fn count_members(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let point = point_of(group, groups, lane);
  if (point < shape.n) {
    atomicAdd(&members[winners[point]], 1u);
  }
}
