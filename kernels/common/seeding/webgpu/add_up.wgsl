// Running sums over the blocks, in order, a workgroup a candidate; the last of them is its
// potential.

@compute @workgroup_size(threads)
fn add_up(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) {
    broadcast = select(0u, 1u, is_over());
    walked = vec2u();
  }
  if (workgroupUniformLoad(&broadcast) != 0u) {
    return;
  }
  let first = (shape.slot + group.x) * shape.blocks;
  for (var block = 0u; block < shape.blocks; block += block_points) {
    let count = min(block_points, shape.blocks - block);
    for (var at = lane; at < count; at += threads) {
      tile[at] = sums[first + block + at];
    }
    workgroupBarrier();
    add_in_order(lane, count);
    for (var at = lane; at < count; at += threads) {
      running[first + block + at] = tile[at];
    }
    workgroupBarrier();
  }
  if (lane == 0u) {
    round.potentials[group.x] = walked;
  }
}
