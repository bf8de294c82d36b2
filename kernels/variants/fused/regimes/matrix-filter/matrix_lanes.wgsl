// What both filters on matrix units share: matrices, the scores that come back through workgroup
// memory, and what lanes make of them. Follows verdicts.wgsl, and two named constants, which types
// and sizes of arrays need: `point_rows`, matrices of points a subgroup, one below the other, and
// `matrix_steps`, steps of sixteen features.

alias Left = subgroup_matrix_left<f16, 16, 16>;
alias Right = subgroup_matrix_right<f16, 16, 16>;
alias Products = subgroup_matrix_result<f32, 16, 16>;

const matrix_threads = 128u;
const matrix_lanes = 32u;
const matrix_side = 16u;
const in_matrix = 2u * matrix_side;
// Of a cluster in a tile.
const matrix_vectors = 2u * matrix_steps;
// Of four points each: those of a subgroup, and a column of their scores; one more than there are,
// so that columns begin in different banks.
const point_quads = 4u * point_rows;
const score_column = point_quads + 1u;
const score_region = matrix_side * score_column;
// Regions of scores of sixteen clusters a subgroup.
const regions = 2u;
// Lanes that look at the same points.
const lane_parts = matrix_lanes / point_quads;
// Quads of starts of a tile.
const start_quads_a_tile = 4u;
// Vectors at the end of an array that Dawn's check of the last row of a matrix wants to be there.
const slack = 32u;

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

// A group of eight: what its scores are taken from, and the first column of its products.
fn group_best(low: vec4f, high: vec4f, at: u32) -> GroupBest {
  var found = GroupBest(low.x - scores[at], vec4f(3e38), vec4u());
  found = after_score(found, low.y - scores[at + score_column], 1u);
  found = after_score(found, low.z - scores[at + 2u * score_column], 2u);
  found = after_score(found, low.w - scores[at + 3u * score_column], 3u);
  found = after_score(found, high.x - scores[at + 4u * score_column], 4u);
  found = after_score(found, high.y - scores[at + 5u * score_column], 5u);
  found = after_score(found, high.z - scores[at + 6u * score_column], 6u);
  return after_score(found, high.w - scores[at + 7u * score_column], 7u);
}

// After all clusters. Each lane decides about one point, or about two: those of its position among
// the lanes, and half of the points further on.
fn decide_points(standing: FourStandings, first_position: u32, lane: u32) {
  let own = lane % matrix_lanes;
  let record_0 = point_records[first_position + own];
  var record_1 = vec4u();
  if (point_rows > 2u) { record_1 = point_records[first_position + own + matrix_lanes]; }
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
  scores[own_at + 5u * matrix_lanes] = vec4f(standing.position);
  scores[own_at + 6u * matrix_lanes] = vec4f(standing.second_position);
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
