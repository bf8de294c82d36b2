// Which of two centroids is the nearer to a point, in exact arithmetic over their bits: the sum of
// |c|^2 - 2 x.c, by which squared distances differ, as one integer of 640 bits. A float32 is
// m * 2^(e - 150) with m below 2^24 and e from 1 to 254, so that a product has a position from
// 2 to 508 when its unit is 2^-300, and takes 48 bits from there on; the sum of 2^30 of them and
// its sign still fit.

const exact_words = 20u;
alias Exact = array<u32, exact_words>;

// Bits of a float32 apart.
struct Digits { mantissa: u32, position: u32, is_negative: bool }

fn digits_of_float(bits: u32) -> Digits {
  let exponent = (bits >> 23u) & 0xffu;
  let mantissa = (bits & 0x7fffffu) | select(0u, 0x800000u, exponent != 0u);
  return Digits(mantissa, max(exponent, 1u), bits >= 0x80000000u);
}

// Of two numbers below 2^24, low word in x.
fn exact_product(a: u32, b: u32) -> vec2u {
  let low = (a & 0xfffu) * (b & 0xfffu);
  let middle = (a & 0xfffu) * (b >> 12u) + (a >> 12u) * (b & 0xfffu);
  let high = (a >> 12u) * (b >> 12u);
  let first = low + (middle << 12u);
  let second = first + (high << 24u);
  let carries = select(0u, 1u, first < low) + select(0u, 1u, second < first);
  return vec2u(second, (high >> 8u) + (middle >> 20u) + carries);
}

// Adds a product, or takes it away, at its position; what goes over goes on to the words above.
fn add_product(sum: ptr<function, Exact>, product: vec2u, position: u32, is_taken: bool) {
  let by = position % 32u;
  let over = vec2u((product.x >> 1u) >> (31u - by), (product.y >> 1u) >> (31u - by));
  let words = vec3u(product.x << by, (product.y << by) | over.x, over.y);
  var carry = 0u;
  for (var i = 0u; position / 32u + i < exact_words && (i < 3u || carry != 0u); i++) {
    let at = position / 32u + i;
    let before = (*sum)[at];
    let word = select(select(select(0u, words.z, i == 2u), words.y, i == 1u), words.x, i == 0u);
    if (is_taken) {
      let less = before - word;
      (*sum)[at] = less - carry;
      carry = select(0u, 1u, before < word) + select(0u, 1u, less < carry);
    } else {
      let more = before + word;
      (*sum)[at] = more + carry;
      carry = select(0u, 1u, more < word) + select(0u, 1u, more + carry < carry);
    }
  }
}

// Adds c^2 - 2 x.c of one feature, or takes it away.
fn add_difference(sum: ptr<function, Exact>, point: u32, centroid: u32, is_taken: bool) {
  let x = digits_of_float(point);
  let c = digits_of_float(centroid);
  if (c.mantissa != 0u) {
    add_product(sum, exact_product(c.mantissa, c.mantissa), 2u * c.position, is_taken);
    if (x.mantissa != 0u) {
      // Twice as much: one position further on.
      let lessens = x.is_negative == c.is_negative;
      add_product(sum, exact_product(x.mantissa, c.mantissa), x.position + c.position + 1u, lessens != is_taken);
    }
  }
}
