import { counts, rowAt } from './counted'
import type { BenchmarkDocument, Measurement } from './document'
import { isLikeWork } from './verdict'
import { t } from '../locale/translate'

/** Sentences where the ratio of two times compares different amounts of work. */
export function workNotes(document: BenchmarkDocument, baseline: string): readonly string[] {
  return [
    ...refusedNotes(document, baseline),
    ...iterationNotes(document, baseline),
    ...seedingNotes(document),
  ]
}

/**
 * A system outside the program is given the start, which those of the program find within their times: where that is
 * more than picking rows, their times are of more work.
 * @param nameOf what a contender is called where the sentence stands
 */
export function seedingNotes(
  { rows, suite }: Pick<BenchmarkDocument, 'rows' | 'suite'>,
  nameOf = (contender: string): string => contender,
): readonly string[] {
  const { init } = suite.config
  if (init !== 'k-means++' && init !== 'k-means||') return []
  const counted = rows.filter(counts)
  const given = [
    ...new Set(counted.filter(({ engine }) => engine === null).map(({ contender }) => contender)),
  ]
  if (given.length === 0 || counted.every(({ engine }) => engine === null)) return []
  return [t('benchmark-tables.beganAtTheStartThatWas', [given.map(nameOf).join(', '), init])]
}

/**
 * A sentence for each contender that made so many more or fewer iterations than the baseline that there is no speed-up.
 * @param nameOf what a contender is called where the sentence stands
 */
export function refusedNotes(
  document: Pick<BenchmarkDocument, 'rows'>,
  baseline: string,
  nameOf = (contender: string): string => contender,
): readonly string[] {
  const cells = new Map<string, string[]>()
  for (const row of document.rows) {
    const base = rowAt(document, row, baseline)
    if (base === undefined || !isOtherWork(row, base)) continue
    cells.set(row.contender, [...(cells.get(row.contender) ?? []), iterationsAt(row, base)])
  }
  return [...cells].map(([contender, found]) =>
    t('benchmark-tables.hasNoSpeedUpWhereIt', [nameOf(contender), nameOf(baseline), found.join('; ')]),
  )
}

/** Whether two times that count are of other numbers of iterations than can be compared. */
export function isOtherWork(row: Measurement, base: Measurement | undefined): boolean {
  return base !== undefined && counts(base) && counts(row) && !isLikeWork(row, base)
}

/** `iris.csv, k = 3: 300 instead of 17`. */
function iterationsAt(row: Measurement, base: Measurement): string {
  return t('benchmark-tables.kInsteadOf', [row.dataset, row.k, row.iterations, base.iterations])
}

/**
 * A sentence where a contender that counts made a few more or fewer iterations than the baseline: the ratio of their
 * times then compares slightly different amounts of work. scikit-learn, for one, ends where no label changes whatever it is told.
 */
function iterationNotes(document: BenchmarkDocument, baseline: string): readonly string[] {
  const cells = new Map<string, string[]>()
  for (const row of document.rows) {
    const base = rowAt(document, row, baseline)
    if (base === undefined || !counts(base) || !counts(row)) continue
    if (base.iterations === row.iterations || !isLikeWork(row, base)) continue
    cells.set(row.contender, [...(cells.get(row.contender) ?? []), iterationsAt(row, base)])
  }
  return [...cells].map(([contender, found]) =>
    t('benchmark-tables.madeAnotherNumberOfIterationsThan', [contender, baseline, found.join('; ')]),
  )
}
