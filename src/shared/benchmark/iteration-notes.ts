import { counts, rowAt } from './counted'
import type { BenchmarkDocument } from './document'

/**
 * A sentence where a contender that counts made another number of iterations than the baseline: the ratio of their
 * times then compares different amounts of work. scikit-learn, for one, ends where no label changes whatever it is told.
 */
export function iterationNotes(document: BenchmarkDocument, baseline: string): readonly string[] {
  const places = new Map<string, string[]>()
  for (const row of document.rows) {
    const base = rowAt(document, row, baseline)
    if (base === undefined || !counts(base) || !counts(row) || base.iterations === row.iterations) continue
    const place = `${row.dataset}, k = ${row.k}: ${row.iterations} instead of ${base.iterations}`
    places.set(row.contender, [...(places.get(row.contender) ?? []), place])
  }
  return [...places].map(
    ([contender, found]) =>
      `${contender} made another number of iterations than ${baseline} (${found.join('; ')}).`,
  )
}
