// The products of the matrix units, added up by hand: SwiftShader has no such units. In the place
// of matrix-filter.wgsl.
@compute @workgroup_size(64)
fn filter_by_matrices(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let tiles = tiles_for(group.x, images[list_of(group.x)].x, lane);
  if (tiles == 0u) {
    return;
  }
  let rows = part_words[block_cells_at + group.x] * image_clusters();
  var verdicts: array<Verdict, 4>;
  var slots: array<u32, 4>;
  for (var at = 0u; at < block_points / 64u; at++) {
    let position = group.x * block_points + at * 64u + lane;
    var standing = nothing_stands();
    for (var turn = 0u; turn < tiles * groups_a_tile; turn++) {
      let each = images[list_of(group.x) + 1u + turn / groups_a_tile].x * groups_a_tile + turn % groups_a_tile;
      var least = 3e38;
      var next = 3e38;
      var position_of_least = each * 8u;
      for (var cluster = each * 8u; cluster < each * 8u + 8u; cluster++) {
        var sum = 0.0;
        for (var vector = 0u; vector < vectors; vector++) {
          let x = point_halves[half_at(position, vector)];
          let c = images[(rows + cluster) * vectors + vector];
          for (var two = 0u; two < 4u; two++) {
            sum += dot(unpack2x16float(x[two]), unpack2x16float(c[two]));
          }
        }
        let score = start_quads[(rows + cluster) / 4u][cluster % 4u] - sum;
        position_of_least = select(position_of_least, cluster, score < least);
        next = min(next, max(least, score));
        least = min(least, score);
      }
      standing = after_group(standing, least, next, position_of_least);
    }
    verdicts[at] = verdict_for(point_records[position], standing, losses_now());
    slots[at] = slot_of(verdicts[at]);
  }
  begin_lists(lane);
  for (var i = 0u; i < block_points / 64u; i++) {
    list_verdict(verdicts[i], slots[i]);
  }
}
