/** Numbers of rows as text: `2-51,60`, ascending, each once. */

/** Longest text of a condition on row numbers. */
export const maxRangesLength = 1 << 24

/** Larger numbers no file has. */
const maxNumber = 9_999_999_999

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

/** Reads such a text; ranges may stand in any order and overlap, blanks behind commas. Null where it is none. */
export function parseRowRanges(text: string): RowRanges | null {
  if (text.length > maxRangesLength) return null
  const pairs: number[] = []
  for (let at = 0; at <= text.length;) {
    while (text.charCodeAt(at) === blank) at++
    const from = numberAt(text, at)
    at = from.end
    const to = text.charCodeAt(at) === dash ? numberAt(text, at + 1) : from
    at = to.end
    const isEnd = at === text.length || text.charCodeAt(at) === comma
    if (!isEnd || !(from.value <= to.value)) return null
    pairs.push(from.value, to.value)
    at++
  }
  return joined(pairs)
}

const [blank, dash, comma, zero] = [32, 45, 44, 48]

/** NaN where no number stands. */
function numberAt(text: string, from: number): { readonly value: number; readonly end: number } {
  let value = 0
  let end = from
  for (; end < text.length; end++) {
    const digit = text.charCodeAt(end) - zero
    if (digit < 0 || digit > 9) break
    value = 10 * value + digit
  }
  return { value: end > from && value <= maxNumber ? value : NaN, end }
}

/** @param pairs first and last of each range, one after the other, in any order */
function joined(pairs: readonly number[]): RowRanges {
  const order = inOrder(pairs)
  const first = new Float64Array(order.length)
  const last = new Float64Array(order.length)
  let count = 0
  for (const at of order) {
    const [from, to] = [pairs[at], pairs[at + 1]]
    if (count > 0 && from <= last[count - 1] + 1) last[count - 1] = Math.max(last[count - 1], to)
    else {
      first[count] = from
      last[count++] = to
    }
  }
  return { first: first.slice(0, count), last: last.slice(0, count) }
}

/** Where ranges stand, by their first numbers: as they are read, most are in order already. */
function inOrder(pairs: readonly number[]): Uint32Array {
  const order = Uint32Array.from({ length: pairs.length / 2 }, (_, i) => 2 * i)
  for (let at = 2; at < pairs.length; at += 2)
    if (pairs[at] < pairs[at - 2]) return order.sort((a, b) => pairs[a] - pairs[b])
  return order
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
  const pairs: number[] = []
  for (const { first, last } of [a, b])
    for (let i = 0; i < first.length; i++) pairs.push(first[i], last[i])
  return joined(pairs)
}

/** Numbers in both. */
export function rangesIntersection(a: RowRanges, b: RowRanges): RowRanges {
  const pairs: number[] = []
  for (let i = 0, j = 0; i < a.first.length && j < b.first.length;) {
    const from = Math.max(a.first[i], b.first[j])
    const to = Math.min(a.last[i], b.last[j])
    if (from <= to) pairs.push(from, to)
    if (a.last[i] < b.last[j]) i++
    else j++
  }
  return joined(pairs)
}
