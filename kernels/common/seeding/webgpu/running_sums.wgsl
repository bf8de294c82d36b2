// Sums of up to 1024 float64 in order, each rounded, by a workgroup at once. While the exponent of the sum stays, adding a
// value to it adds an integer to its mantissa: the value in units of the last bit, rounded; only a tie asks for more, for it
// is rounded to what makes the mantissa even. So a value is a pair of integers, what it adds to an even mantissa and what
// to an odd one; pairs can be joined in any grouping, and a scan joins all. Where the exponent rises, one addition is
// carried out as such, and the scan begins again behind it: some ten times in a sum from 0, seldom in one that is under way.

// Values, then the sums up to each.
var<workgroup> tile: array<vec2u, block_points>;
// What the values of each thread and of those before it add: to an even mantissa, to an odd one. Two, written by turns.
var<workgroup> joined: array<vec4u, 2u * scanners>;
// The sum before the values that are added next.
var<workgroup> walked: vec2u;
var<workgroup> rise: atomic<u32>;
var<workgroup> end_of_scan: u32;

// Threads of a workgroup that adds in order.
const scanners = 128u;
const values_each = block_points / scanners;
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
  var turn = 0u;
  joined[lane] = mine;
  for (var reach = 1u; reach < scanners; reach *= 2u) {
    workgroupBarrier();
    if (lane >= reach) {
      mine = join(joined[turn + lane - reach], mine);
    }
    turn = scanners - turn;
    joined[turn + lane] = mine;
  }
  workgroupBarrier();
  if (lane == 0u) {
    return vec4u();
  }
  return joined[turn + lane - 1u];
}

// Adds the values of the tile from `begin` on to `walked`, up to the first that makes the exponent rise, that one included.
fn add_until_rise(lane: u32, begin: u32, count: u32) {
  let before = workgroupUniformLoad(&walked);
  let exponent = exponent_of_sum(before);
  let first = lane * values_each;
  var addends: array<vec4u, values_each>;
  var all = vec4u();
  for (var at = 0u; at < values_each; at++) {
    addends[at] = addend_at(first + at, begin, count, exponent);
    all = join(all, addends[at]);
  }
  var mantissas: array<vec2u, values_each + 1u>;
  mantissas[0] = added_to(mantissa_of_sum(before), scan(lane, all));
  for (var at = 0u; at < values_each; at++) {
    mantissas[at + 1u] = added_to(mantissas[at], addends[at]);
    if (mantissas[at + 1u].y >= too_much.y) {
      atomicMin(&rise, first + at);
    }
  }
  workgroupBarrier();
  if (lane == 0u) {
    end_of_scan = min(atomicLoad(&rise), count - 1u);
  }
  let end = workgroupUniformLoad(&end_of_scan);
  for (var at = 0u; at < values_each; at++) {
    let place = first + at;
    if (place < begin || place > end) {
      continue;
    }
    if (mantissas[at + 1u].y >= too_much.y) {
      tile[place] = sum_of(sum_from(mantissas[at], exponent), tile[place]);
    } else {
      tile[place] = sum_from(mantissas[at + 1u], exponent);
    }
    if (place == end) {
      walked = tile[place];
    }
  }
}

// The first values one by one: from 0 the exponent rises at every other.
const values_alone = 16u;

// Turns the first `count` values of the tile into sums, from `walked` on, which is the last of them in the end. Needs a
// barrier before.
fn add_in_order(lane: u32, count: u32) {
  let alone = select(0u, min(count, values_alone), is_zero(workgroupUniformLoad(&walked)));
  if (lane == 0u) {
    for (var at = 0u; at < alone; at++) {
      walked = sum_of(walked, tile[at]);
      tile[at] = walked;
    }
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
