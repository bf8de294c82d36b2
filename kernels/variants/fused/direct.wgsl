// Few centroids, for low.wgsl: the distance to every one.

fn begin(lane: u32) {
}

fn distances(group: u32, row: u32, x: Four) -> vec4f {
  return vec4f(
    staged_distance(group, row, x.a),
    staged_distance(group, row, x.b),
    staged_distance(group, row, x.c),
    staged_distance(group, row, x.d),
  );
}

struct Closest { distance: vec4f, cluster: vec4u }

fn try_row(closest: Closest, first: u32, group: u32, row: u32, x: Four) -> Closest {
  let found = distances(group, row, x);
  let cluster = first + group * group_size + row;
  return Closest(min(closest.distance, found), select(closest.cluster, vec4u(cluster), found < closest.distance));
}

// Equal distances go to the lower index.
fn nearest_four(x: Four, lane: u32) -> vec4u {
  var closest = Closest(vec4f(3e38), vec4u());
  for (var first = 0u; first < task.k; first += tile_groups * group_size) {
    if (task.k > tile_groups * group_size) {
      workgroupBarrier();
      stage(first / group_size, lane);
      workgroupBarrier();
    }
    // A row past the last centroid is nowhere near any point.
    for (var group = 0u; group < tile_groups && first + group * group_size < task.k; group++) {
      closest = try_row(closest, first, group, 0u, x);
      closest = try_row(closest, first, group, 1u, x);
      closest = try_row(closest, first, group, 2u, x);
      closest = try_row(closest, first, group, 3u, x);
      closest = try_row(closest, first, group, 4u, x);
      closest = try_row(closest, first, group, 5u, x);
      closest = try_row(closest, first, group, 6u, x);
      closest = try_row(closest, first, group, 7u, x);
    }
  }
  return closest.cluster;
}
