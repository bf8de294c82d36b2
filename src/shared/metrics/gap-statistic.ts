import type { GapStatistic } from '../scan'

/**
 * Gap statistic of one k (Tibshirani, Walther and Hastie 2001): how much lower the logarithm of the inertia is than that of
 * data without clusters. Null where an inertia is 0, whose logarithm nobody can compare.
 * @param references inertias of the reference data, clustered alike
 */
export function gapStatistic(inertia: number, references: readonly number[]): GapStatistic | null {
  if (references.length === 0 || !(Math.min(inertia, ...references) > 0)) return null
  const logs = references.map(Math.log)
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length
  const variance = logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / logs.length
  const standardError = Math.sqrt(variance * (1 + 1 / logs.length))
  return { gap: mean - Math.log(inertia), standardError }
}

/** A k with its gap statistic. */
export interface GapOfK {
  readonly k: number
  readonly gap: GapStatistic | null
}

/**
 * Tibshirani's rule: the smallest k whose gap is at least that of k + 1 less its standard error. Null where no k of the
 * range meets it; a k is judged only where k + 1 is known.
 * @param rows ascending in k
 */
export function gapRule(rows: readonly GapOfK[]): number | null {
  const found = rows.find(({ k, gap }, i) => {
    const next = rows.at(i + 1)
    if (gap === null || next?.k !== k + 1 || next.gap === null) return false
    return gap.gap >= next.gap.gap - next.gap.standardError
  })
  return found?.k ?? null
}
