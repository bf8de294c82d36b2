import type { Slices } from '../slices'

/** Numbers within texts count as numbers; case and accents decide only where nothing else does. The same on every machine. */
const collator = new Intl.Collator('en', { numeric: true })

/** Sorted at once, before runs are merged. */
const runLength = 1 << 13

export function compareTexts(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0)
}

/** Rank of each text among the others, from 0; the same texts have the same rank. */
export function ranksOf(texts: readonly string[]): Uint32Array {
  const order = texts.map((_, i) => i).sort((a, b) => compareTexts(texts[a], texts[b]))
  const ranks = new Uint32Array(texts.length)
  let rank = 0
  order.forEach((at, i) => {
    if (i > 0 && texts[at] !== texts[order[i - 1]]) rank++
    ranks[at] = rank
  })
  return ranks
}

/**
 * Indices of texts in their order: equal ones keep theirs, null comes last in either direction. A merge sort in slices,
 * O(n log n) comparisons.
 */
export async function orderByText(
  texts: readonly (string | null)[],
  descending: boolean,
  slices: Slices,
): Promise<Uint32Array> {
  const compare = (a: number, b: number): number => {
    const [left, right] = [texts[a], texts[b]]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    const order = compareTexts(left, right)
    return descending ? -order : order
  }
  let from = Uint32Array.from(texts, (_, i) => i)
  for (let start = 0; start < from.length; start += runLength) {
    from.subarray(start, start + runLength).sort((a, b) => compare(a, b) || a - b)
    await slices.next()
  }
  let to = new Uint32Array(from.length)
  for (let width = runLength; width < from.length; width *= 2) {
    await mergeRuns(from, to, width, compare, slices)
    ;[from, to] = [to, from]
  }
  return from
}

async function mergeRuns(
  from: Uint32Array,
  to: Uint32Array,
  width: number,
  compare: (a: number, b: number) => number,
  slices: Slices,
): Promise<void> {
  const n = from.length
  for (let start = 0; start < n; start += 2 * width) {
    const middle = Math.min(n, start + width)
    const end = Math.min(n, start + 2 * width)
    for (let at = start, a = start, b = middle; at < end; at++) {
      const isLeft = a < middle && (b >= end || compare(from[a], from[b]) <= 0)
      to[at] = isLeft ? from[a++] : from[b++]
      if ((at & (runLength - 1)) === 0) await slices.next()
    }
  }
}
