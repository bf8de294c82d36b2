// Sums of up to 1024 float64 in order, each rounded, by a workgroup at once. While the exponent of
// the sum stays, adding a value to it adds an integer to its mantissa: the value in units of the
// last bit, rounded; only a tie asks for more, for it is rounded to what makes the mantissa even.
// So a value is a pair of integers, what it adds to an even mantissa and what to an odd one; pairs
// can be joined in any grouping, and a scan joins all. Where the exponent rises, one addition is
// carried out as such, and the scan begins again behind it: some ten times in a sum from 0, seldom
// in one that is under way.

// Values, then the sums up to each.
var<workgroup> tile: array<vec2u, block_points>;
// What the values of each thread and of those before it add: to an even mantissa, to an odd one.
var<workgroup> joined: array<vec4u, threads>;
// The sum before the values that are added next.
var<workgroup> walked: vec2u;
var<workgroup> rise: atomic<u32>;
var<workgroup> end_of_scan: u32;

const values_each = block_points / threads;
// 2^53: more than a mantissa holds.
const too_much = vec2u(0u, 0x200000u);

// A value, for a sum of this exponent.
fn addend(value: vec2u, exponent: u32) -> vec4u {
  let own = value.y >> 20u;
  if (own > exponent) {
    return vec4u(too_much, too_much);
  }
  let by = exponent - own;
  // Below a quarter of the last bit, or 0.
  if (by > 54u || own == 0u) {
    return vec4u();
  }
  let m = mantissa_of(value);
  let whole = right64(m, by);
  let rest = minus64(m, left64(whole, by));
  // Twice, as half of the last bit is no integer where the value is in its units.
  let twice = left64(rest, 1u);
  let unit = left64(vec2u(1u, 0u), by);
  let is_tie = all(twice == unit);
  let up = select(0u, 1u, exceeds(twice, unit));
  let odd = whole.x & 1u;
  let even_up = select(up, odd, is_tie);
  let odd_up = select(up, 1u - odd, is_tie);
  return vec4u(plus64(whole, vec2u(even_up, 0u)), plus64(whole, vec2u(odd_up, 0u)));
}

fn added_to(mantissa: vec2u, pair: vec4u) -> vec2u {
  return plus64(mantissa, select(pair.xy, pair.zw, (mantissa.x & 1u) != 0u));
}

fn join(first: vec4u, second: vec4u) -> vec4u {
  let one = vec2u(1u, 0u);
  let even = added_to(first.xy, second);
  let odd = minus64(added_to(plus64(first.zw, one), second), one);
  return vec4u(even, odd);
}

// The mantissa of a sum, the exponent that its addends are made for.
fn exponent_of_sum(sum: vec2u) -> u32 {
  return max(sum.y >> 20u, 1u);
}

fn mantissa_of_sum(sum: vec2u) -> vec2u {
  return select(mantissa_of(sum), vec2u(), is_zero(sum));
}

fn sum_from(mantissa: vec2u, exponent: u32) -> vec2u {
  return select(vec2u(mantissa.x, mantissa.y + ((exponent - 1u) << 20u)), vec2u(), is_zero(mantissa));
}

// Of the values from `begin` on; none of those before.
fn addend_at(at: u32, begin: u32, count: u32, exponent: u32) -> vec4u {
  if (at < begin || at >= count) {
    return vec4u();
  }
  return addend(tile[at], exponent);
}

// What all threads before this one add.
fn scan(lane: u32, own: vec4u) -> vec4u {
  var mine = own;
  joined[lane] = mine;
  for (var reach = 1u; reach < threads; reach *= 2u) {
    workgroupBarrier();
    var before = vec4u();
    if (lane >= reach) {
      before = joined[lane - reach];
    }
    workgroupBarrier();
    mine = join(before, mine);
    joined[lane] = mine;
  }
  workgroupBarrier();
  if (lane == 0u) {
    return vec4u();
  }
  return joined[lane - 1u];
}

fn rises(mantissa: vec2u) -> bool {
  return mantissa.y >= too_much.y;
}

// Adds the values of the tile from `begin` on to `walked`, up to the first that makes the exponent
// rise, that one included. A thread has four of them, by name: arrays might lie in slow memory.
fn add_until_rise(lane: u32, begin: u32, count: u32) {
  let before = workgroupUniformLoad(&walked);
  let exponent = exponent_of_sum(before);
  let first = lane * values_each;
  let a = addend_at(first, begin, count, exponent);
  let b = addend_at(first + 1u, begin, count, exponent);
  let c = addend_at(first + 2u, begin, count, exponent);
  let d = addend_at(first + 3u, begin, count, exponent);
  let start = added_to(mantissa_of_sum(before), scan(lane, join(join(a, b), join(c, d))));
  let with_a = added_to(start, a);
  let with_b = added_to(with_a, b);
  let with_c = added_to(with_b, c);
  let with_d = added_to(with_c, d);
  let below = select(1u, 0u, rises(with_a)) + select(1u, 0u, rises(with_b)) + select(1u, 0u, rises(with_c));
  if (rises(with_d)) {
    atomicMin(&rise, first + below);
  }
  workgroupBarrier();
  if (lane == 0u) {
    end_of_scan = min(atomicLoad(&rise), count - 1u);
  }
  let end = workgroupUniformLoad(&end_of_scan);
  put(first, begin, end, with_a, exponent);
  put(first + 1u, begin, end, with_b, exponent);
  put(first + 2u, begin, end, with_c, exponent);
  put(first + 3u, begin, end, with_d, exponent);
  let own = end - first;
  if (end < first || own >= values_each) {
    return;
  }
  if (rises(with_d) && own == below) {
    let last = select(select(select(with_c, with_b, own == 2u), with_a, own == 1u), start, own == 0u);
    tile[end] = sum_of(sum_from(last, exponent), tile[end]);
  }
  walked = tile[end];
}

// A sum in the place of its value; not the one where the exponent rises.
fn put(at: u32, begin: u32, end: u32, mantissa: vec2u, exponent: u32) {
  if (at >= begin && at <= end && !rises(mantissa)) {
    tile[at] = sum_from(mantissa, exponent);
  }
}

// The first values one by one: from 0 the exponent rises at every other.
const values_alone = 16u;

// Turns the first `count` values of the tile into sums, from `walked` on, which is the last of them
// in the end. Needs a barrier before.
fn add_in_order(lane: u32, count: u32) {
  let before = workgroupUniformLoad(&walked);
  let alone = select(0u, min(count, values_alone), is_zero(before));
  if (lane == 0u) {
    var sum = before;
    for (var at = 0u; at < alone; at++) {
      sum = sum_of(sum, tile[at]);
      tile[at] = sum;
    }
    walked = sum;
  }
  var begin = alone;
  while (begin < count) {
    if (lane == 0u) {
      atomicStore(&rise, block_points);
    }
    workgroupBarrier();
    add_until_rise(lane, begin, count);
    begin = workgroupUniformLoad(&end_of_scan) + 1u;
  }
  workgroupBarrier();
}
