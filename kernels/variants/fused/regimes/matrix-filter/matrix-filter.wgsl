// The filter on matrix units for rows of up to 256 features: points stay in registers as left
// matrices, tiles of sixteen clusters pass through workgroup memory, and the scores come back
// through it, column by column, four points a lane. Follows matrix_lanes.wgsl. What differs with its
// constants is written out and left out when the module is compiled. Indices are made of the lane,
// constants, +, *, / and %: of these Dawn knows that they stay within the arrays, and leaves its
// checks out.

// Matrices of points of a subgroup, all in registers: at most four of eight steps, or two of
// sixteen.
const matrices = point_rows * matrix_steps;
const max_matrices = 32u;
// Of a cluster in workgroup memory; one more than there are, so that rows begin in different banks.
const matrix_row = matrix_vectors + 1u;
const matrix_tile = matrix_side * matrix_row;
const tile_in_memory = matrix_side * matrix_vectors;
// Tiles whose starts are kept: slower lanes still read those of the tile before. Regions of scores
// are used by turns, too: one barrier a tile.
const kept_starts = 4u;

var<workgroup> cluster_tiles: array<vec4u, 2u * matrix_tile + slack>;
var<workgroup> tile_starts: array<vec4f, kept_starts * start_quads_a_tile>;

@compute @workgroup_size(matrix_threads)
fn filter_by_matrices(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  // What the first products need is asked for at once: each answer takes as long as many products.
  let block = group.y * groups.x + group.x;
  let subgroup = subgroupBroadcastFirst(lane / matrix_lanes);
  let quad = lane % point_quads;
  let part = lane % matrix_lanes / point_quads;
  let first_position = (block * (matrix_threads / matrix_lanes) + subgroup) * (matrix_side * point_rows);
  let list = list_of(block);
  let images_at = part_words[block_cells_at + block] * image_clusters();
  // Step by step, the matrices of one step below each other; each lies in one piece of memory.
  // Written out: with loops over them an iteration takes a sixth longer.
  let first_matrix = first_position / matrix_side * matrix_steps;
  var left: array<Left, max_matrices>;
  if (matrices > 0u) { left[0] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 0u % point_rows * matrix_steps + 0u / point_rows) * in_matrix, 2u); }
  if (matrices > 1u) { left[1] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 1u % point_rows * matrix_steps + 1u / point_rows) * in_matrix, 2u); }
  if (matrices > 2u) { left[2] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 2u % point_rows * matrix_steps + 2u / point_rows) * in_matrix, 2u); }
  if (matrices > 3u) { left[3] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 3u % point_rows * matrix_steps + 3u / point_rows) * in_matrix, 2u); }
  if (matrices > 4u) { left[4] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 4u % point_rows * matrix_steps + 4u / point_rows) * in_matrix, 2u); }
  if (matrices > 5u) { left[5] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 5u % point_rows * matrix_steps + 5u / point_rows) * in_matrix, 2u); }
  if (matrices > 6u) { left[6] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 6u % point_rows * matrix_steps + 6u / point_rows) * in_matrix, 2u); }
  if (matrices > 7u) { left[7] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 7u % point_rows * matrix_steps + 7u / point_rows) * in_matrix, 2u); }
  if (matrices > 8u) { left[8] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 8u % point_rows * matrix_steps + 8u / point_rows) * in_matrix, 2u); }
  if (matrices > 9u) { left[9] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 9u % point_rows * matrix_steps + 9u / point_rows) * in_matrix, 2u); }
  if (matrices > 10u) { left[10] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 10u % point_rows * matrix_steps + 10u / point_rows) * in_matrix, 2u); }
  if (matrices > 11u) { left[11] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 11u % point_rows * matrix_steps + 11u / point_rows) * in_matrix, 2u); }
  if (matrices > 12u) { left[12] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 12u % point_rows * matrix_steps + 12u / point_rows) * in_matrix, 2u); }
  if (matrices > 13u) { left[13] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 13u % point_rows * matrix_steps + 13u / point_rows) * in_matrix, 2u); }
  if (matrices > 14u) { left[14] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 14u % point_rows * matrix_steps + 14u / point_rows) * in_matrix, 2u); }
  if (matrices > 15u) { left[15] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 15u % point_rows * matrix_steps + 15u / point_rows) * in_matrix, 2u); }
  if (matrices > 16u) { left[16] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 16u % point_rows * matrix_steps + 16u / point_rows) * in_matrix, 2u); }
  if (matrices > 17u) { left[17] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 17u % point_rows * matrix_steps + 17u / point_rows) * in_matrix, 2u); }
  if (matrices > 18u) { left[18] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 18u % point_rows * matrix_steps + 18u / point_rows) * in_matrix, 2u); }
  if (matrices > 19u) { left[19] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 19u % point_rows * matrix_steps + 19u / point_rows) * in_matrix, 2u); }
  if (matrices > 20u) { left[20] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 20u % point_rows * matrix_steps + 20u / point_rows) * in_matrix, 2u); }
  if (matrices > 21u) { left[21] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 21u % point_rows * matrix_steps + 21u / point_rows) * in_matrix, 2u); }
  if (matrices > 22u) { left[22] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 22u % point_rows * matrix_steps + 22u / point_rows) * in_matrix, 2u); }
  if (matrices > 23u) { left[23] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 23u % point_rows * matrix_steps + 23u / point_rows) * in_matrix, 2u); }
  if (matrices > 24u) { left[24] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 24u % point_rows * matrix_steps + 24u / point_rows) * in_matrix, 2u); }
  if (matrices > 25u) { left[25] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 25u % point_rows * matrix_steps + 25u / point_rows) * in_matrix, 2u); }
  if (matrices > 26u) { left[26] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 26u % point_rows * matrix_steps + 26u / point_rows) * in_matrix, 2u); }
  if (matrices > 27u) { left[27] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 27u % point_rows * matrix_steps + 27u / point_rows) * in_matrix, 2u); }
  if (matrices > 28u) { left[28] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 28u % point_rows * matrix_steps + 28u / point_rows) * in_matrix, 2u); }
  if (matrices > 29u) { left[29] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 29u % point_rows * matrix_steps + 29u / point_rows) * in_matrix, 2u); }
  if (matrices > 30u) { left[30] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 30u % point_rows * matrix_steps + 30u / point_rows) * in_matrix, 2u); }
  if (matrices > 31u) { left[31] = subgroupMatrixLoad<Left, row_major>(&point_halves, (first_matrix + 31u % point_rows * matrix_steps + 31u / point_rows) * in_matrix, 2u); }
  // The number of tiles, and the first two of them.
  let head = images[list];
  var tile = head.y;
  var next_tile = head.z;
  // The vectors of a tile that a lane brings from memory, one to four.
  var next_0 = vec4u();
  var next_1 = vec4u();
  var next_2 = vec4u();
  var next_3 = vec4u();
  var next_start = vec4f();
  next_0 = images[images_at * matrix_vectors + tile * tile_in_memory + lane];
  if (matrix_steps > 4u) { next_1 = images[images_at * matrix_vectors + tile * tile_in_memory + 128u + lane]; }
  if (matrix_steps > 8u) { next_2 = images[images_at * matrix_vectors + tile * tile_in_memory + 256u + lane]; }
  if (matrix_steps > 12u) { next_3 = images[images_at * matrix_vectors + tile * tile_in_memory + 384u + lane]; }
  next_start = start_quads[images_at / 4u + tile * start_quads_a_tile + lane % start_quads_a_tile];
  let tiles = tiles_for(block, head.x, lane);
  if (tiles == 0u) {
    return;
  }
  var standing = nothing_stands_for_four();
  if (matrix_steps >= 4u || lane < tile_in_memory) {
    cluster_tiles[0u * matrix_tile + lane / matrix_vectors * matrix_row + lane % matrix_vectors] = next_0;
  }
  if (matrix_steps > 4u && (matrix_steps >= 8u || lane + 128u < tile_in_memory)) {
    cluster_tiles[0u * matrix_tile + (lane + 128u) / matrix_vectors * matrix_row + (lane + 128u) % matrix_vectors] = next_1;
  }
  if (matrix_steps > 8u && (matrix_steps >= 12u || lane + 256u < tile_in_memory)) {
    cluster_tiles[0u * matrix_tile + (lane + 256u) / matrix_vectors * matrix_row + (lane + 256u) % matrix_vectors] = next_2;
  }
  if (matrix_steps > 12u && (matrix_steps >= 16u || lane + 384u < tile_in_memory)) {
    cluster_tiles[0u * matrix_tile + (lane + 384u) / matrix_vectors * matrix_row + (lane + 384u) % matrix_vectors] = next_3;
  }
  if (lane < start_quads_a_tile) { tile_starts[0u * start_quads_a_tile + lane] = next_start; }
  next_0 = images[images_at * matrix_vectors + next_tile * tile_in_memory + lane];
  if (matrix_steps > 4u) { next_1 = images[images_at * matrix_vectors + next_tile * tile_in_memory + 128u + lane]; }
  if (matrix_steps > 8u) { next_2 = images[images_at * matrix_vectors + next_tile * tile_in_memory + 256u + lane]; }
  if (matrix_steps > 12u) { next_3 = images[images_at * matrix_vectors + next_tile * tile_in_memory + 384u + lane]; }
  next_start = start_quads[images_at / 4u + next_tile * start_quads_a_tile + lane % start_quads_a_tile];
  workgroupBarrier();
  for (var turn = 0u; turn < tiles; turn++) {
    let odd = turn % 2u;
    let tile_at = odd * matrix_tile;
    let region = (lane / matrix_lanes * regions + odd) * score_region;
    var sums: array<Products, 4>;
    sums[0] = Products();
    sums[1] = Products();
    sums[2] = Products();
    sums[3] = Products();
    var right = Right();
    if (matrices > 0u) { right = subgroupMatrixLoad<Right, col_major>(&cluster_tiles, tile_at + 2u * (0u / point_rows), matrix_row); }
    if (matrices > 0u) { sums[0u % point_rows] = subgroupMatrixMultiplyAccumulate(left[0], right, sums[0u % point_rows]); }
    if (matrices > 1u) { sums[1u % point_rows] = subgroupMatrixMultiplyAccumulate(left[1], right, sums[1u % point_rows]); }
    if (matrices > 2u && point_rows == 2u) { right = subgroupMatrixLoad<Right, col_major>(&cluster_tiles, tile_at + 2u, matrix_row); }
    if (matrices > 2u) { sums[2u % point_rows] = subgroupMatrixMultiplyAccumulate(left[2], right, sums[2u % point_rows]); }
    if (matrices > 3u) { sums[3u % point_rows] = subgroupMatrixMultiplyAccumulate(left[3], right, sums[3u % point_rows]); }
    if (matrices > 4u) { right = subgroupMatrixLoad<Right, col_major>(&cluster_tiles, tile_at + 2u * (4u / point_rows), matrix_row); }
    if (matrices > 4u) { sums[4u % point_rows] = subgroupMatrixMultiplyAccumulate(left[4], right, sums[4u % point_rows]); }
    if (matrices > 5u) { sums[5u % point_rows] = subgroupMatrixMultiplyAccumulate(left[5], right, sums[5u % point_rows]); }
    if (matrices > 6u && point_rows == 2u) { right = subgroupMatrixLoad<Right, col_major>(&cluster_tiles, tile_at + 6u, matrix_row); }
    if (matrices > 6u) { sums[6u % point_rows] = subgroupMatrixMultiplyAccumulate(left[6], right, sums[6u % point_rows]); }
    if (matrices > 7u) { sums[7u % point_rows] = subgroupMatrixMultiplyAccumulate(left[7], right, sums[7u % point_rows]); }
    if (matrices > 8u) { right = subgroupMatrixLoad<Right, col_major>(&cluster_tiles, tile_at + 2u * (8u / point_rows), matrix_row); }
    if (matrices > 8u) { sums[8u % point_rows] = subgroupMatrixMultiplyAccumulate(left[8], right, sums[8u % point_rows]); }
    if (matrices > 9u) { sums[9u % point_rows] = subgroupMatrixMultiplyAccumulate(left[9], right, sums[9u % point_rows]); }
    if (matrices > 10u && point_rows == 2u) { right = subgroupMatrixLoad<Right, col_major>(&cluster_tiles, tile_at + 10u, matrix_row); }
    if (matrices > 10u) { sums[10u % point_rows] = subgroupMatrixMultiplyAccumulate(left[10], right, sums[10u % point_rows]); }
    if (matrices > 11u) { sums[11u % point_rows] = subgroupMatrixMultiplyAccumulate(left[11], right, sums[11u % point_rows]); }
    if (matrices > 12u) { right = subgroupMatrixLoad<Right, col_major>(&cluster_tiles, tile_at + 2u * (12u / point_rows), matrix_row); }
    if (matrices > 12u) { sums[12u % point_rows] = subgroupMatrixMultiplyAccumulate(left[12], right, sums[12u % point_rows]); }
    if (matrices > 13u) { sums[13u % point_rows] = subgroupMatrixMultiplyAccumulate(left[13], right, sums[13u % point_rows]); }
    if (matrices > 14u && point_rows == 2u) { right = subgroupMatrixLoad<Right, col_major>(&cluster_tiles, tile_at + 14u, matrix_row); }
    if (matrices > 14u) { sums[14u % point_rows] = subgroupMatrixMultiplyAccumulate(left[14], right, sums[14u % point_rows]); }
    if (matrices > 15u) { sums[15u % point_rows] = subgroupMatrixMultiplyAccumulate(left[15], right, sums[15u % point_rows]); }
    if (matrices > 16u) { right = subgroupMatrixLoad<Right, col_major>(&cluster_tiles, tile_at + 2u * (16u / point_rows), matrix_row); }
    if (matrices > 16u) { sums[16u % point_rows] = subgroupMatrixMultiplyAccumulate(left[16], right, sums[16u % point_rows]); }
    if (matrices > 17u) { sums[17u % point_rows] = subgroupMatrixMultiplyAccumulate(left[17], right, sums[17u % point_rows]); }
    if (matrices > 18u && point_rows == 2u) { right = subgroupMatrixLoad<Right, col_major>(&cluster_tiles, tile_at + 18u, matrix_row); }
    if (matrices > 18u) { sums[18u % point_rows] = subgroupMatrixMultiplyAccumulate(left[18], right, sums[18u % point_rows]); }
    if (matrices > 19u) { sums[19u % point_rows] = subgroupMatrixMultiplyAccumulate(left[19], right, sums[19u % point_rows]); }
    if (matrices > 20u) { right = subgroupMatrixLoad<Right, col_major>(&cluster_tiles, tile_at + 2u * (20u / point_rows), matrix_row); }
    if (matrices > 20u) { sums[20u % point_rows] = subgroupMatrixMultiplyAccumulate(left[20], right, sums[20u % point_rows]); }
    if (matrices > 21u) { sums[21u % point_rows] = subgroupMatrixMultiplyAccumulate(left[21], right, sums[21u % point_rows]); }
    if (matrices > 22u && point_rows == 2u) { right = subgroupMatrixLoad<Right, col_major>(&cluster_tiles, tile_at + 22u, matrix_row); }
    if (matrices > 22u) { sums[22u % point_rows] = subgroupMatrixMultiplyAccumulate(left[22], right, sums[22u % point_rows]); }
    if (matrices > 23u) { sums[23u % point_rows] = subgroupMatrixMultiplyAccumulate(left[23], right, sums[23u % point_rows]); }
    if (matrices > 24u) { right = subgroupMatrixLoad<Right, col_major>(&cluster_tiles, tile_at + 2u * (24u / point_rows), matrix_row); }
    if (matrices > 24u) { sums[24u % point_rows] = subgroupMatrixMultiplyAccumulate(left[24], right, sums[24u % point_rows]); }
    if (matrices > 25u) { sums[25u % point_rows] = subgroupMatrixMultiplyAccumulate(left[25], right, sums[25u % point_rows]); }
    if (matrices > 26u && point_rows == 2u) { right = subgroupMatrixLoad<Right, col_major>(&cluster_tiles, tile_at + 26u, matrix_row); }
    if (matrices > 26u) { sums[26u % point_rows] = subgroupMatrixMultiplyAccumulate(left[26], right, sums[26u % point_rows]); }
    if (matrices > 27u) { sums[27u % point_rows] = subgroupMatrixMultiplyAccumulate(left[27], right, sums[27u % point_rows]); }
    if (matrices > 28u) { right = subgroupMatrixLoad<Right, col_major>(&cluster_tiles, tile_at + 2u * (28u / point_rows), matrix_row); }
    if (matrices > 28u) { sums[28u % point_rows] = subgroupMatrixMultiplyAccumulate(left[28], right, sums[28u % point_rows]); }
    if (matrices > 29u) { sums[29u % point_rows] = subgroupMatrixMultiplyAccumulate(left[29], right, sums[29u % point_rows]); }
    if (matrices > 30u && point_rows == 2u) { right = subgroupMatrixLoad<Right, col_major>(&cluster_tiles, tile_at + 30u, matrix_row); }
    if (matrices > 30u) { sums[30u % point_rows] = subgroupMatrixMultiplyAccumulate(left[30], right, sums[30u % point_rows]); }
    if (matrices > 31u) { sums[31u % point_rows] = subgroupMatrixMultiplyAccumulate(left[31], right, sums[31u % point_rows]); }
    // The next tile goes into workgroup memory, where there is room for two.
    if (matrix_steps >= 4u || lane < tile_in_memory) {
      cluster_tiles[((turn + 1u) % 2u) * matrix_tile + lane / matrix_vectors * matrix_row + lane % matrix_vectors] = next_0;
    }
    if (matrix_steps > 4u && (matrix_steps >= 8u || lane + 128u < tile_in_memory)) {
      cluster_tiles[((turn + 1u) % 2u) * matrix_tile + (lane + 128u) / matrix_vectors * matrix_row + (lane + 128u) % matrix_vectors] = next_1;
    }
    if (matrix_steps > 8u && (matrix_steps >= 12u || lane + 256u < tile_in_memory)) {
      cluster_tiles[((turn + 1u) % 2u) * matrix_tile + (lane + 256u) / matrix_vectors * matrix_row + (lane + 256u) % matrix_vectors] = next_2;
    }
    if (matrix_steps > 12u && (matrix_steps >= 16u || lane + 384u < tile_in_memory)) {
      cluster_tiles[((turn + 1u) % 2u) * matrix_tile + (lane + 384u) / matrix_vectors * matrix_row + (lane + 384u) % matrix_vectors] = next_3;
    }
    if (lane < start_quads_a_tile) { tile_starts[((turn + 1u) % kept_starts) * start_quads_a_tile + lane] = next_start; }
    subgroupMatrixStore<col_major>(&scores, region, sums[0], score_column);
    subgroupMatrixStore<col_major>(&scores, region + 4u, sums[1], score_column);
    if (point_rows > 2u) {
      subgroupMatrixStore<col_major>(&scores, region + 8u, sums[2], score_column);
      subgroupMatrixStore<col_major>(&scores, region + 12u, sums[3], score_column);
    }
    workgroupBarrier();
    // A tile holds two groups; with more parts of lanes than these, some look on.
    if (lane_parts <= 2u || part < 2u) {
      let at = region + part * (8u * score_column) + quad;
      let start = turn % kept_starts * start_quads_a_tile + 2u * part;
      let low = tile_starts[start];
      let high = tile_starts[start + 1u];
      let found = group_best(low, high, at);
      standing = four_after_group(standing, found.best, found.next, tile * matrix_side + part * 8u + found.which);
    }
    tile = next_tile;
    next_tile = images[list + 1u + min(turn + 2u, tiles - 1u)].x;
    next_0 = images[images_at * matrix_vectors + next_tile * tile_in_memory + lane];
    if (matrix_steps > 4u) { next_1 = images[images_at * matrix_vectors + next_tile * tile_in_memory + 128u + lane]; }
    if (matrix_steps > 8u) { next_2 = images[images_at * matrix_vectors + next_tile * tile_in_memory + 256u + lane]; }
    if (matrix_steps > 12u) { next_3 = images[images_at * matrix_vectors + next_tile * tile_in_memory + 384u + lane]; }
    next_start = start_quads[images_at / 4u + next_tile * start_quads_a_tile + lane % start_quads_a_tile];
  }
  decide_points(standing, first_position, lane);
}
