// Float64 in integers, bit for bit: WGSL has none, and float32 arithmetic has no fixed rounding
// there. A value is a vec2u, low word in x, high word in y, never negative, NaN or subnormal;
// infinity only as something to compare with. That is all a seeding meets: two float32 differ by 0
// or by 2^-149 at least, whose square is a normal float64. Rounded to nearest, ties to even, as
// src/engine/init/kernel.ts has it.

const infinite = vec2u(0u, 0x7ff00000u);

fn is_zero(a: vec2u) -> bool {
  return (a.x | a.y) == 0u;
}

// Bits of values that are not negative lie in the order of the values; integers of 64 bits do so
// too.
fn exceeds(a: vec2u, b: vec2u) -> bool {
  return a.y > b.y || (a.y == b.y && a.x > b.x);
}

fn plus64(a: vec2u, b: vec2u) -> vec2u {
  let low = a.x + b.x;
  return vec2u(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn minus64(a: vec2u, b: vec2u) -> vec2u {
  return vec2u(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

// By less than 64. A shift by 32 or more is undefined, so a distance of 32 - by is gone in two
// steps.
fn left64(a: vec2u, by: u32) -> vec2u {
  let part = by & 31u;
  let high = (a.y << part) | ((a.x >> 1u) >> (31u - part));
  let low = a.x << part;
  return select(vec2u(low, high), vec2u(0u, low), by >= 32u);
}

fn right64(a: vec2u, by: u32) -> vec2u {
  let part = by & 31u;
  let low = (a.x >> part) | ((a.y << 1u) << (31u - part));
  let high = a.y >> part;
  return select(vec2u(low, high), vec2u(high, 0u), by >= 32u);
}

// By less than 64; what falls out leaves a 1 in the last bit, which is all that rounding needs to
// know of it.
fn right64_sticky(a: vec2u, by: u32) -> vec2u {
  let part = by & 31u;
  let fallen = (a.x << 1u) << (31u - part);
  let low = (a.x >> part) | ((a.y << 1u) << (31u - part));
  let high = a.y >> part;
  let is_far = by >= 32u;
  let lost = select(fallen, fallen | low, is_far);
  return vec2u(select(low, high, is_far) | min(lost, 1u), select(high, 0u, is_far));
}

// A product or sum whose highest bit is one of the two highest: moved up to where `rounded` wants
// it.
fn moved_up(m: vec2u) -> vec2u {
  return select(vec2u(m.x << 1u, (m.y << 1u) | (m.x >> 31u)), m, m.y >= 0x80000000u);
}

// The 53 bits of a value, the hidden one among them.
fn mantissa_of(a: vec2u) -> vec2u {
  return vec2u(a.x, (a.y & 0xfffffu) | 0x100000u);
}

// `m` has its highest bit set: the first 53 bits stay, 11 are rounded. A carry out of them raises
// the exponent by itself.
fn rounded(m: vec2u, exponent: u32) -> vec2u {
  let kept = vec2u((m.x >> 11u) | (m.y << 21u), (m.y >> 11u) + ((exponent - 1u) << 20u));
  let up = (m.x & 0x7ffu) + (kept.x & 1u) > 0x400u;
  return plus64(kept, vec2u(select(0u, 1u, up), 0u));
}

fn sum_of(a: vec2u, b: vec2u) -> vec2u {
  let b_larger = b.y > a.y;
  let large = select(a, b, b_larger);
  let small = select(b, a, b_larger);
  let exponent = large.y >> 20u;
  let apart = exponent - (small.y >> 20u);
  let aligned = right64_sticky(left64(mantissa_of(small), 10u), apart);
  let sum = plus64(left64(mantissa_of(large), 10u), aligned);
  let result = rounded(moved_up(sum), exponent + (sum.y >> 31u));
  // Less than half of the last bit; 0 is farther than that from every value, but not from itself.
  // Without a branch, so that what follows need not wait.
  return select(result, large, apart > 53u || exponent == 0u);
}

// Mantissa of the bits of a positive float32, at the top of 31 bits.
fn mantissa_of_single(bits: u32) -> u32 {
  return ((bits & 0x7fffffu) | select(0u, 0x800000u, bits >= 0x800000u)) << 7u;
}

// |a - b| of the bits of two float32, as float64.
fn difference_of(a: u32, b: u32) -> vec2u {
  let magnitudes = vec2u(a, b) & vec2u(0x7fffffffu);
  let large = max(magnitudes.x, magnitudes.y);
  let small = min(magnitudes.x, magnitudes.y);
  let exponent = max(large >> 23u, 1u);
  let apart = exponent - max(small >> 23u, 1u);
  // 31 bits at the top of 63: a sticky bit is needed only where they lie farther apart than 39.
  let second = vec2u(0u, mantissa_of_single(small));
  let aligned = select(vec2u(min(second.y, 1u), 0u), right64_sticky(second, apart & 63u), apart < 64u);
  let first = vec2u(0u, mantissa_of_single(large));
  let result = select(plus64(first, aligned), minus64(first, aligned), (a ^ b) < 0x80000000u);
  if (is_zero(result)) {
    return result;
  }
  let empty = select(countLeadingZeros(result.y), 32u + countLeadingZeros(result.x), result.y == 0u);
  // The highest bit of 64 stands for 2^(exponent - 126): 2^(exponent - 127) is that of a float32,
  // in the second highest.
  return rounded(left64(result, empty), exponent + 897u - empty);
}

// 53 bits in digits of 14, whose products and sums of products fit a word.
fn digits_of(a: vec2u) -> vec4u {
  let m = mantissa_of(a);
  return vec4u(m.x & 0x3fffu, (m.x >> 14u) & 0x3fffu, (m.x >> 28u) | ((m.y & 0x3ffu) << 4u), m.y >> 10u);
}

fn product_of(a: vec2u, b: vec2u) -> vec2u {
  if (is_zero(a) || is_zero(b)) {
    return vec2u();
  }
  let p = digits_of(a);
  let q = digits_of(b);
  let c0 = p.x * q.x;
  let c1 = p.x * q.y + p.y * q.x + (c0 >> 14u);
  let c2 = p.x * q.z + p.y * q.y + p.z * q.x + (c1 >> 14u);
  let c3 = p.x * q.w + p.y * q.z + p.z * q.y + p.w * q.x + (c2 >> 14u);
  let c4 = p.y * q.w + p.z * q.z + p.w * q.y + (c3 >> 14u);
  let c5 = p.z * q.w + p.w * q.z + (c4 >> 14u);
  let c6 = p.w * q.w + (c5 >> 14u);
  let rest = select(0u, 1u, ((c0 | c1 | c2) & 0x3fffu) != 0u);
  let low = (c3 & 0x3fffu) | ((c4 & 0x3fffu) << 14u) | (c5 << 28u) | rest;
  let high = ((c5 & 0x3fffu) >> 4u) | (c6 << 10u);
  let exponent = (a.y >> 20u) + (b.y >> 20u) + (high >> 31u) - 1023u;
  return rounded(moved_up(vec2u(low, high)), exponent);
}

// (a - b)^2 of the bits of two float32, difference and square rounded one after the other. Mostly
// their exponents lie less than 8 apart, so that the difference fits a word, exactly.
fn squared_difference_of(a: u32, b: u32) -> vec2u {
  let magnitudes = vec2u(a, b) & vec2u(0x7fffffffu);
  let large = max(magnitudes.x, magnitudes.y);
  let small = min(magnitudes.x, magnitudes.y);
  let exponent = max(large >> 23u, 1u);
  let apart = exponent - max(small >> 23u, 1u);
  if (apart > 7u) {
    let difference = difference_of(a, b);
    return product_of(difference, difference);
  }
  let first = mantissa_of_single(large);
  let second = mantissa_of_single(small) >> apart;
  let exact = select(first + second, first - second, (a ^ b) < 0x80000000u);
  let empty = min(countLeadingZeros(exact), 31u);
  let t = exact << empty;
  let high = t >> 16u;
  let low = t & 0xffffu;
  let middle = high * low;
  let square = plus64(vec2u(low * low, high * high), vec2u(middle << 17u, middle >> 15u));
  let result = rounded(moved_up(square), 2u * exponent - 2u * empty + 771u + (square.y >> 31u));
  return select(result, vec2u(), exact == 0u);
}
