// The means of a slot: new centroid = (fixed-point sum - members * bias) / members, rounded once to float32.
// The same Task as in task.wgsl.
struct Task {
  first: u32,
  count: u32,
  k: u32,
  d: u32,
  slot: u32,
  label_origin: u32,
  counts_stride: u32,
  sums_stride: u32,
  centroids_stride: u32,
  changed_at: u32,
  flags: u32,
  step: u32,
}

@group(0) @binding(0) var<uniform> task: Task;
@group(0) @binding(3) var<storage, read_write> counts: array<u32>;
@group(0) @binding(4) var<storage, read_write> sums: array<u32>;
@group(0) @binding(5) var<storage, read_write> centroids: array<f32>;
@group(0) @binding(6) var<storage, read> scales: array<f32>;

// The quotient (high, low) * 2^32 / divisor by long division. Needs high < divisor < 2^31.
struct Quotient { high: u32, low: u32, remainder: u32 }
fn divide(high: u32, low: u32, divisor: u32) -> Quotient {
  var quotient = Quotient(0u, 0u, high);
  for (var bit = 0u; bit < 32u; bit++) {
    quotient.remainder = (quotient.remainder << 1u) | ((low >> (31u - bit)) & 1u);
    let fits = quotient.remainder >= divisor;
    quotient.remainder -= select(0u, divisor, fits);
    quotient.high = (quotient.high << 1u) | select(0u, 1u, fits);
  }
  for (var bit = 0u; bit < 32u; bit++) {
    quotient.remainder <<= 1u;
    let fits = quotient.remainder >= divisor;
    quotient.remainder -= select(0u, divisor, fits);
    quotient.low = (quotient.low << 1u) | select(0u, 1u, fits);
  }
  return quotient;
}

// (high, low) * 2^-32 as float32, rounded to nearest even; powers of two are built from bits because WGSL
// promises no exact exp2 or division.
fn to_float(quotient: Quotient) -> f32 {
  if (quotient.high == 0u && quotient.low == 0u) {
    return 0.0;
  }
  var high = quotient.high;
  var low = quotient.low;
  var shift = countLeadingZeros(high);
  if (high == 0u) {
    shift = 32u + countLeadingZeros(low);
    high = low << (shift - 32u);
    low = 0u;
  } else if (shift > 0u) {
    high = (high << shift) | (low >> (32u - shift));
    low <<= shift;
  }
  var mantissa = high >> 8u;
  let rest = (high & 0x7fu) | low | quotient.remainder;
  let half = (high & 0x80u) != 0u;
  if (half && (rest != 0u || (mantissa & 1u) == 1u)) {
    mantissa += 1u;
  }
  let exponent = 8 - i32(shift);
  return f32(mantissa) * bitcast<f32>(u32(exponent + 127) << 23u);
}

// One thread per coordinate of a centroid. An empty cluster keeps its centroid.
@compute @workgroup_size(64)
fn means(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let entry = (group.y * groups.x + group.x) * 64u + lane;
  if (entry >= task.k * task.d) {
    return;
  }
  let from_slot = task.slot * task.centroids_stride + entry;
  let members = counts[task.slot * task.counts_stride + entry / task.d];
  if (members == 0u) {
    centroids[from_slot + task.centroids_stride] = centroids[from_slot];
    return;
  }
  let at = task.slot * task.sums_stride + 2u * entry;
  let bias_low = members << 30u;
  var low = sums[at] - bias_low;
  var high = sums[at + 1u] - (members >> 2u) - select(0u, 1u, sums[at] < bias_low);
  let negative = (high & 0x80000000u) != 0u;
  if (negative) {
    low = ~low + 1u;
    high = ~high + select(0u, 1u, low == 0u);
  }
  let mean = to_float(divide(high, low, members)) * scales[task.d + entry % task.d];
  centroids[from_slot + task.centroids_stride] = select(mean, -mean, negative);
}
