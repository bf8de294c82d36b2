// Which of two centroids is the nearer to a point, in exact arithmetic over their bits: the sum of
// |c|^2 - 2 x.c, by which squared distances differ, as one integer of 640 bits. A float32 is
// m * 2^(e - 150) with m below 2^24 and e from 1 to 254, so that a product has a position from
// 2 to 509 when its unit is 2^-300, and takes 48 bits from there on; the sum of 2^30 of them and
// its sign still fit. Follows task.wgsl; a file with `columns`, of each sum its columns, follows.

// A column holds 16 bits, and until carries are taken on what lanes add to it in any order.
const exact_columns = 40u;
const column_bits = 16u;

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

// Adds a product, or takes it away, at its position.
fn add_product(sum: u32, product: vec2u, position: u32, is_taken: bool) {
  let by = position % column_bits;
  // Of 48 bits 63 at most.
  let low = product.x << by;
  let high = (product.y << by) | ((product.x >> 1u) >> (31u - by));
  let at = sum * exact_columns + position / column_bits;
  add_piece(at, low & 0xffffu, is_taken);
  add_piece(at + 1u, low >> column_bits, is_taken);
  add_piece(at + 2u, high & 0xffffu, is_taken);
  add_piece(at + 3u, high >> column_bits, is_taken);
}

fn add_piece(at: u32, piece: u32, is_taken: bool) {
  if (piece != 0u) {
    atomicAdd(&columns[at], select(i32(piece), -i32(piece), is_taken));
  }
}

// Adds c^2 - 2 x.c of one feature, or takes it away.
fn add_difference(sum: u32, point: u32, centroid: u32, is_taken: bool) {
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

// Takes carries on and answers the sign of a sum: below 0, 0 or above.
fn carried_sign(sum: u32) -> i32 {
  var carry = 0i;
  var any_bit = 0i;
  for (var i = 0u; i + 1u < exact_columns; i++) {
    let value = atomicLoad(&columns[sum * exact_columns + i]) + carry;
    atomicStore(&columns[sum * exact_columns + i], value & 0xffffi);
    any_bit |= value & 0xffffi;
    carry = value >> column_bits;
  }
  let last = atomicLoad(&columns[sum * exact_columns + exact_columns - 1u]) + carry;
  atomicStore(&columns[sum * exact_columns + exact_columns - 1u], last);
  return select(last, 1i, last == 0i && any_bit != 0i);
}
