/** What must be known before a table of execution times is read: the same sentences in the window, the report and the command line. */
import type { BenchmarkDocument } from './document'
import { plural } from '../quantity-words'
import { statisticsOf } from './statistics'
import type { Suite } from './suite'
import { t } from '../locale/translate'

const minRepeats = 3
const noisyShare = 0.2
const maxNamedCases = 4

/** Sentences that stand above the table: of what the published figures are, and whether the times can be trusted. */
export function tableNotes({ suite, rows }: Pick<BenchmarkDocument, 'suite' | 'rows'>): readonly string[] {
  return [...publishedNotes(suite), ...stillNotes({ rows }), ...noisyNotes({ rows })]
}

/** What was found wrong with the data, each sentence after the name of its dataset. */
export function dataNotes({ dataWarnings = [] }: Pick<BenchmarkDocument, 'dataWarnings'>): readonly string[] {
  return dataWarnings.flatMap(({ dataset, warnings }) => warnings.map((warning) => `${dataset}: ${warning}`))
}

/** The warning among the notes. */
export const noisy = (): string => t('benchmark-tables.timesVaryByMoreThanA')

/** To what the figures of a study refer. */
export function publishedNotes(suite: Pick<Suite, 'publication' | 'scale'>): readonly string[] {
  const times = suite.publication?.times ?? []
  return [...scaleNotes(suite), ...(times.some(({ speedup }) => speedup !== null) ? [ownBaseline()] : [])]
}

/** To which size they refer, where that is not the one here. */
export function scaleNotes({ publication, scale }: Pick<Suite, 'publication' | 'scale'>): readonly string[] {
  const times = publication?.times ?? []
  const what = times.length > 0 ? 'times' : (publication?.ratios ?? []).length > 0 ? 'ratios' : null
  if (scale === 1 || what === null) return []
  return [t('benchmark-tables.publishedAreForTheFullSize', [what, scale])]
}

/** Below a table in which a published number is missing. */
export const notPrinted = (): string => t('benchmark-tables.theStudyPrintsNoSuchNumber')

const ownBaseline = (): string => t('benchmark-tables.publishedSpeedUpsReferToThe')

/**
 * Cases in which most of a fixed number of iterations repeat one another: what notices that and saves them is
 * faster there than it would be on data that go on moving.
 */
export function stillNotes({ rows }: Pick<BenchmarkDocument, 'rows'>): readonly string[] {
  const cases = new Map<string, string>()
  for (const { dataset, k, stillFrom, iterations } of rows) {
    if (stillFrom === undefined || stillFrom >= iterations) continue
    cases.set(`${dataset}, k = ${k}`, `${stillFrom} of ${iterations}`)
  }
  const names = [...cases].map(([name, iteration]) => `${name}: ${iteration}`)
  if (names.length === 0) return []
  const some = names.slice(0, maxNamedCases).join('; ')
  const more =
    names.length > maxNamedCases
      ? t('benchmark-tables.more', [plural(names.length - maxNamedCases, 'case')])
      : ''
  return [t('benchmark-tables.noCentroidMovesAnyMoreFrom', [some, more])]
}

/** In a third of the rows at least, the standard deviation is above a fifth of the mean. */
export function noisyNotes({ rows }: Pick<BenchmarkDocument, 'rows'>): readonly string[] {
  const measured = rows
    .filter(({ state, totalsMs }) => state === 'measured' && totalsMs.length >= minRepeats)
    .map(({ totalsMs }) => statisticsOf(totalsMs))
  const restless = measured.filter(({ deviation, mean }) => (deviation ?? 0) > noisyShare * (mean ?? 0))
  return restless.length > 0 && 3 * restless.length >= measured.length ? [noisy()] : []
}
