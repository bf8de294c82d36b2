// Labels on their way to the host: four or two to a word where the clusters in play allow it.
// Follows task.wgsl in one module.

@group(0) @binding(7) var<storage, read_write> packed: array<u32>;

fn label_at(point: u32) -> u32 {
  return labels[min(point, task.count - 1u)] - 1u;
}

// One word a thread.
@compute @workgroup_size(256)
fn pack_labels(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let word = (group.y * groups.x + group.x) * 256u + lane;
  if (task.k <= 256u && 4u * word < task.count) {
    let at = 4u * word;
    let low = label_at(at) | (label_at(at + 1u) << 8u);
    packed[word] = low | (label_at(at + 2u) << 16u) | (label_at(at + 3u) << 24u);
  } else if (task.k > 256u && task.k <= 65536u && 2u * word < task.count) {
    packed[word] = label_at(2u * word) | (label_at(2u * word + 1u) << 16u);
  } else if (task.k > 65536u && word < task.count) {
    packed[word] = label_at(word);
  }
}
