// For resolve_doubts.wgsl: a resolved point is added to the sums of the slot, by the lanes of its team.
// Any two clusters may be the nearest.
fn pair_in_doubt(point: u32) -> vec2u {
  return vec2u(no_cluster);
}

fn known_before(point: u32) -> u32 {
  return 0u;
}

fn add_resolved(point: u32, cluster: u32, known: u32, own: u32) {
  for (var feature = own; feature < task.d; feature += team) {
    let value = bitcast<f32>(point_words[point * task.d + feature]);
    add_to_sum(cluster, feature, to_fixed(value, feature), 0u);
    add_to_rest(cluster, feature, rest_of(value, feature));
  }
  if (own == 0u) {
    add_to_count(cluster, 1u);
  }
}
