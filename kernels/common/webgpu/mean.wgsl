// A mean from a fixed-point sum: (sum - members * bias) / members, rounded once to float32, to
// nearest even.

// Of a long division: what is left of the dividend, below the divisor, the bits of it that have yet
// to come, the bits so far.
struct Division { remainder: u32, rest: u32, quotient: u32 }

// `bits` (up to 13) more of the quotient. A float tells their number x within 2^-7 (the divisor and
// the remainder rounded, 2.5 units of the reciprocal, two products: 6 * 2^-23 of less than 2^13); a
// little less is x or one too few. What is then left is below twice the divisor, which is below
// 2^31, so that nothing is lost of it in a word.
fn divide_on(division: Division, divisor: u32, reciprocal: f32, bits: u32) -> Division {
  let estimate = f32(division.remainder) * reciprocal * f32(1u << bits);
  let digit = u32(max(0.0, estimate - 0.0625));
  let left = ((division.remainder << bits) | (division.rest >> (32u - bits))) - digit * divisor;
  let is_short = left >= divisor;
  return Division(
    left - select(0u, divisor, is_short),
    division.rest << bits,
    (division.quotient << bits) | (digit + select(0u, 1u, is_short)),
  );
}

// dividend / divisor as float32 by long division of as many bits as it holds, and one that tells
// halves. Needs 0 < dividend < 2^62, given in two words, and 0 < divisor < 2^31.
fn quotient_of(high: u32, low: u32, divisor: u32) -> f32 {
  // Both are shifted to begin with bit 30: the first bit of the quotient stands for 1 or is the
  // second one's left.
  let zeros = select(countLeadingZeros(high), 32u + countLeadingZeros(low), high == 0u);
  let shift = zeros - 1u;
  let begin = select(low << (shift % 32u), (high << (shift % 32u)) | ((low >> 1u) >> (31u - shift % 32u)), shift < 32u);
  let rest = select(0u, low << (shift % 32u), shift < 32u);
  let divisor_shift = countLeadingZeros(divisor) - 1u;
  let shifted = divisor << divisor_shift;
  let reciprocal = 1.0 / f32(shifted);
  let is_over = begin >= shifted;
  var division = Division(begin - select(0u, shifted, is_over), rest, select(0u, 1u, is_over));
  division = divide_on(division, shifted, reciprocal, 13u);
  division = divide_on(division, shifted, reciprocal, 12u);
  // 25 or 26 bits, of which 24 stay.
  let quotient = division.quotient;
  let spare = select(1u, 2u, quotient >= 0x2000000u);
  var mantissa = quotient >> spare;
  let is_half = ((quotient >> (spare - 1u)) & 1u) != 0u;
  let is_more = (division.remainder | division.rest | (quotient & (spare - 1u))) != 0u;
  if (is_half && (is_more || (mantissa & 1u) == 1u)) {
    mantissa += 1u;
  }
  // Powers of two are built from bits, because WGSL promises no exact exp2.
  let exponent = 7i - i32(shift) + i32(divisor_shift) + i32(spare);
  return f32(mantissa) * bitcast<f32>(u32(exponent + 127i) << 23u);
}

// Of a coordinate: the 64-bit sum of its members, of which there is at least one, each biased by
// 2^30. `unit`: a power of two.
fn mean_of(sum_low: u32, sum_high: u32, members: u32, unit: f32) -> f32 {
  let bias_low = members << 30u;
  var low = sum_low - bias_low;
  var high = sum_high - (members >> 2u) - select(0u, 1u, sum_low < bias_low);
  let negative = (high & 0x80000000u) != 0u;
  if (negative) {
    low = ~low + 1u;
    high = ~high + select(0u, 1u, low == 0u);
  }
  if ((high | low) == 0u) {
    return 0.0;
  }
  let mean = quotient_of(high, low, members) * unit;
  return select(mean, -mean, negative);
}
