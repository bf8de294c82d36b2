// Sums that last: a part keeps those of its points by the cluster that each was last counted to,
// and only points that moved change them. Integers: whatever passes came before, they are the sums
// of the points. Follows resolve_labels.wgsl.

// Cluster + 1 that each point is counted to; 0 = none yet.
@group(0) @binding(9) var<storage, read_write> homes: array<u32>;
// Points that moved, and what was their home.
@group(0) @binding(10) var<storage, read_write> moves: array<vec2u>;
@group(0) @binding(11) var<storage, read_write> note_state: array<atomic<u32>>;
@group(0) @binding(12) var<storage, read_write> noted_pairs: array<u32>;
// Ordered by group: twice the point, + 1 where it leaves; the cluster.
@group(0) @binding(7) var<storage, read_write> entries: array<vec2u>;
// (k, d, 2) sums as in task.wgsl, then (k) members, then (k, d) rests.
@group(0) @binding(9) var<storage, read_write> lasting: array<atomic<u32>>;
@group(0) @binding(10) var<storage, read_write> whole_words: array<u32>;

override lasting_counts_at: u32 = 2u * all_groups * group_size * features;
override lasting_rests_at: u32 = lasting_counts_at + all_groups * group_size;
const stays = 0xffffffffu;
const no_pair = 0xffffffffu;
const moves_a_lane = 4u;
const moves_together = 1024u;

var<workgroup> moved: atomic<u32>;
var<workgroup> moves_begin: u32;
var<workgroup> shared_total: u32;

// Distances for points of which only the group is known: after float32 scores.
@compute @workgroup_size(order_threads)
fn decide_rest(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let at = (group.y * groups.x + group.x) * order_threads + lane;
  if (at >= task.count) {
    return;
  }
  let mark = pair_choices[at] >> position_bits;
  if (mark != decided_mark && mark != doubtful_mark) {
    pair_choices[at] = choice_by(nearest_of_group(pair_choices[at] & 0xffffu, task.first + at));
  }
}

// The label of each point, and which of them are not at home any more; those in doubt are left.
@compute @workgroup_size(order_threads)
fn note_moves(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let first = (group.y * groups.x + group.x) * order_points;
  forget_members(lane);
  var within: array<u32, points_a_lane>;
  var former: array<u32, points_a_lane>;
  var changed = 0u;
  for (var i = 0u; i < points_a_lane; i++) {
    let at = first + i * order_threads + lane;
    within[i] = stays;
    let choice = pair_choices[min(at, task.count - 1u)];
    if (at < task.count && choice >> position_bits == doubtful_mark) {
      if (choice == doubtful_choice) {
        noted_pairs[at] = no_pair;
      }
      leave_in_doubt(task.first + at);
    } else if (at < task.count) {
      let point = task.first + at;
      let cluster = cluster_at(choice & ((1u << position_bits) - 1u));
      changed += note_label(point, cluster);
      former[i] = homes[point];
      if (accumulate() && former[i] != cluster + 1u) {
        within[i] = atomicAdd(&moved, 1u);
        atomicAdd(&members[cluster / group_size], 1u);
        if (former[i] != 0u) {
          atomicAdd(&members[(former[i] - 1u) / group_size], 1u);
        }
        homes[point] = cluster + 1u;
      }
    }
  }
  if (count_changes()) {
    atomicAdd(&changed_in_group, changed);
  }
  workgroupBarrier();
  if (lane == 0u && atomicLoad(&moved) != 0u) {
    moves_begin = atomicAdd(&note_state[moves_at], atomicLoad(&moved));
  }
  for (var i = lane; i < all_groups; i += order_threads) {
    let count = atomicLoad(&members[i]);
    if (count != 0u) {
      atomicAdd(&note_state[groups_at + i], count);
    }
  }
  workgroupBarrier();
  for (var i = 0u; i < points_a_lane; i++) {
    if (within[i] != stays) {
      moves[moves_begin + within[i]] = vec2u(task.first + first + i * order_threads + lane, former[i]);
    }
  }
  report_changes(lane);
}

@compute @workgroup_size(order_threads)
fn scatter_moves(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (lane == 0u) {
    shared_total = atomicLoad(&positions[moves_at]);
  }
  let total = workgroupUniformLoad(&shared_total);
  let stride = groups.x * groups.y * moves_together;
  for (var first = (group.y * groups.x + group.x) * moves_together; first < total; first += stride) {
    forget_members(lane);
    var within: array<vec2u, moves_a_lane>;
    for (var i = 0u; i < moves_a_lane; i++) {
      let at = first + i * order_threads + lane;
      if (at < total) {
        let move_of = moves[at];
        within[i].x = atomicAdd(&members[(homes[move_of.x] - 1u) / group_size], 1u);
        if (move_of.y != 0u) {
          within[i].y = atomicAdd(&members[(move_of.y - 1u) / group_size], 1u);
        }
      }
    }
    workgroupBarrier();
    for (var i = lane; i < all_groups; i += order_threads) {
      let count = atomicLoad(&members[i]);
      if (count != 0u) {
        atomicStore(&members[i], atomicAdd(&positions[groups_at + i], count));
      }
    }
    workgroupBarrier();
    for (var i = 0u; i < moves_a_lane; i++) {
      let at = first + i * order_threads + lane;
      if (at < total) {
        let move_of = moves[at];
        let home = homes[move_of.x] - 1u;
        entries[atomicLoad(&members[home / group_size]) + within[i].x] = vec2u(2u * move_of.x, home);
        if (move_of.y != 0u) {
          let left = move_of.y - 1u;
          entries[atomicLoad(&members[left / group_size]) + within[i].y] = vec2u(2u * move_of.x + 1u, left);
        }
      }
    }
    workgroupBarrier();
  }
}

fn add_lasting(cluster: u32, feature: u32, low: u32, high: u32) {
  let at = 2u * (cluster * features + feature);
  let before = atomicAdd(&lasting[at], low);
  let carried = high + select(0u, 1u, before + low < before);
  if (carried != 0u) {
    atomicAdd(&lasting[at + 1u], carried);
  }
}

// To the sums of the workgroup where they are kept, else to those of the part.
fn add_moved(cluster: u32, feature: u32, run: Sums) {
  for (var i = 0u; i < 4u && feature + i < features; i++) {
    if (run.rest[i] != 0i) {
      atomicAdd(&lasting[lasting_rests_at + cluster * features + feature + i], bitcast<u32>(run.rest[i]));
    }
    let slot = cluster - first_position;
    if (slot >= kept_sums) {
      add_lasting(cluster, feature + i, run.low[i], run.high[i]);
    } else {
      let at = 2u * (slot * features + feature + i);
      let before = atomicAdd(&kept[at], run.low[i]);
      atomicAdd(&kept[at + 1u], run.high[i] + select(0u, 1u, before + run.low[i] < before));
    }
  }
}

// Four features a lane of consecutive places, runs of a cluster in registers; a point that leaves
// is taken off, in two's complement.
fn add_moved_stretch(lane: u32) {
  let stretch = sum_points * row_lanes / sum_threads;
  let start = lane / row_lanes * stretch;
  for (var feature = lane % row_lanes * 4u; feature < features; feature += row_lanes * 4u) {
    let scale = scales_of(feature, 0u);
    let steps = scales_of(feature, 2u);
    var cluster = sorted_positions[start];
    var run = no_sums();
    for (var first = start; first < start + stretch; first += row_batch) {
      var rows: array<vec4f, row_batch>;
      for (var i = 0u; i < row_batch; i++) {
        rows[i] = four_of(sorted_points[first + i] / 2u, feature);
      }
      for (var i = 0u; i < row_batch; i++) {
        let next = sorted_positions[first + i];
        if (next != cluster) {
          add_moved(cluster, feature, run);
          run = no_sums();
          cluster = next;
        }
        if (next != nothing) {
          let leaves = vec4<bool>((sorted_points[first + i] & 1u) != 0u);
          let scaled = rows[i] * scale;
          let whole = round(scaled);
          let rest = vec4i(round((scaled - whole) * steps));
          let fixed = vec4u(vec4i(whole) + bias);
          let low = select(fixed, vec4u() - fixed, leaves);
          let high = select(vec4u(), vec4u(0xffffffffu), leaves & (fixed != vec4u()));
          run.low += low;
          run.high += high + select(vec4u(), vec4u(1u), run.low < low);
          run.rest += select(rest, -rest, leaves);
        }
      }
    }
    if (cluster != nothing) {
      add_moved(cluster, feature, run);
    }
  }
}

// The first of a run counts its members: those that come less those that leave.
fn count_moved(lane: u32) {
  let own = sorted_positions[lane];
  if (own == nothing || (lane != 0u && sorted_positions[max(lane, 1u) - 1u] == own)) {
    return;
  }
  var members_more = 0u;
  for (var at = lane; at < sum_points && sorted_positions[min(at, sum_points - 1u)] == own; at++) {
    members_more += 1u - 2u * (sorted_points[min(at, sum_points - 1u)] & 1u);
  }
  atomicAdd(&lasting[lasting_counts_at + own], members_more);
}

fn flush_moved(lane: u32) {
  for (var at = lane; at < kept_sums * features; at += sum_threads) {
    let low = atomicExchange(&kept[2u * at], 0u);
    let high = atomicExchange(&kept[2u * at + 1u], 0u);
    if ((low | high) != 0u) {
      add_lasting(first_position + at / features, at % features, low, high);
    }
  }
}

@compute @workgroup_size(sum_threads)
fn add_moves(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (lane == 0u) {
    shared_total = atomicLoad(&positions[entries_at]);
  }
  let total = workgroupUniformLoad(&shared_total);
  let stride = groups.x * groups.y * sum_points;
  for (var first = (group.y * groups.x + group.x) * sum_points; first < total; first += stride) {
    var entry = vec2u(2u * task.first, nothing);
    if (first + lane < total) {
      entry = entries[first + lane];
    }
    if (lane == 0u) {
      first_position = entry.y / group_size * group_size;
    }
    let key = (entry.y << 8u) | lane;
    keys[lane] = key;
    workgroupBarrier();
    if (lane < sum_points / 4u) {
      key_quads[lane] = vec4u(keys[4u * lane], keys[4u * lane + 1u], keys[4u * lane + 2u], keys[4u * lane + 3u]);
    }
    workgroupBarrier();
    let rank = rank_of(key);
    sorted_positions[rank] = entry.y;
    sorted_points[rank] = entry.x;
    workgroupBarrier();
    add_moved_stretch(lane);
    count_moved(lane);
    workgroupBarrier();
    flush_moved(lane);
    workgroupBarrier();
  }
}

// When the last point of a part is where it belongs, its sums are those of the slot.
@compute @workgroup_size(64)
fn publish_sums(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let at = (group.y * groups.x + group.x) * 64u + lane;
  if (!accumulate() || task.first + task.count != whole_words[part_points_at]) {
    return;
  }
  if (at < task.k * features) {
    add_to_sum(at / features, at % features, atomicLoad(&lasting[2u * at]), atomicLoad(&lasting[2u * at + 1u]));
    add_to_rest(at / features, at % features, bitcast<i32>(atomicLoad(&lasting[lasting_rests_at + at])));
  }
  if (at < task.k) {
    add_to_count(at, atomicLoad(&lasting[lasting_counts_at + at]));
  }
}
