import { gatheredNumbers, summed, type Talking } from '../processes/collective'

/** Numbers that are compared with all others, as of a column that one process reads (ColumnBuilder). */
const maxWatched = 1 << 16

/**
 * Whether one of the first numbers of a column is there twice, whichever processes hold them; NaN is none.
 * @param own values of this process, among which no number is there twice
 */
export async function repeatsAmongAll(own: Iterable<number>, processes: Talking): Promise<boolean> {
  const firsts: number[] = []
  for (const value of own) {
    if (firsts.length === maxWatched) break
    if (!Number.isNaN(value)) firsts.push(value + 0)
  }
  const all = await gatheredNumbers(processes, Float64Array.from(firsts))
  const watched = all.flatMap((values) => [...values]).slice(0, maxWatched)
  const seen = new Set(watched)
  if (seen.size < watched.length) return true
  // Those of this process that are among them are met once.
  const before = all.slice(0, processes.rank).reduce((sum, { length }) => sum + length, 0)
  let left = Math.min(firsts.length, Math.max(0, maxWatched - before))
  let repeated = 0
  for (const value of own) {
    if (Number.isNaN(value)) continue
    if (left > 0) left--
    else if (seen.has(value + 0)) repeated++
  }
  return (await summed(processes, [repeated]))[0] > 0
}
