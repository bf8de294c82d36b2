// Few centroids, for staged-centroids.wgsl: the distance to every one.

fn begin(lane: u32) {
}

fn distances(at: u32, x: Four) -> vec4f {
  return vec4f(
    staged_distance(at, x.a),
    staged_distance(at, x.b),
    staged_distance(at, x.c),
    staged_distance(at, x.d),
  );
}

// The smallest distance, whose it is, and the smallest of the others.
struct Closest { distance: vec4f, cluster: vec4u, next: vec4f }

fn try_row(closest: Closest, cluster: u32, found: vec4f) -> Closest {
  return Closest(
    min(closest.distance, found),
    select(closest.cluster, vec4u(cluster), found < closest.distance),
    min(closest.next, max(closest.distance, found)),
  );
}

fn nearest_four(x: Four, lane: u32) -> Nearest4 {
  var closest = Closest(vec4f(3e38), vec4u(), vec4f(3e38));
  for (var first = 0u; first < task.k; first += tile_groups * group_size) {
    if (task.k > tile_groups * group_size) {
      workgroupBarrier();
      stage(first / group_size, lane);
      workgroupBarrier();
    }
    // A row past the last centroid is nowhere near any point.
    for (var row = 0u; row < min(tile_groups * group_size, task.k - first); row += 4u) {
      let at = row / group_size * group_vectors + row % group_size * row_vectors;
      closest = try_row(closest, first + row, distances(at, x));
      closest = try_row(closest, first + row + 1u, distances(at + row_vectors, x));
      closest = try_row(closest, first + row + 2u, distances(at + 2u * row_vectors, x));
      closest = try_row(closest, first + row + 3u, distances(at + 3u * row_vectors, x));
    }
  }
  return Nearest4(closest.cluster, are_in_doubt(closest.distance, closest.next));
}
