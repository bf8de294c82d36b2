/** Numbers of rows as text: `2-51,60`, ascending, each once. */

/** Longest text of a condition on row numbers. */
export const maxRangesLength = 1 << 24

/** What `rowRanges` writes; blanks after commas are allowed. */
const form = /^\d{1,10}(-\d{1,10})?(, *\d{1,10}(-\d{1,10})?)*$/

/** The text for ascending numbers. */
export function rowRanges(numbers: ArrayLike<number>): string {
  const ranges: string[] = []
  for (let i = 0; i < numbers.length;) {
    let end = i
    while (end + 1 < numbers.length && numbers[end + 1] === numbers[end] + 1) end++
    ranges.push(end === i ? String(numbers[i]) : `${numbers[i]}-${numbers[end]}`)
    i = end + 1
  }
  return ranges.join(',')
}

/** First and last numbers of ranges, (count) each, ascending and apart. */
export interface RowRanges {
  readonly first: Float64Array
  readonly last: Float64Array
}

/** Reads such a text; ranges may stand in any order and overlap. Null where it is none. */
export function parseRowRanges(text: string): RowRanges | null {
  if (text.length > maxRangesLength || !isRanges(text)) return null
  const pairs = text.split(',').map((range): readonly [number, number] => {
    const [first, last = first] = range.split('-').map(Number)
    return [first, last]
  })
  if (pairs.some(([first, last]) => last < first)) return null
  return joined(pairs.sort(([a], [b]) => a - b))
}

/** A pattern over the whole of a long text could exhaust the stack: it is looked at in pieces. */
function isRanges(text: string): boolean {
  const pieceLength = 1 << 12
  for (let at = 0; at < text.length;) {
    const comma = text.indexOf(',', at + pieceLength)
    const end = comma < 0 ? text.length : comma
    if (!form.test(text.slice(at, end).trimStart())) return false
    at = end + 1
    if (comma === text.length - 1) return false
  }
  return text.length > 0
}

function joined(pairs: readonly (readonly [number, number])[]): RowRanges {
  const first: number[] = []
  const last: number[] = []
  for (const [from, to] of pairs) {
    const before = last.at(-1)
    if (before !== undefined && from <= before + 1) last[last.length - 1] = Math.max(before, to)
    else {
      first.push(from)
      last.push(to)
    }
  }
  return { first: Float64Array.from(first), last: Float64Array.from(last) }
}

/** How many numbers are in the ranges. */
export function countInRanges({ first, last }: RowRanges): number {
  return first.reduce((sum, from, i) => sum + last[i] - from + 1, 0)
}

export function textOfRanges({ first, last }: RowRanges): string {
  return Array.from(first, (from, i) => (from === last[i] ? String(from) : `${from}-${last[i]}`)).join(',')
}

/** Numbers in either. */
export function rangesUnion(a: RowRanges, b: RowRanges): RowRanges {
  const pairs = [a, b].flatMap(({ first, last }) =>
    Array.from(first, (from, i): readonly [number, number] => [from, last[i]]),
  )
  return joined(pairs.sort(([x], [y]) => x - y))
}

/** Numbers in both. */
export function rangesIntersection(a: RowRanges, b: RowRanges): RowRanges {
  const pairs: (readonly [number, number])[] = []
  for (let i = 0, j = 0; i < a.first.length && j < b.first.length;) {
    const from = Math.max(a.first[i], b.first[j])
    const to = Math.min(a.last[i], b.last[j])
    if (from <= to) pairs.push([from, to])
    if (a.last[i] < b.last[j]) i++
    else j++
  }
  return joined(pairs)
}
