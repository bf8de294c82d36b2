// Coordinates as the whole numbers of the contract, x * 2^s to the nearest, ties to even, in two words
// of two's complement: what workgroups add up, in any order and without rests. Follows task.wgsl;
// methods/fixed-point-sums/proof.md has the bounds.

// Such a number is upper * 2^lower_bits + lower.
override lower_bits: u32 = 20u;
// Where there are so many points that either half is at most 2^22 of magnitude, an addition rounds and
// the last bits of the result are the half, without conversions. Added by `fma`, which compilers do
// not take apart.
override by_magic: bool = true;
override lower_unit: f32 = f32(1u << lower_bits);
const magic: f32 = 12582912.0;
const magic_bits = 0x4b400000i;

struct Halves { upper: vec4i, lower: vec4i }
struct Whole { low: vec4u, high: vec4u }

// 2^s of a feature: fixed point, and the rests in it.
fn finest_of(feature: u32) -> f32 {
  return scales[feature] * scales[2u * task.d + feature];
}

fn halves_of(x: vec4f, finest: vec4f) -> Halves {
  let scaled = x * finest;
  if (by_magic) {
    let upper = fma(scaled, vec4f(1.0 / lower_unit), vec4f(magic));
    let lower = fma(upper - magic, vec4f(-lower_unit), scaled) + magic;
    return Halves(bitcast<vec4i>(upper) - magic_bits, bitcast<vec4i>(lower) - magic_bits);
  }
  let upper = round(scaled * (1.0 / lower_unit));
  return Halves(vec4i(upper), vec4i(round(fma(upper, vec4f(-lower_unit), scaled))));
}

fn whole_of_halves(halves: Halves) -> Whole {
  let low = bitcast<vec4u>(halves.upper << vec4u(lower_bits));
  let sum = low + bitcast<vec4u>(halves.lower);
  let high = (halves.upper >> vec4u(32u - lower_bits)) + (halves.lower >> vec4u(31u));
  return Whole(sum, bitcast<vec4u>(high) + select(vec4u(), vec4u(1u), sum < low));
}

fn whole_of(x: vec4f, finest: vec4f) -> Whole {
  return whole_of_halves(halves_of(x, finest));
}

fn opposite_of(a: Whole) -> Whole {
  return Whole(~a.low + 1u, ~a.high + select(vec4u(), vec4u(1u), a.low == vec4u()));
}

// Sums of two words, low word in x.
fn plus_words(a: vec2u, b: vec2u) -> vec2u {
  let low = a.x + b.x;
  return vec2u(low, a.y + b.y + select(0u, 1u, low < a.x));
}

// A sum as task.wgsl has them, in fixed point without its bias, and the rest of that: at most half a
// step of magnitude.
struct Fixed { low: u32, high: u32, rest: u32 }

fn fixed_of(sum: vec2u, feature: u32) -> Fixed {
  let finer = ((bitcast<u32>(scales[2u * task.d + feature]) >> 23u) & 0xffu) - 127u;
  let half = select(0u, 1u << ((finer - 1u) % 32u), finer > 0u);
  let rounded = plus_words(sum, vec2u(half, 0u));
  // By up to 32.
  let by = finer % 32u;
  let is_word = finer == 32u;
  let low = select((rounded.x >> by) | ((rounded.y << 1u) << (31u - by)), rounded.y, is_word);
  let high = bitcast<u32>(bitcast<i32>(rounded.y) >> select(by, 31u, is_word));
  return Fixed(low, high, sum.x - select(low << by, 0u, is_word));
}

// Adds the sum of `members` coordinates to that of the slot.
fn add_whole_to_sum(cluster: u32, feature: u32, sum: vec2u, members: u32) {
  let fixed = fixed_of(sum, feature);
  let biased = plus_words(vec2u(fixed.low, fixed.high), vec2u(members << 30u, members >> 2u));
  add_to_sum(cluster, feature, biased.x, biased.y);
  add_to_rest(cluster, feature, bitcast<i32>(fixed.rest));
}
