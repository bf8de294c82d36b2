// Assignment with the point's coordinates in workgroup memory; then workers, 512 unless told
// otherwise, each with sums of its own over a slice of the points, and a reduction over the workers.
// Follows task.wgsl and held_points.wgsl in one module.

// Sums that a round of the update covers, of the k * (features + 1) there are.
override tile: u32 = 1u;
override max_workers: u32 = 512u;

const reducers = 32u;

var<workgroup> collected: array<vec2u, 32>;

// [cluster][coordinate][worker], those of the round: low and high word. The last coordinate of a
// cluster counts its members.
@group(0) @binding(7) var<storage, read_write> partials: array<vec2u>;

@compute @workgroup_size(holders)
fn assign(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let index = (group.y * groups.x + group.x) * holders + lane;
  if (index < task.count) {
    let point = task.first + index;
    let changed = note_label(point, nearest(point, lane));
    if (count_changes()) {
      atomicAdd(&changed_in_group, changed);
    }
  }
  report_changes(lane);
}

fn workers() -> u32 {
  return min(max_workers, task.count);
}

// The sums of this round: [first, last) of (k, features + 1).
fn first_sum() -> u32 {
  return task.step * tile;
}
fn last_sum() -> u32 {
  return min(first_sum() + tile, task.k * (features + 1u));
}

fn plus(a: vec2u, b: vec2u) -> vec2u {
  let low = a.x + b.x;
  return vec2u(low, a.y + b.y + select(0u, 1u, low < a.x));
}

// One thread per worker and coordinate. A worker's slice is every workers()-th point, so that
// neighbours read neighbours. Threads share no sum: a sum belongs to one coordinate and one worker.
@compute @workgroup_size(64)
fn sum_slices(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let thread = (group.y * groups.x + group.x) * 64u + lane;
  let coordinates = features + 1u;
  if (thread >= workers() * coordinates) {
    return;
  }
  let worker = thread % workers();
  let coordinate = thread / workers();
  let before = (first_sum() + features - coordinate) / coordinates;
  for (var sum = before * coordinates + coordinate; sum < last_sum(); sum += coordinates) {
    partials[(sum - first_sum()) * workers() + worker] = vec2u();
  }
  for (var index = worker; index < task.count; index += workers()) {
    let point = task.first + index;
    let sum = (labels[point - task.label_origin] - 1u) * coordinates + coordinate;
    if (sum >= first_sum() && sum < last_sum()) {
      var brought = 1u;
      if (coordinate < features) {
        brought = to_fixed(points[point * features + coordinate], coordinate);
      }
      let at = (sum - first_sum()) * workers() + worker;
      partials[at] = plus(partials[at], vec2u(brought, 0u));
    }
  }
}

// One workgroup per sum of the round: every 32nd worker a thread, then halving steps.
@compute @workgroup_size(32)
fn reduce_workers(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let entry = group.y * groups.x + group.x;
  let sum = first_sum() + entry;
  if (sum >= last_sum()) {
    return;
  }
  var mine = vec2u();
  for (var worker = lane; worker < workers(); worker += reducers) {
    mine = plus(mine, partials[entry * workers() + worker]);
  }
  collected[lane] = mine;
  for (var step = reducers / 2u; step > 0u; step >>= 1u) {
    workgroupBarrier();
    if (lane < step) {
      collected[lane] = plus(collected[lane], collected[lane + step]);
    }
  }
  if (lane == 0u) {
    let cluster = sum / (features + 1u);
    let feature = sum % (features + 1u);
    if (feature == features) {
      add_to_count(cluster, collected[0].x);
    } else {
      add_to_sum(cluster, feature, collected[0].x, collected[0].y);
    }
  }
}
