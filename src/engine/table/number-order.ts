import type { Slices } from '../slices'

const digitBits = 16
const buckets = 1 << digitBits
/** Rows between two looks at the clock. */
const blockRows = 1 << 16

/**
 * Rows in the order of their values: equal ones keep their order, NaN comes last in either direction, -0 equals 0.
 * A radix sort by 16 bits of the float64 at a time, O(rows); passes in which all rows have the same digit are skipped.
 * @param rows (n) as they are without an order
 * @param valueOf the value of a row
 */
export async function orderByNumber(
  rows: Uint32Array,
  valueOf: (row: number) => number,
  descending: boolean,
  slices: Slices,
): Promise<Uint32Array> {
  const n = rows.length
  const keys = new Float64Array(n)
  await eachBlock(n, slices, (from, to) => {
    for (let i = from; i < to; i++) keys[i] = valueOf(rows[i])
  })
  const words = new Uint32Array(keys.buffer)
  await eachBlock(n, slices, (from, to) => toOrderedWords(words, keys, from, to, descending))
  return sortedByWords(rows, words, slices)
}

/** Float64 bits become two words, low first, whose order as whole numbers is that of the values. */
function toOrderedWords(
  words: Uint32Array,
  keys: Float64Array,
  from: number,
  to: number,
  descending: boolean,
): void {
  for (let i = from; i < to; i++) {
    const key = keys[i]
    if (Number.isNaN(key)) {
      words[2 * i] = words[2 * i + 1] = 0xffffffff
      continue
    }
    if (key === 0) keys[i] = 0
    const low = words[2 * i]
    const high = words[2 * i + 1]
    const isNegative = high >>> 31 === 1
    // Ascending: negative values are turned round, the others lifted above them.
    const turned = isNegative !== descending
    words[2 * i] = turned ? ~low : low
    const magnitude = isNegative ? high & 0x7fffffff : high
    words[2 * i + 1] = orderedHigh(magnitude, isNegative, descending)
  }
}

/** The upper word: of ascending order, below 2^31 for negative values and from there on for the others. */
function orderedHigh(magnitude: number, isNegative: boolean, descending: boolean): number {
  const isLower = isNegative !== descending
  return isLower ? 0x7fffffff - magnitude : 0x80000000 + magnitude
}

async function sortedByWords(rows: Uint32Array, words: Uint32Array, slices: Slices): Promise<Uint32Array> {
  const n = rows.length
  let places: Uint32Array = new Uint32Array(n)
  for (let i = 0; i < n; i++) places[i] = i
  let next: Uint32Array = new Uint32Array(n)
  for (let digit = 0; digit < 64 / digitBits; digit++) {
    const word = digit >> 1
    const shift = (digit & 1) * digitBits
    const starts = await startsOf(words, word, shift, slices)
    if (starts === null) continue
    const [from, to] = [places, next]
    await eachBlock(n, slices, (first, last) => {
      for (let i = first; i < last; i++) {
        const place = from[i]
        to[starts[(words[2 * place + word] >>> shift) & (buckets - 1)]++] = place
      }
    })
    ;[places, next] = [to, from]
  }
  for (let i = 0; i < n; i++) next[i] = rows[places[i]]
  return next
}

/** Where each digit's rows begin; null where all rows have the same one. */
async function startsOf(
  words: Uint32Array,
  word: number,
  shift: number,
  slices: Slices,
): Promise<Uint32Array | null> {
  const n = words.length / 2
  const starts = new Uint32Array(buckets)
  await eachBlock(n, slices, (from, to) => {
    for (let i = from; i < to; i++) starts[(words[2 * i + word] >>> shift) & (buckets - 1)]++
  })
  let sum = 0
  for (let digit = 0; digit < buckets; digit++) {
    const count = starts[digit]
    if (count === n) return null
    starts[digit] = sum
    sum += count
  }
  return starts
}

/** Calls for stretches of rows, and gives way between them. */
export async function eachBlock(
  n: number,
  slices: Slices,
  work: (from: number, to: number) => void,
): Promise<void> {
  for (let from = 0; from < n; from += blockRows) {
    work(from, Math.min(n, from + blockRows))
    await slices.next()
  }
}
