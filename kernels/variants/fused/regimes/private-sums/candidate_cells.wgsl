// The nearest of up to sixteen centroids by a table of the plane, for private-sums.wgsl: for each
// cell the centroids that can be the nearest of a point in it. Follows plane-cutting.wgsl, whose
// proof.md has the margin, and private-sums.wgsl.

const max_rows = 16u;
// Of a cell: four candidates, four bits each, in order, the last of them repeated; then whether a
// third, whether a fifth follows.
const has_third = 0x10000u;
const has_fifth = 0x20000u;
var<workgroup> cells: array<u32, side * side>;
var<workgroup> negated: array<vec2f, max_rows>;

// The nearest of the centroids to a point so far: -c and its squared distance.
struct Own { row: vec2f, distance: f32 }

fn nearer_own(own: Own, row: vec2f, distance: f32) -> Own {
  return Own(select(own.row, row, distance < own.distance), min(own.distance, distance));
}

fn bit_of(index: u32, cell: Cell, row: vec2f, own: Own) -> u32 {
  let found = distance(cell.middle, row);
  return select(0u, 1u << index, can_win(cell, row - own.row, own.distance, found));
}

// One bit for each centroid that can be the nearest of a point in the cell.
fn candidates_of(cell: Cell) -> u32 {
  var own = Own(c0, distance(cell.middle, c0));
  if (rows > 1u) { own = nearer_own(own, c1, distance(cell.middle, c1)); }
  if (rows > 2u) { own = nearer_own(own, c2, distance(cell.middle, c2)); }
  if (rows > 3u) { own = nearer_own(own, c3, distance(cell.middle, c3)); }
  if (rows > 4u) { own = nearer_own(own, c4, distance(cell.middle, c4)); }
  if (rows > 5u) { own = nearer_own(own, c5, distance(cell.middle, c5)); }
  if (rows > 6u) { own = nearer_own(own, c6, distance(cell.middle, c6)); }
  if (rows > 7u) { own = nearer_own(own, c7, distance(cell.middle, c7)); }
  if (rows > 8u) { own = nearer_own(own, c8, distance(cell.middle, c8)); }
  if (rows > 9u) { own = nearer_own(own, c9, distance(cell.middle, c9)); }
  if (rows > 10u) { own = nearer_own(own, c10, distance(cell.middle, c10)); }
  if (rows > 11u) { own = nearer_own(own, c11, distance(cell.middle, c11)); }
  if (rows > 12u) { own = nearer_own(own, c12, distance(cell.middle, c12)); }
  if (rows > 13u) { own = nearer_own(own, c13, distance(cell.middle, c13)); }
  if (rows > 14u) { own = nearer_own(own, c14, distance(cell.middle, c14)); }
  if (rows > 15u) { own = nearer_own(own, c15, distance(cell.middle, c15)); }
  var candidates = bit_of(0u, cell, c0, own);
  if (rows > 1u) { candidates |= bit_of(1u, cell, c1, own); }
  if (rows > 2u) { candidates |= bit_of(2u, cell, c2, own); }
  if (rows > 3u) { candidates |= bit_of(3u, cell, c3, own); }
  if (rows > 4u) { candidates |= bit_of(4u, cell, c4, own); }
  if (rows > 5u) { candidates |= bit_of(5u, cell, c5, own); }
  if (rows > 6u) { candidates |= bit_of(6u, cell, c6, own); }
  if (rows > 7u) { candidates |= bit_of(7u, cell, c7, own); }
  if (rows > 8u) { candidates |= bit_of(8u, cell, c8, own); }
  if (rows > 9u) { candidates |= bit_of(9u, cell, c9, own); }
  if (rows > 10u) { candidates |= bit_of(10u, cell, c10, own); }
  if (rows > 11u) { candidates |= bit_of(11u, cell, c11, own); }
  if (rows > 12u) { candidates |= bit_of(12u, cell, c12, own); }
  if (rows > 13u) { candidates |= bit_of(13u, cell, c13, own); }
  if (rows > 14u) { candidates |= bit_of(14u, cell, c14, own); }
  if (rows > 15u) { candidates |= bit_of(15u, cell, c15, own); }
  return candidates;
}

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
  if (lane < max_rows) {
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
  return nearer(closest, row, distance(x, negated[row % max_rows]));
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
