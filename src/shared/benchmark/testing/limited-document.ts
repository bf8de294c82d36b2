import type { BenchmarkDocument, Measurement } from '../document'
import { comparisonDocument } from './document'

/** Iterations that the scaled contender made of the 20 asked for. */
export const made = 5

/**
 * `comparisonDocument` with a limit of 10 min a cell: on the first dataset with the first k `cpu/sequential` is scaled
 * from one run of 5 iterations, and `cpu/fused` has 2 of 5 repeats; on iris.csv with k = 6 numpy is not run.
 */
export function limitedDocument(): BenchmarkDocument {
  const document = comparisonDocument()
  const rows = document.rows.map(limited)
  return { ...document, suite: { ...document.suite, maxCellSeconds: 600 }, rows, plan: rows }
}

function limited(row: Measurement): Measurement {
  const { dataset, k, contender } = row
  if (dataset === 'iris.csv' && k === 6 && contender === 'outside/numpy') {
    const reason =
      'Not run: 14 h predicted on 16 threads; one run of 3 iterations alone would take 25 min, and the limit of a cell is 10 min.'
    return { ...row, state: 'skipped', reason, skipped: reason }
  }
  if (dataset !== 'uniform 100k' || k !== 5) return row
  if (contender === 'cpu/fused') {
    const shortened = { iterations: row.iterations, warmup: 0, repeats: 2 }
    return { ...row, shortened, totalsMs: row.totalsMs.slice(0, 2) }
  }
  return contender === 'cpu/sequential' ? scaled(row) : row
}

function scaled(row: Measurement): Measurement {
  const { verification } = row
  return {
    ...row,
    shortened: { iterations: made, warmup: 0, repeats: 1 },
    totalsMs: [120],
    inertia: null,
    scaledFrom: { iterations: made, totalsMs: [33], phases: row.phases && { ...row.phases, totalMs: 33 } },
    verification: verification && { ...verification, labelAgreement: null, centroidDifference: null },
  }
}
