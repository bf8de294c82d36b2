// The nearest of all centroids, for private-sums.wgsl: one line a centroid, for a loop takes twice
// the time.

fn hold(lane: u32) {
  hold_all();
}

fn nearest(x: vec2f) -> u32 {
  var closest = Closest(distance(x, c0), 0u);
  if (rows > 1u) { closest = nearer(closest, 1u, distance(x, c1)); }
  if (rows > 2u) { closest = nearer(closest, 2u, distance(x, c2)); }
  if (rows > 3u) { closest = nearer(closest, 3u, distance(x, c3)); }
  if (rows > 4u) { closest = nearer(closest, 4u, distance(x, c4)); }
  if (rows > 5u) { closest = nearer(closest, 5u, distance(x, c5)); }
  if (rows > 6u) { closest = nearer(closest, 6u, distance(x, c6)); }
  if (rows > 7u) { closest = nearer(closest, 7u, distance(x, c7)); }
  if (rows > 8u) { closest = nearer(closest, 8u, distance(x, c8)); }
  if (rows > 9u) { closest = nearer(closest, 9u, distance(x, c9)); }
  if (rows > 10u) { closest = nearer(closest, 10u, distance(x, c10)); }
  if (rows > 11u) { closest = nearer(closest, 11u, distance(x, c11)); }
  if (rows > 12u) { closest = nearer(closest, 12u, distance(x, c12)); }
  if (rows > 13u) { closest = nearer(closest, 13u, distance(x, c13)); }
  if (rows > 14u) { closest = nearer(closest, 14u, distance(x, c14)); }
  if (rows > 15u) { closest = nearer(closest, 15u, distance(x, c15)); }
  return closest.cluster;
}
