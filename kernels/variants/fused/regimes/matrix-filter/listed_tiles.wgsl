// Clusters in the order of the cells they lie in, and for each cell the tiles of clusters that can
// hold a nearest one. Follows rounded_halves.wgsl.

@group(0) @binding(12) var<storage, read_write> cell_of_cluster: array<u32>;

// Groups of eight clusters of a tile of the filter.
override groups_a_tile: u32 = 2u;
override all_tiles: u32 = (all_groups + groups_a_tile - 1u) / groups_a_tile;
// Behind the images: for each cell the number of its tiles and the first two, then the tiles.
override lists_at: u32 = cells * tiles_of_all * tile_clusters * vectors;

var<workgroup> arranges: u32;
var<workgroup> nearest_centres: array<vec2f, 64>;

// The nearest centre. A workgroup for each cluster.
@compute @workgroup_size(64)
fn find_cluster_cells(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (lane == 0u) {
    arranges = atomicLoad(&image_state[arranges_at]);
  }
  if (workgroupUniformLoad(&arranges) == 0u) {
    return;
  }
  let cluster = group.y * groups.x + group.x;
  var nearest = vec2f(3e38, 0.0);
  for (var cell = lane; cell < cells; cell += 64u) {
    var sum = 0.0;
    for (var feature = 0u; feature < task.d; feature++) {
      let at = task.slot * task.centroids_stride + min(cluster, max(task.k, 1u) - 1u) * features + feature;
      let difference = centroids[at] - some_centres[feature * cells + cell];
      sum = fma(difference, difference, sum);
    }
    nearest = select(nearest, vec2f(sum, f32(cell)), sum < nearest.x);
  }
  nearest_centres[lane] = nearest;
  for (var half = 32u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half && nearest_centres[lane + half].x < nearest_centres[lane].x) {
      nearest_centres[lane] = nearest_centres[lane + half];
    }
  }
  if (lane == 0u && cluster < task.k) {
    cell_of_cluster[cluster] = u32(nearest_centres[0].y);
  }
}

var<workgroup> other_cells: array<u32, 64>;

// The place of each cluster: as many as lie in earlier cells, or before it in its own one.
@compute @workgroup_size(64)
fn arrange(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (lane == 0u) {
    arranges = atomicLoad(&image_state[arranges_at]);
  }
  if (workgroupUniformLoad(&arranges) == 0u) {
    return;
  }
  let cluster = (group.y * groups.x + group.x) * 64u + lane;
  let own = cell_of_cluster[min(cluster, max(task.k, 1u) - 1u)];
  var position = 0u;
  for (var first = 0u; first < task.k; first += 64u) {
    other_cells[lane] = select(cells, cell_of_cluster[min(first + lane, task.k - 1u)], first + lane < task.k);
    workgroupBarrier();
    for (var i = 0u; i < 64u; i++) {
      let cell = other_cells[i];
      position += select(0u, 1u, cell < own || (cell == own && first + i < cluster));
    }
    workgroupBarrier();
  }
  if (cluster < task.k) {
    names[position] = cluster;
  } else if (cluster < arrayLength(&names)) {
    names[cluster] = cluster;
  }
}

var<workgroup> min_lengths: array<f32, 64>;
var<workgroup> listed: atomic<u32>;
var<workgroup> first_listed: array<u32, 2>;

// With R the length of the farthest point of a cell, some centroid is within the least length + R
// of each of its points, and those of a tile are at least their least length - R away. A hundredth
// more covers what computed distances are off by.
@compute @workgroup_size(64)
fn list_tiles(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let cell = group.x;
  let lengths_at = cells * tiles_of_all * tile_clusters + cell * tiles_of_all * tile_groups;
  var min_length = 3e38;
  for (var each = lane; each < all_groups; each += 64u) {
    min_length = min(min_length, starts[lengths_at + each]);
  }
  min_lengths[lane] = min_length;
  for (var half = 32u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) {
      min_lengths[lane] = min(min_lengths[lane], min_lengths[lane + half]);
    }
  }
  workgroupBarrier();
  let unit = bitcast<f32>(atomicLoad(&some_words[unit_at]));
  let reach = bitcast<f32>(atomicLoad(&some_words[reaches_at + cell]));
  let list_at = lists_at + cell * (all_tiles + 1u);
  let beyond = 1.01 * (1.002 * min_lengths[0] + reach) + reach + 1e-12 * unit;
  for (var tile = lane; tile < all_tiles; tile += 64u) {
    var nearest = 3e38;
    for (var each = 0u; each < groups_a_tile; each++) {
      nearest = min(nearest, starts[lengths_at + min(tile * groups_a_tile + each, all_groups - 1u)]);
    }
    if (!(nearest > beyond)) {
      let at = atomicAdd(&listed, 1u);
      halves[list_at + 1u + at] = vec4u(tile);
      if (at < 2u) {
        first_listed[at] = tile;
      }
    }
  }
  workgroupBarrier();
  if (lane == 0u) {
    let count = atomicLoad(&listed);
    halves[list_at] = vec4u(count, first_listed[0], first_listed[select(1u, 0u, count < 2u)], 0u);
  }
}
