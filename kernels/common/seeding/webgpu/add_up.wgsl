// Running sums over the blocks, in order, a workgroup a candidate; the last of them is its potential.

@compute @workgroup_size(scanners)
fn add_up(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) {
    told = select(0u, 1u, is_over());
    walked = vec2u();
  }
  if (workgroupUniformLoad(&told) != 0u) {
    return;
  }
  let first = (shape.slot + group.x) * shape.blocks;
  for (var block = 0u; block < shape.blocks; block += block_points) {
    let count = min(block_points, shape.blocks - block);
    for (var at = lane; at < count; at += scanners) {
      tile[at] = sums[first + block + at];
    }
    workgroupBarrier();
    add_in_order(lane, count);
    for (var at = lane; at < count; at += scanners) {
      running[first + block + at] = tile[at];
    }
    workgroupBarrier();
  }
  if (lane == 0u) {
    round.potentials[group.x] = walked;
  }
}

// Block sums of D2 as it is, a workgroup a block.
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
