// A mean as the contract has it, to the last bit: the whole-number sum to float64, its quotient by
// the members to float64, that to float32, each time to nearest even. In integers, as WGSL has no
// float64; the result is the bits of a float32, which may be a denormal that a driver would flush.

// Of a long division: what is left of the dividend, below the divisor, the bits of it that have yet
// to come, the bits so far.
struct Division { remainder: u32, rest: vec2u, quotient: vec2u }

// A number of two words, low word in x, that begins with the highest bit, and what the highest bit
// stands for, as a power of two.
struct Leading { bits: vec2u, exponent: i32 }

// By less than 32.
fn moved_left(a: vec2u, by: u32) -> vec2u {
  return vec2u(a.x << by, (a.y << by) | ((a.x >> 1u) >> (31u - by)));
}

// `bits` (up to 13) more of the quotient. A float tells their number x within 2^-7 (the divisor and
// the remainder rounded, 2.5 units of the reciprocal, two products: 6 * 2^-23 of less than 2^13); a
// little less is x or one too few. What is then left is below twice the divisor, which is below
// 2^31, so that nothing is lost of it in a word.
fn divide_on(division: Division, divisor: u32, reciprocal: f32, bits: u32) -> Division {
  let estimate = f32(division.remainder) * reciprocal * f32(1u << bits);
  let digit = u32(max(0.0, estimate - 0.0625));
  let left = ((division.remainder << bits) | (division.rest.y >> (32u - bits))) - digit * divisor;
  let is_short = left >= divisor;
  let quotient = moved_left(division.quotient, bits);
  return Division(
    left - select(0u, divisor, is_short),
    moved_left(division.rest, bits),
    vec2u(quotient.x | (digit + select(0u, 1u, is_short)), quotient.y),
  );
}

// The first 53 bits, to nearest even; `is_more`: something follows the last bit.
fn to_float64(a: Leading, is_more: bool) -> Leading {
  let tail = a.bits.x & 0x7ffu;
  let is_up = tail > 0x400u || (tail == 0x400u && (is_more || (a.bits.x & 0x800u) != 0u));
  let low = (a.bits.x & ~0x7ffu) + select(0u, 0x800u, is_up);
  let high = a.bits.y + select(0u, 1u, is_up && low == 0u);
  // All bits were ones: the next power of two.
  let is_next = is_up && low == 0u && high == 0u;
  return Leading(vec2u(low, select(high, 0x80000000u, is_next)), a.exponent + select(0i, 1i, is_next));
}

// Bits of a positive number of at most 53 bits as float32, to nearest even.
fn to_float32(a: Leading) -> u32 {
  // Below 2^-126 fewer bits stay; 25 fewer leave none.
  let lost = u32(clamp(-126i - a.exponent, 0i, 25i));
  let drop = 8u + lost;
  let kept = select(a.bits.y >> (drop % 32u), 0u, drop >= 32u);
  let last = (a.bits.y >> ((drop - 1u) % 32u)) & 1u;
  let below = (a.bits.y & ((1u << ((drop - 1u) % 32u)) - 1u)) | a.bits.x;
  let is_half = last != 0u && drop <= 32u;
  let is_up = is_half && (below != 0u || (kept & 1u) == 1u);
  let exponent = select(u32(a.exponent + 126i) << 23u, 0u, lost > 0u);
  return exponent + kept + select(0u, 1u, is_up);
}

// The highest bit of what is not 0.
fn leading(a: vec2u, exponent_of_top: i32) -> Leading {
  let zeros = select(countLeadingZeros(a.y), 32u + countLeadingZeros(a.x), a.y == 0u);
  let part = zeros % 32u;
  let moved = select(moved_left(a, part), vec2u(0u, a.x << part), zeros >= 32u);
  return Leading(moved, exponent_of_top - i32(zeros));
}

// Of a positive sum below 2^63.
fn quotient_of(sum: vec2u, divisor: u32, exponent_of_unit: i32) -> u32 {
  let dividend = to_float64(leading(sum, 63i), false);
  // Both begin with bit 30: the first bit of the quotient stands for 1 or is the second one's left.
  let divisor_shift = countLeadingZeros(divisor) - 1u;
  let shifted = divisor << divisor_shift;
  let reciprocal = 1.0 / f32(shifted);
  let begin = dividend.bits.y >> 1u;
  let rest = vec2u(dividend.bits.x << 31u, (dividend.bits.y << 31u) | (dividend.bits.x >> 1u));
  let is_over = begin >= shifted;
  var division = Division(begin - select(0u, shifted, is_over), rest, vec2u(select(0u, 1u, is_over), 0u));
  for (var i = 0u; i < 4u; i++) {
    division = divide_on(division, shifted, reciprocal, 13u);
  }
  division = divide_on(division, shifted, reciprocal, 11u);
  let exponent = dividend.exponent - 30i + i32(divisor_shift);
  let quotient = leading(division.quotient, exponent);
  let is_more = (division.remainder | division.rest.x | division.rest.y) != 0u;
  let rounded = to_float64(quotient, is_more);
  return to_float32(Leading(rounded.bits, rounded.exponent + exponent_of_unit));
}

fn power_of(value: f32) -> i32 {
  return i32((bitcast<u32>(value) >> 23u) & 0xffu) - 127i;
}

// A sum as task.wgsl has it: of `members` biased fixed-point numbers, low and high word, and the
// rests.
struct Summed { low: u32, high: u32, rest: u32, members: u32 }

// Bits of the mean of at least one member. `unit`: that of fixed point, `steps`: rests in it; powers
// of two.
fn mean_of(sum: Summed, unit: f32, steps: f32) -> u32 {
  let bias_low = sum.members << 30u;
  let unbiased = vec2u(sum.low - bias_low, sum.high - (sum.members >> 2u) - select(0u, 1u, sum.low < bias_low));
  let finer = u32(power_of(steps));
  // By up to 32, in two steps.
  let in_rests = moved_left(moved_left(unbiased, finer / 2u), finer - finer / 2u);
  let rest_high = bitcast<u32>(bitcast<i32>(sum.rest) >> 31u);
  let low = in_rests.x + sum.rest;
  let total = vec2u(low, in_rests.y + rest_high + select(0u, 1u, low < in_rests.x));
  let is_negative = (total.y & 0x80000000u) != 0u;
  let opposite = vec2u(~total.x + 1u, ~total.y + select(0u, 1u, total.x == 0u));
  let magnitude = select(total, opposite, is_negative);
  if ((magnitude.x | magnitude.y) == 0u) {
    return 0u;
  }
  let bits = quotient_of(magnitude, sum.members, power_of(unit) - i32(finer));
  return select(bits, bits | 0x80000000u, is_negative);
}
