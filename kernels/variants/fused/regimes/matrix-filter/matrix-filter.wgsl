// The filter on matrix units: points stay in registers as left matrices, tiles of sixteen clusters pass through workgroup memory, and
// the scores come back through it, column by column, four points a lane. Follows verdicts.wgsl, and two named constants, which types
// and sizes of arrays need: `point_rows`, matrices of points a subgroup, one below the other, and `matrix_steps`, steps of sixteen
// features. What differs with them is written out and left out when the module is compiled.
// Indices are made of the lane, constants, +, *, / and %: of these Dawn knows that they stay within the arrays, and leaves its checks out.

alias Left = subgroup_matrix_left<f16, 16, 16>;
alias Right = subgroup_matrix_right<f16, 16, 16>;
alias Products = subgroup_matrix_result<f32, 16, 16>;

const matrix_threads = 128u;
const matrix_lanes = 32u;
const matrix_side = 16u;
// Of a cluster in a tile; one more than there are, here and below, so that rows begin in different banks.
const matrix_vectors = 2u * matrix_steps;
const matrix_row = matrix_vectors + 1u;
const matrix_tile = matrix_side * matrix_row;
const tile_in_memory = matrix_side * matrix_vectors;
// Of four points each: those of a subgroup, and a column of their scores.
const point_quads = 4u * point_rows;
const score_column = point_quads + 1u;
const score_region = matrix_side * score_column;
// Two regions of scores a subgroup by turns: one barrier a tile.
const regions = 2u;
// Lanes that look at the same points.
const lane_parts = matrix_lanes / point_quads;
// Quads of starts of a tile, and tiles whose starts are kept: slower lanes still read those of the tile before.
const start_quads_a_tile = 4u;
const kept_starts = 4u;
// Vectors at the end of an array that Dawn's check of the last row of a matrix wants to be there.
const slack = 32u;

var<workgroup> cluster_tiles: array<vec4u, 2u * matrix_tile + slack>;
var<workgroup> tile_starts: array<vec4f, kept_starts * start_quads_a_tile>;
var<workgroup> scores: array<vec4f, 4u * regions * score_region + slack>;

// The two smallest scores of a group for four points, and where the smaller one stands.
struct GroupBest { best: vec4f, next: vec4f, which: vec4u }

fn after_score(so_far: GroupBest, score: vec4f, which: u32) -> GroupBest {
  return GroupBest(
    min(so_far.best, score),
    min(so_far.next, max(so_far.best, score)),
    select(so_far.which, vec4u(which), score < so_far.best),
  );
}

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
  let first_place = (block * (matrix_threads / matrix_lanes) + subgroup) * (matrix_side * point_rows);
  let list = list_of(block);
  let images_at = part_words[block_cells_at + block] * image_clusters();
  // A matrix of points lies in one piece.
  var left: array<array<Left, matrix_steps>, point_rows>;
  for (var r = 0u; r < point_rows; r++) {
    for (var s = 0u; s < matrix_steps; s++) {
      let at = ((first_place / matrix_side + r) * matrix_steps + s) * (2u * matrix_side);
      left[r][s] = subgroupMatrixLoad<Left, row_major>(&point_halves, at, 2u);
    }
  }
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
    var sums: array<Products, point_rows>;
    for (var r = 0u; r < point_rows; r++) {
      sums[r] = Products();
    }
    for (var s = 0u; s < matrix_steps; s++) {
      let right = subgroupMatrixLoad<Right, col_major>(&cluster_tiles, tile_at + 2u * s, matrix_row);
      for (var r = 0u; r < point_rows; r++) {
        sums[r] = subgroupMatrixMultiplyAccumulate(left[r][s], right, sums[r]);
      }
    }
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
    for (var r = 0u; r < point_rows; r++) {
      subgroupMatrixStore<col_major>(&scores, region + 4u * r, sums[r], score_column);
    }
    workgroupBarrier();
    // A tile holds two groups; with more parts of lanes than these, some look on.
    if (lane_parts <= 2u || part < 2u) {
      let at = region + part * (8u * score_column) + quad;
      let start = turn % kept_starts * start_quads_a_tile + 2u * part;
      let low = tile_starts[start];
      let high = tile_starts[start + 1u];
      var found = GroupBest(low.x - scores[at], vec4f(3e38), vec4u());
      found = after_score(found, low.y - scores[at + score_column], 1u);
      found = after_score(found, low.z - scores[at + 2u * score_column], 2u);
      found = after_score(found, low.w - scores[at + 3u * score_column], 3u);
      found = after_score(found, high.x - scores[at + 4u * score_column], 4u);
      found = after_score(found, high.y - scores[at + 5u * score_column], 5u);
      found = after_score(found, high.z - scores[at + 6u * score_column], 6u);
      found = after_score(found, high.w - scores[at + 7u * score_column], 7u);
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
  // Each lane decides about one point, or about two: those of its place among the lanes, and half of the points further on.
  let own = lane % matrix_lanes;
  let record_0 = point_records[first_place + own];
  var record_1 = vec4u();
  if (point_rows > 2u) { record_1 = point_records[first_place + own + matrix_lanes]; }
  let losses = losses_now();
  workgroupBarrier();
  // Lanes tell each other the ranks of their groups, by way of the memory for scores.
  let own_region = lane / matrix_lanes * (regions * score_region);
  let own_at = own_region + own;
  scores[own_at] = standing.first;
  scores[own_at + matrix_lanes] = standing.inner;
  scores[own_at + 2u * matrix_lanes] = standing.second;
  scores[own_at + 3u * matrix_lanes] = standing.second_inner;
  scores[own_at + 4u * matrix_lanes] = standing.third;
  scores[own_at + 5u * matrix_lanes] = vec4f(standing.place);
  scores[own_at + 6u * matrix_lanes] = vec4f(standing.second_place);
  workgroupBarrier();
  let verdict_0 = verdict_of_lanes(record_0, own_region, own, losses);
  let slot_0 = slot_of(verdict_0);
  var verdict_1 = Verdict();
  var slot_1 = 0u;
  if (point_rows > 2u) {
    verdict_1 = verdict_of_lanes(record_1, own_region, own + matrix_lanes, losses);
    slot_1 = slot_of(verdict_1);
  }
  begin_lists(lane);
  list_verdict(verdict_0, slot_0);
  if (point_rows > 2u) { list_verdict(verdict_1, slot_1); }
}

// What the lanes that looked at a point of the subgroup found, taken together.
fn verdict_of_lanes(record: vec4u, region: u32, point: u32, losses: vec2f) -> Verdict {
  let component = point % 4u;
  var all = nothing_stands();
  for (var other = 0u; other < lane_parts; other++) {
    let at = region + other * point_quads + point / 4u;
    all = merged(
      all,
      scores[at][component],
      scores[at + matrix_lanes][component],
      scores[at + 2u * matrix_lanes][component],
      scores[at + 3u * matrix_lanes][component],
      scores[at + 4u * matrix_lanes][component],
      scores[at + 5u * matrix_lanes][component],
      scores[at + 6u * matrix_lanes][component],
    );
  }
  return verdict_for(record, all, losses);
}
