// What a pass reads of the centroids: coordinates negated, four clusters a vector, tile by tile of
// clusters, and the half norms in front of each tile. Follows task.wgsl, mean.wgsl,
// fresh_centroids.wgsl, whole_numbers.wgsl and rows_by_four.wgsl or rows_by_one.wgsl.

override features: u32 = 1u;
// Clusters that there is room for; of tiles of them `columns` lanes have four each, or eight.
override local_k: u32 = 1u;
override columns: u32 = 1u;
override vectors: u32 = 1u;
override cluster_tiles: u32 = 1u;
// Slices of a row, and vectors of each; the last one is filled up with zeros.
override slices: u32 = 1u;
override slice_quads: u32 = 1u;
// Scores |c|^2 / 2 - x.c, which take half the operations, or distances.
override by_scores: bool = false;

override tile_vectors: u32 = columns * vectors;
override tile_clusters: u32 = 4u * tile_vectors;
override padded_features: u32 = 4u * slices * slice_quads;
// Of a tile: half norms, then features.
override image_rows: u32 = 1u + padded_features;
// Kept sums (k, d, 3), members (k), the next tile of points, and the greatest squared length, in
// iterations by turns.
override members_at: u32 = 3u * local_k * features;
override next_at: u32 = members_at + local_k;
override longest_at: u32 = next_at + 1u;

// Coordinates of a centroid that is none, and the half norm of one.
const far_off: f32 = 1e18;
const nowhere: f32 = 1e38;
const image_threads = 64u;

@group(0) @binding(7) var<storage, read_write> image_words: array<f32>;
@group(0) @binding(8) var<storage, read_write> kept: array<atomic<u32>>;

var<workgroup> lane_squares: array<f32, image_threads>;

fn longest_now() -> u32 {
  return longest_at + task.slot % 2u;
}

// A kept sum, as those of task.wgsl are.
fn total_of(entry: u32) -> Summed {
  let members = atomicLoad(&kept[members_at + entry / features]);
  let sum = vec2u(atomicLoad(&kept[3u * entry]), atomicLoad(&kept[3u * entry + 1u]));
  var fixed = Fixed(sum.x, sum.y, atomicLoad(&kept[3u * entry + 2u]));
  if (gathers) {
    fixed = fixed_of(sum, entry % features);
  }
  let biased = plus_words(vec2u(fixed.low, fixed.high), vec2u(members << 30u, members >> 2u));
  return Summed(biased.x, biased.y, fixed.rest, members);
}

// The coordinate at `entry` of (k, d), from kept sums where those of the slot before are not there
// yet, which then are.
fn coordinate_of(entry: u32) -> f32 {
  if (!sums_first()) {
    return fresh_coordinate(entry, true);
  }
  let total = total_of(entry);
  let at = (task.slot - 1u) * task.sums_stride;
  atomicStore(&sums[at + 2u * entry], total.low);
  atomicStore(&sums[at + 2u * entry + 1u], total.high);
  atomicStore(&sums[at + task.sums_stride / 3u * 2u + entry], total.rest);
  if (entry % features == 0u) {
    atomicStore(&counts[(task.slot - 1u) * task.counts_stride + entry / features], total.members);
  }
  let from_slot = task.slot * task.centroids_stride + entry;
  let feature = entry % features;
  var value = stored_centroids[from_slot - task.centroids_stride];
  if (total.members != 0u) {
    value = mean_of(total, scales[task.d + feature], scales[2u * task.d + feature]);
  }
  stored_centroids[from_slot] = value;
  return bitcast<f32>(value);
}

// Words of the image: of a cluster in the row of a feature, counted from 1.
fn image_at(cluster: u32, row: u32) -> u32 {
  return (cluster / tile_clusters * image_rows + row) * tile_clusters + cluster % tile_clusters;
}

// A workgroup for each cluster that the tiles hold.
@compute @workgroup_size(image_threads)
fn make_image(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let cluster = group.y * groups.x + group.x;
  let is_there = cluster < task.k;
  var squares = 0.0;
  for (var feature = lane; feature < padded_features && cluster < cluster_tiles * tile_clusters; feature += image_threads) {
    var value = 0.0;
    if (is_there && feature < features) {
      value = coordinate_of(cluster * features + feature);
    }
    squares = fma(value, value, squares);
    image_words[image_at(cluster, 1u + feature)] = select(select(-far_off, 0.0, by_scores), -value, is_there);
  }
  lane_squares[lane] = squares;
  workgroupBarrier();
  if (lane == 0u && cluster < cluster_tiles * tile_clusters) {
    for (var other = 1u; other < image_threads; other++) {
      squares += lane_squares[other];
    }
    if (is_there) {
      atomicMax(&kept[longest_now()], bitcast<u32>(squares));
    }
    if (cluster == 0u) {
      atomicStore(&kept[next_at], 0u);
      atomicStore(&kept[longest_at + (task.slot + 1u) % 2u], 0u);
    }
    image_words[image_at(cluster, 0u)] = select(nowhere, 0.5 * squares, is_there);
  }
}

@group(0) @binding(7) var<storage, read_write> point_norms: array<f32>;

// Once: the squared length of each point.
@compute @workgroup_size(image_threads)
fn measure_points(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let point = (group.y * groups.x + group.x) * image_threads + lane;
  if (point >= task.count) {
    return;
  }
  var squares = 0.0;
  for (var feature = 0u; feature < features; feature += 4u) {
    let x = four_of(task.first + point, feature);
    squares = fma(x.w, x.w, fma(x.z, x.z, fma(x.y, x.y, fma(x.x, x.x, squares))));
  }
  point_norms[task.first + point] = squares;
}
