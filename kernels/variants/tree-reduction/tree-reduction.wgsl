// Assignment by staged centroids; then, for each cluster, trees over the points of a block, and
// trees over blocks. Follows task.wgsl and staged_centroids.wgsl in one module.

// (d + 1, k, blocks): low and high word of each block's sum of a coordinate, and of the members at
// d.
@group(0) @binding(7) var<storage, read_write> partials: array<vec2u>;

// A block: so many points a lane, added up before the tree begins.
const lanes = 64u;
const points_a_lane = 4u;
const block_points = lanes * points_a_lane;
// Entries (a coordinate of a cluster, or its members) that go through their trees together.
const width = 32u;
// Children of a node: 64 leaves, 8 nodes, one root.
const fan_in = 8u;
const nobody = 0xffffffffu;

// [entry of the round][lane]: lower 16 and upper 15 bits apart, so that a block adds up without a
// carry.
var<workgroup> halves: array<vec2u, width * lanes>;

@compute @workgroup_size(threads)
fn assign(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let index = (group.y * groups.x + group.x) * threads + lane;
  // A lane past the end goes along for the barriers and is not counted.
  let point = task.first + min(index, task.count - 1u);
  let cluster = nearest_staged(point, lane);
  if (index < task.count) {
    let changed = note_label(point, cluster);
    if (count_changes()) {
      atomicAdd(&changed_in_group, changed);
    }
  }
  report_changes(lane);
}

// What the four points of a lane add where they are members, in halves.
struct Values { lower: vec4u, upper: vec4u }
fn values_of(first_point: u32, value: u32) -> Values {
  if (value == features) {
    return Values(vec4u(1u), vec4u(0u));
  }
  var fixed = vec4u(0u);
  for (var p = 0u; p < points_a_lane; p++) {
    fixed[p] = to_fixed(points[(first_point + p * lanes) * features + value], value);
  }
  return Values(fixed & vec4u(0xffffu), fixed >> vec4u(16u));
}

// Points that are not members count as zero.
fn masked_sum(values: Values, members: vec4<bool>) -> vec2u {
  let lower = select(vec4u(0u), values.lower, members);
  let upper = select(vec4u(0u), values.upper, members);
  return vec2u(lower.x + lower.y + lower.z + lower.w, upper.x + upper.y + upper.z + upper.w);
}

// An inner node of a tree: the sum of its children, which lie `nodes` apart.
fn children_of(first: u32, nodes: u32) -> vec2u {
  var sum = halves[first];
  for (var child = 1u; child < fan_in; child++) {
    sum += halves[first + child * nodes];
  }
  return sum;
}

// The levels of the round's trees below their roots; each node takes the place of its first child.
fn add_halves(lane: u32) {
  for (var nodes = lanes / fan_in; nodes > 1u; nodes /= fan_in) {
    workgroupBarrier();
    for (var at = lane; at < width * nodes; at += lanes) {
      let first = at / nodes * lanes + at % nodes;
      halves[first] = children_of(first, nodes);
    }
  }
  workgroupBarrier();
}

fn whole(sum: vec2u) -> vec2u {
  let low = sum.x + (sum.y << 16u);
  return vec2u(low, (sum.y >> 16u) + select(0u, 1u, low < sum.x));
}

// One workgroup per block of points: coordinate by coordinate, then the members, every cluster in
// turn.
@compute @workgroup_size(lanes)
fn reduce_blocks(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let block = group.y * groups.x + group.x;
  let blocks = (task.count + block_points - 1u) / block_points;
  let first_point = task.first + block * block_points + lane;
  var owners = vec4u(nobody);
  for (var p = 0u; p < points_a_lane; p++) {
    let point = first_point + p * lanes;
    if (point - task.first < task.count) {
      owners[p] = labels[point - task.label_origin] - 1u;
    }
  }
  let entries = task.k * (features + 1u);
  var cluster = 0u;
  var value = 0u;
  var values = values_of(first_point, value);
  for (var first = 0u; first < entries; first += width) {
    for (var v = 0u; v < width; v++) {
      halves[v * lanes + lane] = masked_sum(values, owners == vec4u(cluster));
      cluster += 1u;
      if (cluster == task.k) {
        cluster = 0u;
        value += 1u;
        values = values_of(first_point, value);
      }
    }
    add_halves(lane);
    if (lane < width && first + lane < entries && block < blocks) {
      partials[(first + lane) * blocks + block] = whole(children_of(lane * lanes, 1u));
    }
    workgroupBarrier();
  }
}

var<workgroup> lane_sums: array<vec2u, lanes>;

fn add_words(a: vec2u, b: vec2u) -> vec2u {
  let low = a.x + b.x;
  return vec2u(low, a.y + b.y + select(0u, 1u, low < a.x));
}

// Lanes that share an entry: none adds more than `fan_in` blocks until all lanes share one.
fn leaves_of(blocks: u32) -> u32 {
  var leaves = 1u;
  while (leaves < lanes && leaves * fan_in < blocks) {
    leaves *= fan_in;
  }
  return leaves;
}

// The coarse reduction, for each cluster and coordinate apart: leaves stride over the blocks, then
// a tree adds the leaves.
@compute @workgroup_size(lanes)
fn reduce_partials(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let blocks = (task.count + block_points - 1u) / block_points;
  let leaves = leaves_of(blocks);
  let entry = (group.y * groups.x + group.x) * (lanes / leaves) + lane / leaves;
  let leaf = lane % leaves;
  let exists = entry < task.k * (features + 1u);
  var sum = vec2u(0u);
  if (exists) {
    for (var block = leaf; block < blocks; block += leaves) {
      sum = add_words(sum, partials[entry * blocks + block]);
    }
  }
  lane_sums[lane] = sum;
  for (var nodes = leaves / fan_in; nodes > 0u; nodes /= fan_in) {
    workgroupBarrier();
    if (leaf < nodes) {
      for (var child = 1u; child < fan_in; child++) {
        sum = add_words(sum, lane_sums[lane + child * nodes]);
      }
      lane_sums[lane] = sum;
    }
  }
  if (leaf == 0u && exists) {
    let cluster = entry % task.k;
    let value = entry / task.k;
    if (value < features) {
      add_to_sum(cluster, value, sum.x, sum.y);
    } else {
      add_to_count(cluster, sum.x);
    }
  }
}
