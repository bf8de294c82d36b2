/** Sorted by this many bits at a time. */
const digitBits = 16
const digits = 1 << digitBits
const blockValues = 1 << 16

/**
 * Indices of values in descending order of the values, equal ones in order of the index: least significant digit
 * first radix sort (Knuth, The Art of Computer Programming 3, 5.2.5). O(values); gives way (yields) all the time.
 */
export function* descendingOrder(values: Uint32Array): Generator<undefined, Uint32Array> {
  let order = new Uint32Array(values.length)
  for (let i = 0; i < order.length; i++) order[i] = i
  yield
  const low = (value: number) => digits - 1 - (value & (digits - 1))
  const high = (value: number) => digits - 1 - (value >>> digitBits)
  order = yield* sortedBy(order, values, low)
  if (values.some((value) => value >= digits)) order = yield* sortedBy(order, values, high)
  return order
}

/** A counting sort: stable. */
function* sortedBy(
  order: Uint32Array,
  values: Uint32Array,
  digit: (value: number) => number,
): Generator<undefined, Uint32Array<ArrayBuffer>> {
  const next = new Uint32Array(digits + 1)
  for (let i = 0; i < values.length; i++) {
    next[digit(values[i]) + 1]++
    if (i % blockValues === 0) yield
  }
  for (let i = 1; i <= digits; i++) next[i] += next[i - 1]
  const sorted = new Uint32Array(order.length)
  for (let i = 0; i < order.length; i++) {
    sorted[next[digit(values[order[i]])]++] = order[i]
    if (i % blockValues === 0) yield
  }
  return sorted
}
