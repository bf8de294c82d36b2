// Centroids made ready for the tiles, and lengths. Follows cluster-groups.wgsl, and
// names_by_cell.wgsl.

// What is added to the products of a row: |c|^2 / 2 of each centroid filled up to whole tiles; then
// to its distances.
@group(0) @binding(8) var<storage, read_write> offsets: array<f32>;
@group(0) @binding(9) var<storage, read_write> ready_state: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> extents: array<Extent>;

fn extent_of(squares: f32, beginnings: f32) -> Extent {
  return Extent(1.0001 * sqrt(squares), 1.0001 * sqrt(beginnings));
}

// Once, for each point.
@compute @workgroup_size(64)
fn measure(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let point = (group.y * groups.x + group.x) * 64u + lane;
  if (point < task.count) {
    var squares = 0.0;
    var beginnings = 0.0;
    for (var feature = 0u; feature < features; feature++) {
      let value = points[point * features + feature];
      squares = fma(value, value, squares);
      beginnings += squares;
    }
    extents[point] = extent_of(squares, beginnings);
  }
}

// Four coordinates a thread.
@compute @workgroup_size(64)
fn tile_centroids(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let at = (group.y * groups.x + group.x) * 64u + lane;
  if (at >= arrayLength(&tiled)) {
    return;
  }
  if (at >= names_at) {
    let position = 4u * (at - names_at);
    tiled[at] = vec4f(vec4u(name_of(position), name_of(position + 1u), name_of(position + 2u), name_of(position + 3u)));
    return;
  }
  let quad = at % (2u * tile_groups);
  let feature = (at / (2u * tile_groups)) % (slices * depth);
  let tile = at / (2u * tile_groups) / (slices * depth);
  let cluster = tile * tile_clusters + quad % tile_groups * group_size + quad / tile_groups * 4u;
  tiled[at] = -vec4f(
    coordinate(cluster, feature),
    coordinate(cluster + 1u, feature),
    coordinate(cluster + 2u, feature),
    coordinate(cluster + 3u, feature),
  );
}

// A workgroup adds up the norm of one centroid, by halves: few roundings. Squares and weighted
// squares.
var<workgroup> parts_of_norm: array<vec2f, 64>;

@compute @workgroup_size(64)
fn norms(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let cluster = group.y * groups.x + group.x;
  var sum = vec2f();
  for (var feature = lane; feature < features; feature += 64u) {
    let value = coordinate(cluster, feature);
    // As many beginnings as there are features from this one on hold its square.
    sum = fma(vec2f(value * value), vec2f(1.0, f32(features - feature)), sum);
  }
  parts_of_norm[lane] = sum;
  for (var half = 32u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) {
      parts_of_norm[lane] += parts_of_norm[lane + half];
    }
  }
  if (lane == 0u && cluster < arrayLength(&offsets)) {
    let norm = parts_of_norm[0];
    offsets[cluster] = select(0.5 * norm.x, nowhere, cluster >= task.k);
    let extent = extent_of(norm.x, norm.y);
    atomicMax(&ready_state[longest_at], bitcast<u32>(extent.length));
    atomicMax(&ready_state[growth_at], bitcast<u32>(extent.growth));
  }
}
