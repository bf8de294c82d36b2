// Which candidates of a round may come nearer to a point than D2 says; a workgroup a block of 1024
// points.
// Float32 decides first. The computed s of a squared distance t is at most t (1 + u)^(d + 3) + d
// 2^-149, u = 2^-23 (any rounding, with fma or without, in any order; flushed subnormals add less
// than 2^-149 a feature). It is looked at only where it exceeds 2^-126, so that the second term is
// at most d u of it. With shrink = 1 - (2d + 16) u, rounded down, s shrink > D2, in float32 with D2
// rounded up to a normal number, implies t (1 - (d + 2) 2^-52) > D2: the float64 distance is not
// below D2, and nothing changes. All other pairs of point and candidate are marked. README.md has
// the proof.

const candidates_at_once = 8u;
const features_at_once = 64u;
const points_each = 4u;

// Coordinates of eight candidates, two vectors a feature.
var<workgroup> centres: array<vec4f, 2u * features_at_once>;

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
fn mark_eight(block: u32, first: u32, lane: u32) -> vec4u {
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
  var bits: vec4u;
  for (var p = 0u; p < points_each; p++) {
    bits[p] = undecided(begin + p * threads, near[p], far[p]) & wanted;
  }
  return bits << vec4u(first);
}

@compute @workgroup_size(threads)
fn mark(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let block = group.y * groups.x + group.x;
  if (lane == 0u) {
    broadcast = select(0u, 1u, block >= shape.blocks || is_over());
  }
  if (workgroupUniformLoad(&broadcast) != 0u) {
    return;
  }
  var bits = vec4u();
  for (var first = 0u; first < shape.candidates; first += candidates_at_once) {
    bits |= mark_eight(block, first, lane);
  }
  for (var p = 0u; p < points_each; p++) {
    let point = block * block_points + p * threads + lane;
    if (point < shape.n) {
      marks[point] = bits[p];
    }
  }
}
