// What D2 would be with each candidate of a round, and the block sums of that; a workgroup a block of 1024 points.
//
// Float32 decides first. The computed s of a squared distance t is at most t (1 + u)^(d + 3) + d 2^-149, u = 2^-23 (any
// rounding, with fma or without, in any order; flushed subnormals add less than 2^-149 a feature). It is looked at only where
// it exceeds 2^-126, so that the second term is at most d u of it. With shrink = 1 - (2d + 16) u, rounded down, s shrink
// > D2, in float32 with D2 rounded up to a normal number, implies t (1 - (d + 2) 2^-52) > D2: the float64 distance is not
// below D2, and nothing changes. All other pairs of point and candidate are listed and calculated exactly side by side.

const candidates_at_once = 8u;
const features_at_once = 64u;
const pairs_at_once = 1024u;
const points_each = 4u;

// Coordinates of eight candidates, two vectors a feature.
var<workgroup> centres: array<vec4f, 2u * features_at_once>;
var<workgroup> marked: array<u32, block_points>;
// Candidate, and point within the block.
var<workgroup> pairs: array<u32, pairs_at_once>;
var<workgroup> pair_count: atomic<u32>;
// Candidates that are marked somewhere in the block.
var<workgroup> touched: atomic<u32>;

fn coordinate(feature: u32, candidate: u32) -> f32 {
  let row = round.rows[min(candidate, shape.candidates - 1u)];
  return bitcast<f32>(columns[feature * shape.n + row]);
}

fn gather_centres(first: u32, feature: u32, count: u32, lane: u32) {
  if (lane >= 2u * count) {
    return;
  }
  let from_feature = feature + lane / 2u;
  let candidate = first + 4u * (lane % 2u);
  centres[lane] = vec4f(
    coordinate(from_feature, candidate),
    coordinate(from_feature, candidate + 1u),
    coordinate(from_feature, candidate + 2u),
    coordinate(from_feature, candidate + 3u),
  );
}

fn squared(from_centres: vec4f, before: vec4f) -> vec4f {
  return fma(from_centres, from_centres, before);
}

// A normal float32 that is above a float64.
fn above(value: vec2u) -> f32 {
  let exponent = value.y >> 20u;
  if (exponent < 897u) {
    return bitcast<f32>(0x00800000u);
  }
  if (exponent > 1149u) {
    return bitcast<f32>(0x7f7fffffu);
  }
  let bits = ((exponent - 896u) << 23u) | ((value.y & 0xfffffu) << 3u) | (value.x >> 29u);
  return bitcast<f32>(bits + 1u);
}

// A bit for each of eight candidates that may be nearer to a point of the block than D2 says.
fn undecided(point: u32, near: vec4f, far: vec4f) -> u32 {
  if (point >= shape.n) {
    return 0u;
  }
  let before = nearest[point];
  if (is_zero(before)) {
    return 0u;
  }
  let bound = vec4f(above(before));
  let bits = vec4u(1u, 2u, 4u, 8u);
  let low = select(bits, vec4u(), near * shape.shrink > bound);
  let high = select(bits << vec4u(4u), vec4u(), far * shape.shrink > bound);
  let all = low | high;
  return all.x | all.y | all.z | all.w;
}

// Four points a thread, eight candidates: what is loaded of both is used several times.
fn mark(block: u32, first: u32, lane: u32) {
  let begin = block * block_points + lane;
  let at = min(vec4u(begin, begin + threads, begin + 2u * threads, begin + 3u * threads), vec4u(shape.n - 1u));
  var near: array<vec4f, points_each>;
  var far: array<vec4f, points_each>;
  for (var feature = 0u; feature < shape.d; feature += features_at_once) {
    let count = min(features_at_once, shape.d - feature);
    workgroupBarrier();
    gather_centres(first, feature, count, lane);
    workgroupBarrier();
    for (var j = 0u; j < count; j++) {
      let column = (feature + j) * shape.n;
      let a = centres[2u * j];
      let b = centres[2u * j + 1u];
      let x0 = bitcast<f32>(columns[column + at.x]);
      let x1 = bitcast<f32>(columns[column + at.y]);
      let x2 = bitcast<f32>(columns[column + at.z]);
      let x3 = bitcast<f32>(columns[column + at.w]);
      near[0] = squared(x0 - a, near[0]);
      near[1] = squared(x1 - a, near[1]);
      near[2] = squared(x2 - a, near[2]);
      near[3] = squared(x3 - a, near[3]);
      far[0] = squared(x0 - b, far[0]);
      far[1] = squared(x1 - b, far[1]);
      far[2] = squared(x2 - b, far[2]);
      far[3] = squared(x3 - b, far[3]);
    }
  }
  let wanted = (1u << min(candidates_at_once, shape.candidates - first)) - 1u;
  for (var p = 0u; p < points_each; p++) {
    let bits = undecided(begin + p * threads, near[p], far[p]) & wanted;
    marked[p * threads + lane] |= bits << first;
  }
}

// The pairs of this thread whose turn it is, from its place in the list of all.
fn list_pairs(base: u32, first: u32, lane: u32) {
  var place = base;
  for (var point = lane; point < block_points; point += threads) {
    for (var left = marked[point]; left != 0u; left &= left - 1u) {
      if (place >= first && place < first + pairs_at_once) {
        pairs[place - first] = (countTrailingZeros(left) * block_points) | point;
      }
      place++;
    }
  }
}

fn calculate(pair: u32, block: u32) {
  let candidate = pair / block_points;
  let point = block * block_points + pair % block_points;
  let before = nearest[point];
  let distance = distance_between(point, round.rows[candidate]);
  table[candidate * shape.n + point] = select(before, distance, exceeds(before, distance));
}

fn calculate_marked(block: u32, lane: u32) {
  var own = 0u;
  var all = 0u;
  for (var point = lane; point < block_points; point += threads) {
    own += countOneBits(marked[point]);
    all |= marked[point];
  }
  let base = atomicAdd(&pair_count, own);
  atomicOr(&touched, all);
  workgroupBarrier();
  if (lane == 0u) {
    told = atomicLoad(&pair_count);
  }
  let count = workgroupUniformLoad(&told);
  for (var first = 0u; first < count; first += pairs_at_once) {
    list_pairs(base, first, lane);
    workgroupBarrier();
    for (var at = lane; at < min(pairs_at_once, count - first); at += threads) {
      calculate(pairs[at], block);
    }
    workgroupBarrier();
  }
}

// What D2 of a point of the block would be; 0 past the last.
fn value_of(block: u32, candidate: u32, at: u32) -> vec2u {
  if (at >= points_of(block)) {
    return vec2u();
  }
  let point = block * block_points + at;
  if (((marked[at] >> candidate) & 1u) != 0u) {
    return table[candidate * shape.n + point];
  }
  return nearest[point];
}

// Four values are under way while others are added.
fn add_lane(block: u32, candidate: u32, first: u32) -> vec2u {
  var sum = vec2u();
  for (var at = first; at < block_points; at += 4u * lanes) {
    let a = value_of(block, candidate, at);
    let b = value_of(block, candidate, at + lanes);
    let c = value_of(block, candidate, at + 2u * lanes);
    let d = value_of(block, candidate, at + 3u * lanes);
    sum = sum_of(sum_of(sum_of(sum_of(sum, a), b), c), d);
  }
  return sum;
}

// Where no point of the block comes nearer, its sum is the one of D2.
fn add_block(block: u32, lane: u32) {
  let candidates = atomicLoad(&touched);
  let candidate = lane / lanes;
  if (candidate < shape.candidates && ((candidates >> candidate) & 1u) != 0u) {
    lane_sums[lane] = add_lane(block, candidate, lane % lanes);
  }
  workgroupBarrier();
  if (lane >= shape.candidates) {
    return;
  }
  let place = (shape.slot + lane) * shape.blocks + block;
  if (((candidates >> lane) & 1u) != 0u) {
    sums[place] = sum_of_lanes(lane * lanes);
  } else {
    sums[place] = sums[block];
  }
}

@compute @workgroup_size(threads)
fn weigh(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let block = group.y * groups.x + group.x;
  if (lane == 0u) {
    told = select(0u, 1u, block >= shape.blocks || is_over());
    atomicStore(&pair_count, 0u);
    atomicStore(&touched, 0u);
  }
  for (var point = lane; point < block_points; point += threads) {
    marked[point] = 0u;
  }
  if (workgroupUniformLoad(&told) != 0u) {
    return;
  }
  for (var first = 0u; first < shape.candidates; first += candidates_at_once) {
    mark(block, first, lane);
  }
  calculate_marked(block, lane);
  for (var at = lane; at < points_of(block); at += threads) {
    marks[block * block_points + at] = marked[at];
  }
  storageBarrier();
  if (shape.adds_up != 0u) {
    add_block(block, lane);
  }
}
