// Some rows of the points, as the host sends them, to the columns that neighbouring threads read
// side by side.

struct Piece {
  // Points of all, and features.
  n: u32,
  d: u32,
  first: u32,
  count: u32,
}

@group(0) @binding(0) var<uniform> piece: Piece;
// (count, d)
@group(0) @binding(1) var<storage, read> rows: array<u32>;
// (d, n)
@group(0) @binding(2) var<storage, read_write> columns: array<u32>;

// A thread a value; neighbours write neighbours.
@compute @workgroup_size(256)
fn transpose(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let at = (group.y * groups.x + group.x) * 256u + lane;
  if (at < piece.count * piece.d) {
    let point = at % piece.count;
    let feature = at / piece.count;
    columns[feature * piece.n + piece.first + point] = rows[point * piece.d + feature];
  }
}
