// The pass over the points, cell by cell: distances to the candidates of the cell alone, sums of
// these in workgroup memory. Follows candidate_lists.wgsl and whole_numbers.wgsl in one module;
// four_points.wgsl follows with `Four`.

// Groups of candidates staged at a time.
override tile_groups: u32 = 1u;
override partial_words: u32 = 1024u;
// Copies of the sums, so that lanes do not collide: a power of two. They are added up one after the
// other.
override max_copies: u32 = 8u;
// Candidates up to which distances to all of them are best.
override max_direct: u32 = 48u;
// Consecutive blocks of a workgroup.
override together: u32 = 1u;
// Halves of whole numbers that can be added up by themselves.
override max_halves: u32 = 1u;

@group(0) @binding(8) var<storage, read_write> lists: array<vec4u>;
@group(0) @binding(9) var<storage, read_write> ordered_points: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> known_blocks: array<vec2u>;

override max_staged: u32 = tile_groups * group_vectors;
var<workgroup> staged: array<vec4f, max_staged>;
// [feature][upper and lower half, or low and high word][row][copy], then members; a last row for places
// without a point.
var<workgroup> partial: array<atomic<u32>, partial_words>;
// Whether a copy has so many members of a row that another block could go over its halves.
var<workgroup> is_full: atomic<u32>;

// What a workgroup is shared_block of a block.
struct Block { cell: u32, candidates: u32, longest: f32, points: u32, is_full: u32 }
var<workgroup> shared_block: Block;
// Whether halves are added up apart, the same in all lanes.
var<private> adds_apart: bool;

// Where the sums of the cell's candidates lie: `copies` of 0 if they do not fit. `max_members` of a copy
// of a row leave room for a block more where halves are added up apart, without one waiting for the
// other; 0 where a carry goes from word to word.
struct Sums { cell: u32, candidates: u32, copies: u32, plane: u32, max_members: u32 }

// First block of the task, and the one past its last. Tasks that add up share the blocks out; those
// that only label look at all of them, for their points lie in all. There is room for `cells` more
// blocks than the points of the part would fill.
fn span_of_blocks() -> vec2u {
  let room = arrayLength(&known_blocks);
  let last = task.first + task.count;
  let is_end = (last + block_points - 1u) / block_points + cells >= room;
  if (task.count == 0u) {
    return vec2u();
  }
  return vec2u(
    select(0u, task.first / block_points, accumulate()),
    select(last / block_points, room, is_end || !accumulate()),
  );
}

fn sums_for(cell: u32, candidates: u32) -> Sums {
  let words = (2u * features + 1u) * (candidates + 1u);
  var copies = max_copies;
  while (copies * words > partial_words && copies > 0u) {
    copies /= 2u;
  }
  let of_block = block_points / max(copies, 1u);
  return Sums(cell, candidates, copies, copies * (candidates + 1u), max(max_halves, of_block) - of_block);
}

fn groups_of(candidates: u32) -> u32 {
  return (candidates + group_size - 1u) / group_size;
}

fn list_vector(cell: u32, at: u32) -> vec4u {
  return lists[cell * list_vectors + at];
}

// The groups of a list from `first` on, as many as there is room for, but for the first `skipped`
// vectors.
fn stage(of_block: Block, first: u32, skipped: u32, lane: u32) {
  let groups = min(tile_groups, groups_of(of_block.candidates) - first);
  for (var at = skipped + lane; at < groups * group_vectors; at += threads) {
    staged[at] = bitcast<vec4f>(list_vector(of_block.cell, 1u + first * group_vectors + at));
  }
}

fn name_of(cell: u32, row: u32) -> u32 {
  return list_vector(cell, names_vector + row / 4u)[row % 4u];
}

// Of four points the smallest distance, whose it is, and the smallest of the others.
struct Nearest { distance: vec4f, row: vec4u, next: vec4f }

fn nothing_near() -> Nearest {
  return Nearest(vec4f(3e38), vec4u(), vec4f(3e38));
}

fn try_row(nearest: Nearest, row: u32, found: vec4f) -> Nearest {
  return Nearest(
    min(nearest.distance, found),
    select(nearest.row, vec4u(row), found < nearest.distance),
    min(nearest.next, max(nearest.distance, found)),
  );
}

// Rows, with the mark of points that computed distances leave in doubt.
fn rows_of(first: vec4u, nearest: Nearest) -> vec4u {
  let marks = select(vec4u(), vec4u(doubt_mark), are_in_doubt(nearest.distance, nearest.next));
  return (first + nearest.row) | marks;
}

fn search(x: Four, first: u32, rows: u32, so_far: Nearest) -> Nearest {
  var nearest = so_far;
  for (var row = 0u; row < rows; row += 2u) {
    let at = row / group_size * group_vectors + row % group_size * row_vectors;
    nearest = try_row(nearest, first + row, distances(x, at));
    nearest = try_row(nearest, first + row + 1u, distances(x, at + row_vectors));
  }
  return nearest;
}

// A feature of four points; `at`: of the first feature.
fn add_feature(feature: u32, x: vec4f, at: vec4u, plane: u32) {
  let halves = halves_of(x, vec4f(finest_of(feature)));
  let to = at + 2u * feature * plane;
  if (adds_apart) {
    atomicAdd(&partial[to.x], bitcast<u32>(halves.upper.x));
    atomicAdd(&partial[to.y], bitcast<u32>(halves.upper.y));
    atomicAdd(&partial[to.z], bitcast<u32>(halves.upper.z));
    atomicAdd(&partial[to.w], bitcast<u32>(halves.upper.w));
    atomicAdd(&partial[to.x + plane], bitcast<u32>(halves.lower.x));
    atomicAdd(&partial[to.y + plane], bitcast<u32>(halves.lower.y));
    atomicAdd(&partial[to.z + plane], bitcast<u32>(halves.lower.z));
    atomicAdd(&partial[to.w + plane], bitcast<u32>(halves.lower.w));
    return;
  }
  let added = whole_of_halves(halves);
  let before = vec4u(
    atomicAdd(&partial[to.x], added.low.x),
    atomicAdd(&partial[to.y], added.low.y),
    atomicAdd(&partial[to.z], added.low.z),
    atomicAdd(&partial[to.w], added.low.w),
  );
  let high = added.high + select(vec4u(), vec4u(1u), before + added.low < before);
  atomicAdd(&partial[to.x + plane], high.x);
  atomicAdd(&partial[to.y + plane], high.y);
  atomicAdd(&partial[to.z + plane], high.z);
  atomicAdd(&partial[to.w + plane], high.w);
}

fn add_members(at: vec4u, sums: Sums) {
  let to = at + 2u * features * sums.plane;
  let before = vec4u(
    atomicAdd(&partial[to.x], 1u),
    atomicAdd(&partial[to.y], 1u),
    atomicAdd(&partial[to.z], 1u),
    atomicAdd(&partial[to.w], 1u),
  );
  if (adds_apart && any(before >= vec4u(sums.max_members))) {
    atomicStore(&is_full, 1u);
  }
}

fn add_one(cluster: u32, feature: u32, value: f32) {
  add_to_sum(cluster, feature, to_fixed(value, feature), 0u);
  add_to_rest(cluster, feature, rest_of(value, feature));
}

fn names_of(cell: u32, rows: vec4u) -> vec4u {
  let own = rows & vec4u(~doubt_mark);
  return vec4u(name_of(cell, own.x), name_of(cell, own.y), name_of(cell, own.z), name_of(cell, own.w));
}

// Sums that do not fit: straight to global memory. Points are read again, for a loop over registers
// would keep them in memory.
fn add_singly(block: u32, rows: vec4u, cell: u32, points_of_lane: u32, lane: u32) {
  let clusters = names_of(cell, rows);
  for (var point = 0u; point < points_of_lane; point++) {
    if (rows[point] >= doubt_mark) {
      continue;
    }
    add_to_count(clusters[point], 1u);
    for (var feature = 0u; feature < features; feature++) {
      add_one(clusters[point], feature, ordered_points[(block * features + feature) * threads + lane][point]);
    }
  }
}

fn add_points(x: Four, rows: vec4u, sums: Sums, points_of_lane: u32, lane: u32) {
  let is_added = (vec4u(0u, 1u, 2u, 3u) < vec4u(points_of_lane)) & (rows < vec4u(doubt_mark));
  let row = select(vec4u(sums.candidates), rows, is_added);
  let at = row * sums.copies + lane % sums.copies;
  add_four(x, at, sums.plane);
  add_members(at, sums);
}

fn is_wanted(position: u32, is_point: bool) -> bool {
  return is_point && (accumulate() || points_by_position[position] - 1u - task.first < task.count);
}

fn label_one(position: u32, cluster: u32, in_doubt: bool, is_point: bool) {
  if (!is_wanted(position, is_point)) {
    return;
  }
  if (in_doubt) {
    leave_in_doubt(points_by_position[position] - 1u);
  } else {
    let changed = note_label(points_by_position[position] - 1u, cluster);
    if (count_changes()) {
      atomicAdd(&changed_in_group, changed);
    }
  }
}

fn label_points(position: u32, rows: vec4u, cell: u32, points_of_lane: u32) {
  let names = names_of(cell, rows);
  let in_doubt = rows >= vec4u(doubt_mark);
  label_one(position, names.x, in_doubt.x, points_of_lane > 0u);
  label_one(position + 1u, names.y, in_doubt.y, points_of_lane > 1u);
  label_one(position + 2u, names.z, in_doubt.z, points_of_lane > 2u);
  label_one(position + 3u, names.w, in_doubt.w, points_of_lane > 3u);
}

// Whether any of the four points is to be looked at.
fn are_wanted(position: u32, points_of_lane: u32) -> bool {
  if (accumulate()) {
    return true;
  }
  let first = is_wanted(position, points_of_lane > 0u) || is_wanted(position + 1u, points_of_lane > 1u);
  return first || is_wanted(position + 2u, points_of_lane > 2u) || is_wanted(position + 3u, points_of_lane > 3u);
}

// Sums of halves as one number.
fn joined(words: vec2u) -> vec2u {
  if (!adds_apart) {
    return words;
  }
  let whole = whole_of_halves(Halves(bitcast<vec4i>(words.xxxx), bitcast<vec4i>(words.yyyy)));
  return vec2u(whole.low.x, whole.high.x);
}

fn members_of(row: u32, sums: Sums) -> u32 {
  var members = 0u;
  for (var copy = 0u; copy < sums.copies; copy++) {
    members += atomicLoad(&partial[2u * features * sums.plane + row * sums.copies + copy]);
  }
  return members;
}

fn sum_of(feature: u32, row: u32, sums: Sums) -> vec2u {
  var sum = vec2u();
  for (var copy = 0u; copy < sums.copies; copy++) {
    let at = 2u * feature * sums.plane + row * sums.copies + copy;
    let words = vec2u(atomicLoad(&partial[at]), atomicLoad(&partial[at + sums.plane]));
    sum = plus_words(sum, joined(words));
  }
  return sum;
}

// The workgroup's sums go to the slot.
fn flush(sums: Sums, lane: u32) {
  workgroupBarrier();
  for (var entry = lane; entry < sums.candidates * features; entry += threads) {
    let row = entry % sums.candidates;
    let members = members_of(row, sums);
    if (members != 0u) {
      let cluster = name_of(sums.cell, row);
      let feature = entry / sums.candidates;
      add_whole_to_sum(cluster, feature, sum_of(feature, row, sums), members);
      if (entry < sums.candidates) {
        add_to_count(cluster, members);
      }
    }
  }
}

fn forget(sums: Sums, lane: u32) {
  workgroupBarrier();
  for (var at = lane; at < (2u * features + 1u) * sums.plane; at += threads) {
    atomicStore(&partial[at], 0u);
  }
}

// By distances to all candidates.
fn nearest_of_all(x: Four, of_block: Block, wanted: bool, lane: u32) -> vec4u {
  var nearest = nothing_near();
  let groups = groups_of(of_block.candidates);
  for (var first = 0u; first < groups; first += tile_groups) {
    if (groups > tile_groups) {
      workgroupBarrier();
      stage(of_block, first, 0u, lane);
      workgroupBarrier();
    }
    if (wanted) {
      let row = first * group_size;
      nearest = search(x, row, min(tile_groups * group_size, of_block.candidates - row), nearest);
    }
  }
  return rows_of(vec4u(), nearest);
}

// A workgroup takes consecutive blocks, most of which lie in the same cell.
@compute @workgroup_size(threads)
fn neighbour_boxes(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let span = span_of_blocks();
  var sums = Sums(0xffffffffu, 0u, 0u, 0u, 0u);
  for (var start = span.x + group.x * together; start < span.y; start += groups.x * together) {
    for (var block = start; block < min(start + together, span.y); block++) {
      let x = load_four(block, lane);
      let own = known_blocks[block];
      // Both are on their way before one of them is looked at.
      let list = list_vector(own.x, 0u);
      let row = list_vector(own.x, 1u + min(lane, max_staged - 1u));
      // The block before has been added.
      workgroupBarrier();
      if (lane == 0u) {
        shared_block = Block(own.x, list.x, bitcast<f32>(list.y), own.y, atomicExchange(&is_full, 0u));
      }
      let of_block = workgroupUniformLoad(&shared_block);
      if (block == start || of_block.cell != sums.cell || of_block.is_full != 0u) {
        if (accumulate() && sums.copies > 0u) {
          flush(sums, lane);
          forget(sums, lane);
        }
        sums = sums_for(of_block.cell, of_block.candidates);
        adds_apart = sums.max_members > 0u;
        if (lane < max_staged) {
          staged[lane] = bitcast<vec4f>(row);
        }
        if (groups_of(of_block.candidates) <= tile_groups) {
          stage(of_block, 0u, threads, lane);
        }
        workgroupBarrier();
      }
      let position = block * block_points + 4u * lane;
      let points_of_lane = min(4u, max(of_block.points, 4u * lane) - 4u * lane);
      let rows = nearest_of(x, of_block, are_wanted(position, points_of_lane), block, lane);
      if (accumulate() && sums.copies > 0u) {
        add_points(x, rows, sums, points_of_lane, lane);
      } else if (accumulate()) {
        add_singly(block, rows, sums.cell, points_of_lane, lane);
      }
      if (write_labels() || any(rows >= vec4u(doubt_mark))) {
        label_points(position, rows, sums.cell, points_of_lane);
      }
    }
  }
  if (accumulate() && sums.copies > 0u) {
    flush(sums, lane);
  }
  report_changes(lane);
}
