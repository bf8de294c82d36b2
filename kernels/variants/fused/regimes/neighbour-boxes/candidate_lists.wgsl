// 3 to 32 features, many points: points lie cell by cell, and for each cell the centroids that can
// be the nearest of a point in it are listed. Follows task.wgsl and, for the cells,
// sampled-cells.wgsl in one module; neighbour-boxes.wgsl follows. proof.md has the margin.

override features: u32 = 3u;
// Clusters that there is room for, at least k.
override max_clusters: u32 = 1u;
// Each thread takes four points of a block.
override threads: u32 = 256u;

// [block][feature][thread]: a coordinate of four points. Places without a point repeat the first of
// the block.
@group(0) @binding(8) var<storage, read_write> ordered: array<vec4f>;
// Of each cell the keys of the greatest coordinates, then of the greatest with the opposite sign,
// then the bits of the greatest squared distance from its centre.
@group(0) @binding(9) var<storage, read_write> boxes: array<atomic<u32>>;
// [place]: its point, + 1; 0 where a block has none.
@group(0) @binding(10) var<storage, read_write> points_by_position: array<u32>;
// [block]: its cell and how many points it has; 0 and 0 past the last.
@group(0) @binding(11) var<storage, read_write> blocks: array<vec2u>;
// What sampled-cells.wgsl notes of cells and blocks.
@group(0) @binding(7) var<storage, read_write> near_words: array<u32>;

// [feature][cell], as sampled-cells.wgsl has them.
@group(0) @binding(12) var<storage, read_write> cell_centres: array<f32>;
override box_words: u32 = 2u * features + 1u;

// Larger for larger numbers, and never 0.
fn key_of(value: f32) -> u32 {
  let bits = bitcast<u32>(value);
  return select(bits | 0x80000000u, ~bits, bits >= 0x80000000u);
}

fn value_of(key: u32) -> f32 {
  return bitcast<f32>(select(~key, key & 0x7fffffffu, key >= 0x80000000u));
}

fn greatest_of(values: vec4f) -> f32 {
  return max(max(values.x, values.y), max(values.z, values.w));
}

var<workgroup> block_box: array<atomic<u32>, box_words>;

// Once: a workgroup puts the points of a block side by side and notes how far they reach.
@compute @workgroup_size(threads)
fn order_points(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let block = group.y * groups.x + group.x;
  let is_block = block < near_words[blocks_at];
  if (is_block) {
    let cell = near_words[block_cells_at + block];
    var squares = vec4f();
    let first = block * block_points;
    let own = vec4u(first + 4u * lane) + vec4u(0u, 1u, 2u, 3u);
    let named = vec4u(points_by_position[own.x], points_by_position[own.y], points_by_position[own.z], points_by_position[own.w]);
    let rows = (select(named, vec4u(points_by_position[first]), named == vec4u()) - 1u) * features;
    for (var feature = 0u; feature < features; feature++) {
      let x = vec4f(
        points[rows.x + feature],
        points[rows.y + feature],
        points[rows.z + feature],
        points[rows.w + feature],
      );
      ordered[(block * features + feature) * threads + lane] = x;
      atomicMax(&block_box[feature], key_of(greatest_of(x)));
      atomicMax(&block_box[features + feature], key_of(greatest_of(-x)));
      let difference = x - cell_centres[feature * cells + cell];
      squares = fma(difference, difference, squares);
    }
    atomicMax(&block_box[2u * features], bitcast<u32>(greatest_of(squares)));
  }
  workgroupBarrier();
  if (is_block) {
    let cell = near_words[block_cells_at + block];
    if (lane == 0u) {
      blocks[block] = vec2u(cell, min(near_words[cells_at + cell] - block * block_points, block_points));
    }
    for (var word = lane; word < box_words; word += threads) {
      atomicMax(&boxes[cell * box_words + word], atomicLoad(&block_box[word]));
    }
  }
}

// [cell]: a vector with the number of its candidates and the bits of the length of the longest,
// rounded up; groups of eight candidates; then their names, four a vector. In the order of the
// clusters. A group: rows of -c, `row_vectors` vectors each, 0 past the last feature, their half
// norms in two vectors, and one vector so that groups lie in different banks.
@group(0) @binding(8) var<storage, read_write> list_words: array<u32>;
const group_size = 8u;
override row_vectors: u32 = (features + 3u) / 4u;
override group_vectors: u32 = group_size * row_vectors + 3u;
override names_vector: u32 = 1u + (max_clusters + group_size - 1u) / group_size * group_vectors;
override list_vectors: u32 = names_vector + (max_clusters + 3u) / 4u;
// Coordinate and half norm of a row past the last candidate: neither its distance nor its score is
// ever the smallest.
const far_off: f32 = 1e15;
const nowhere: f32 = 1e30;

const list_threads = 256u;
// The same as `boxes`, read only.
@group(0) @binding(7) var<storage, read_write> known_boxes: array<u32>;
@group(0) @binding(9) var<storage, read_write> known_centres: array<f32>;
var<workgroup> centre: array<f32, features>;
// How far the points of the cell go from its centre, upwards and downwards, and in all directions.
var<workgroup> above: array<f32, features>;
var<workgroup> below: array<f32, features>;
var<workgroup> radius: f32;
// Bits of the distance of the centroid that is nearest to the centre, and that centroid.
var<workgroup> min_bits: atomic<u32>;
var<workgroup> min_cluster: atomic<u32>;
// Bits of the length of the longest candidate: positive floats are ordered as their bits are.
var<workgroup> longest: atomic<u32>;
// A bit for each candidate.
var<workgroup> listed: array<atomic<u32>, max_clusters / 32u + 1u>;

fn coordinate_of(cluster: u32, feature: u32) -> f32 {
  return centroids[task.slot * task.centroids_stride + cluster * features + feature];
}

// All rounded up.
fn measure_cell(cell: u32, lane: u32) {
  for (var feature = lane; feature < features; feature += list_threads) {
    let most = value_of(known_boxes[cell * box_words + feature]);
    let least = -value_of(known_boxes[cell * box_words + features + feature]);
    let between = known_centres[feature * cells + cell];
    centre[feature] = between;
    above[feature] = 1.00001 * max(most - between, 0.0) + 1e-37;
    below[feature] = 1.00001 * max(between - least, 0.0) + 1e-37;
  }
  if (lane == 0u) {
    radius = 1.0001 * sqrt(bitcast<f32>(known_boxes[cell * box_words + 2u * features])) + 1e-18;
  }
}

// The centroid nearest to the centre; any other would do as well.
fn find_nearest(lane: u32) {
  var least = 0xffffffffu;
  var nearest = 0xffffffffu;
  for (var cluster = lane; cluster < task.k; cluster += list_threads) {
    let bits = bitcast<u32>(distance_to_centre(centroid_of(cluster)));
    nearest = select(nearest, cluster, bits < least);
    least = min(least, bits);
  }
  if (lane == 0u) {
    atomicStore(&min_bits, 0xffffffffu);
    atomicStore(&min_cluster, 0xffffffffu);
  }
  workgroupBarrier();
  atomicMin(&min_bits, least);
  workgroupBarrier();
  if (least == atomicLoad(&min_bits)) {
    atomicMin(&min_cluster, nearest);
  }
  workgroupBarrier();
}

// Leaves out a centroid where the one nearest to the centre is nearer to all points of the cell;
// never leaves out what is no number.
fn find_candidates(lane: u32) {
  let nearest = centroid_of(min(atomicLoad(&min_cluster), task.k - 1u));
  let smallest = bitcast<f32>(atomicLoad(&min_bits));
  let rounding = 9.5367431640625e-07 * f32(features + 4u);
  for (var cluster = lane; cluster < task.k; cluster += list_threads) {
    let centroid = centroid_of(cluster);
    let found = distance_to_centre(centroid);
    let margin = rounding * (found + smallest + radius * radius) + 1e-36;
    if (!(found - smallest - gain(centroid, nearest) > margin)) {
      atomicOr(&listed[cluster / 32u], 1u << (cluster % 32u));
    }
  }
}

// How many candidates come before a cluster.
fn rank_of(cluster: u32) -> u32 {
  var before = 0u;
  for (var word = 0u; word < cluster / 32u; word++) {
    before += countOneBits(atomicLoad(&listed[word]));
  }
  return before + countOneBits(atomicLoad(&listed[cluster / 32u]) & ((1u << (cluster % 32u)) - 1u));
}

fn is_listed(cluster: u32) -> bool {
  return ((atomicLoad(&listed[cluster / 32u]) >> (cluster % 32u)) & 1u) != 0u;
}

fn list_row(list: u32, rank: u32, cluster: u32) {
  let group = list + 4u * (1u + rank / group_size * group_vectors);
  let row = group + 4u * (rank % group_size * row_vectors);
  let is_cluster = cluster < task.k;
  var squared = 0.0;
  for (var feature = 0u; feature < 4u * row_vectors; feature++) {
    var value = far_off;
    if (is_cluster) {
      value = 0.0;
      if (feature < features) {
        value = -coordinate_of(cluster, feature);
      }
    }
    squared = fma(value, value, squared);
    list_words[row + feature] = bitcast<u32>(value);
  }
  list_words[group + 4u * group_size * row_vectors + rank % group_size] = bitcast<u32>(select(nowhere, 0.5 * squared, is_cluster));
  if (is_cluster) {
    list_words[list + 4u * names_vector + rank] = cluster;
    atomicMax(&longest, bitcast<u32>(1.0001 * sqrt(squared)));
  }
}

// A workgroup for each cell.
@compute @workgroup_size(list_threads)
fn list_candidates(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  measure_cell(group.x, lane);
  workgroupBarrier();
  find_nearest(lane);
  find_candidates(lane);
  workgroupBarrier();
  let list = 4u * group.x * list_vectors;
  let candidates = rank_of(task.k);
  for (var cluster = lane; cluster < task.k; cluster += list_threads) {
    if (is_listed(cluster)) {
      list_row(list, rank_of(cluster), cluster);
    }
  }
  let past = candidates + lane;
  if (past < (candidates + group_size - 1u) / group_size * group_size) {
    list_row(list, past, 0xffffffffu);
  }
  workgroupBarrier();
  if (lane == 0u) {
    list_words[list] = candidates;
    list_words[list + 1u] = atomicLoad(&longest);
  }
}
