// The nearest of few centroids by a table of the plane, for few.wgsl: for each cell the centroids that can be the nearest of a
// point in it. Follows plane.wgsl and few.wgsl; the engine writes `candidates_of`, one bit for each of them. README.md has the margin.

const most_rows = 16u;
// Of a cell: four candidates, four bits each, in order, the last of them repeated; then whether a third, whether a fifth follows.
const has_third = 0x10000u;
const has_fifth = 0x20000u;
var<workgroup> cells: array<u32, side * side>;
var<workgroup> negated: array<vec2f, most_rows>;

fn packed(candidates: u32) -> u32 {
  var left = candidates;
  var cell = 0u;
  var last = 0u;
  for (var i = 0u; i < 4u; i++) {
    last = select(last, countTrailingZeros(left), left != 0u);
    cell |= last << (4u * i);
    left &= left - 1u;
    if (i == 1u && left != 0u) {
      cell |= has_third;
    }
  }
  return select(cell, cell | has_fifth, left != 0u);
}

fn hold(lane: u32) {
  hold_all();
  if (lane < most_rows) {
    negated[lane] = vec2f(far_off);
    if (lane < rows) {
      negated[lane] = vec2f(staged[2u * lane], staged[2u * lane + 1u]);
    }
  }
  let within = extent_of_points();
  cut_plane(within);
  workgroupBarrier();
  for (var index = lane; index < side * side; index += threads) {
    cells[index] = packed(candidates_of(cell_at(index, within)));
  }
  workgroupBarrier();
}

fn try_row(closest: Closest, row: u32, x: vec2f) -> Closest {
  return nearer(closest, row, distance(x, negated[row % most_rows]));
}

// Candidates after the second, or all.
fn nearest_of_more(x: vec2f, cell: u32, first: Closest) -> u32 {
  var closest = try_row(first, (cell >> 8u) & 15u, x);
  closest = try_row(closest, (cell >> 12u) & 15u, x);
  if ((cell & has_fifth) != 0u) {
    closest = Closest(distance(x, negated[0]), 0u);
    for (var row = 1u; row < rows; row++) {
      closest = try_row(closest, row, x);
    }
  }
  return closest.cluster;
}

fn nearest(x: vec2f) -> u32 {
  let cell = cells[cell_of(x)];
  let first = cell & 15u;
  let closest = try_row(Closest(distance(x, negated[first]), first), (cell >> 4u) & 15u, x);
  if (cell >= has_third) {
    return nearest_of_more(x, cell, closest);
  }
  return closest.cluster;
}
