// Sums that are kept from pass to pass, by the cluster that each point was last counted to: a pass
// adds a point where it came to and takes it away where it left, which in whole numbers leaves the
// sums of the points, whatever passes came before. Follows open_points.wgsl, and whole_numbers.wgsl.

// Whether a workgroup gathers what it adds in its own memory, as whole numbers of two words, which kept
// sums then are too. Else each addition goes to global memory, as fixed point whose high word is seldom
// touched, and rests apart, of which there are few.
override gathers: bool = true;
override feature_quads: u32 = (features + 3u) / 4u;
override gathered_words: u32 = select(1u, local_k * (8u * feature_quads + 1u), gathers);
override gathered_members_at: u32 = select(0u, local_k * 8u * feature_quads, gathers);
// Points that each of the lists has room for.
override list_room: u32 = tile_points + 256u;

// [cluster][low, high][feature of four][four features], then members.
var<workgroup> gathered: array<atomic<u32>, gathered_words>;
// A point of the dispatch, the cluster + 1 it leaves (0: none), and the one that it comes to.
var<workgroup> moved_points: array<u32, list_room>;
var<workgroup> moved_from: array<u32, list_room>;
var<workgroup> moved_to: array<u32, list_room>;
var<workgroup> moved_total: atomic<u32>;

// Notes the label of a point of the dispatch, and whether it is not at home any more.
fn note_point(index: u32, cluster: u32, home: u32) {
  let point = task.first + index;
  let changed = note_label(point, cluster);
  if (count_changes()) {
    atomicAdd(&changed_in_group, changed);
  }
  if (accumulate() && home != cluster + 1u) {
    homes[point] = cluster + 1u;
    let at = atomicAdd(&moved_total, 1u);
    moved_points[at] = index;
    moved_from[at] = home;
    moved_to[at] = cluster;
  }
}

fn add_kept(at: u32, low: u32, high: u32) {
  let before = atomicAdd(&kept[at], low);
  let carried = high + select(0u, 1u, before + low < before);
  if (carried != 0u) {
    atomicAdd(&kept[at + 1u], carried);
  }
}

fn gather_at(cluster: u32, plane: u32, i: u32, quad: u32) -> u32 {
  return ((2u * cluster + plane) * 4u + i) * feature_quads + quad;
}

// Four features of a point, or what takes it away, in the memory of the workgroup.
fn add_four(cluster: u32, quad: u32, added: Whole) {
  // Features past the last are zeros.
  let at = gather_at(cluster, 0u, 0u, quad) + feature_quads * vec4u(0u, 1u, 2u, 3u);
  let before = vec4u(
    atomicAdd(&gathered[at.x], added.low.x),
    atomicAdd(&gathered[at.y], added.low.y),
    atomicAdd(&gathered[at.z], added.low.z),
    atomicAdd(&gathered[at.w], added.low.w),
  );
  let high = added.high + select(vec4u(), vec4u(1u), before + added.low < before);
  let plane = 4u * feature_quads;
  atomicAdd(&gathered[at.x + plane], high.x);
  atomicAdd(&gathered[at.y + plane], high.y);
  atomicAdd(&gathered[at.z + plane], high.z);
  atomicAdd(&gathered[at.w + plane], high.w);
}

// The same in global memory.
fn add_four_kept(cluster: u32, quad: u32, fixed: vec4i, rests: vec4i) {
  for (var i = 0u; i < min(4u, features - 4u * quad); i++) {
    let at = 3u * (cluster * features + 4u * quad + i);
    add_kept(at, u32(fixed[i]), u32(fixed[i] >> 31u));
    if (rests[i] != 0i) {
      atomicAdd(&kept[at + 2u], u32(rests[i]));
    }
  }
}

// Four features of a point that moved.
fn add_moved_four(comes_to: u32, leaves: u32, quad: u32, x: vec4f) {
  let scales_of_four = scales_of(4u * quad, 0u);
  let steps = scales_of(4u * quad, 2u);
  if (gathers) {
    let added = whole_of(x, scales_of_four * steps);
    add_four(comes_to, quad, added);
    if (leaves != 0u) {
      add_four(leaves - 1u, quad, opposite_of(added));
    }
    return;
  }
  let scaled = x * scales_of_four;
  let whole = round(scaled);
  let fixed = vec4i(whole);
  let rests = vec4i(round((scaled - whole) * steps));
  add_four_kept(comes_to, quad, fixed, rests);
  if (leaves != 0u) {
    add_four_kept(leaves - 1u, quad, -fixed, -rests);
  }
}

fn add_members(cluster: u32, members: u32) {
  if (gathers) {
    atomicAdd(&gathered[gathered_members_at + cluster], members);
  } else {
    atomicAdd(&kept[members_at + cluster], members);
  }
}

// Four features a lane of what moved; all of a workgroup have noted theirs.
fn add_moved(total: u32, lane: u32) {
  for (var at = lane; at < total * feature_quads; at += threads) {
    let slot = at / feature_quads;
    let quad = at % feature_quads;
    let comes_to = moved_to[slot];
    let leaves = moved_from[slot];
    add_moved_four(comes_to, leaves, quad, four_of(task.first + moved_points[slot], 4u * quad));
    if (quad == 0u) {
      add_members(comes_to, 1u);
      if (leaves != 0u) {
        add_members(leaves - 1u, 0xffffffffu);
      }
    }
  }
  workgroupBarrier();
  if (lane == 0u) {
    atomicStore(&moved_total, 0u);
  }
  workgroupBarrier();
}

// What a workgroup has gathered goes to the kept sums.
fn flush(lane: u32) {
  if (!gathers || !accumulate()) {
    return;
  }
  for (var at = lane; at < local_k * features; at += threads) {
    let cluster = at / features;
    let feature = at % features;
    let low = atomicExchange(&gathered[gather_at(cluster, 0u, feature % 4u, feature / 4u)], 0u);
    let high = atomicExchange(&gathered[gather_at(cluster, 1u, feature % 4u, feature / 4u)], 0u);
    if ((low | high) != 0u) {
      add_kept(3u * at, low, high);
    }
  }
  for (var cluster = lane; cluster < local_k; cluster += threads) {
    let members = atomicExchange(&gathered[gathered_members_at + cluster], 0u);
    if (members != 0u) {
      atomicAdd(&kept[members_at + cluster], members);
    }
  }
  workgroupBarrier();
}

// When the last point of a part is where it belongs, its sums are added to those of the slot. What
// the next pass counts begins at 0.
@compute @workgroup_size(image_threads)
fn publish_sums(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let at = (group.y * groups.x + group.x) * image_threads + lane;
  if (at == 0u) {
    atomicStore(&kept[next_at], 0u);
    atomicStore(&kept[longest_at], 0u);
    atomicStore(&kept[longest_at + 1u], 0u);
  }
  if (!accumulate() || task.first + task.count != arrayLength(&homes) || at >= task.k * features) {
    return;
  }
  let total = total_of(at);
  add_to_sum(at / features, at % features, total.low, total.high);
  add_to_rest(at / features, at % features, bitcast<i32>(total.rest));
  if (at % features == 0u) {
    add_to_count(at / features, total.members);
  }
}
