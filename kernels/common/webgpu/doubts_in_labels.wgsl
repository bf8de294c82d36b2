// For resolve_doubts.wgsl: points in doubt are those that labels mark. A file with `add_resolved`, which adds
// up, follows.

@group(0) @binding(1) var<storage, read> point_words: array<u32>;

// Where to look ends. A pass that adds up notes that there are any; one that only labels does not
// begin with a count of its own.
fn doubts_end() -> u32 {
  let at = task.slot * task.counts_stride + task.changed_at + 1u;
  if (accumulate() && atomicLoad(&counts[at]) == 0u) {
    return 0u;
  }
  return arrayLength(&labels);
}

fn is_in_doubt_at(position: u32) -> bool {
  return labels[position] >= doubt_mark;
}

fn point_in_doubt(position: u32) -> u32 {
  return position + task.label_origin;
}

fn resolve_label(position: u32, cluster: u32) {
  let before = labels[position] & ~doubt_mark;
  labels[position] = select(before, cluster + 1u, write_labels());
  if (count_changes() && before != cluster + 1u) {
    atomicAdd(&counts[task.slot * task.counts_stride + task.changed_at], 1u);
  }
}

fn take_resolved(position: u32, cluster: u32, known: u32, own: u32) {
  if (own == 0u) {
    resolve_label(position, cluster);
  }
  if (accumulate()) {
    add_resolved(point_in_doubt(position), cluster, known, own);
  }
}

@compute @workgroup_size(resolve_threads)
fn resolve_doubts(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  resolve_all(group, groups, lane);
}
