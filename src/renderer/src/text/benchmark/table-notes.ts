/** What must be known before a table of execution times is read. */
import type { BenchmarkDocument, PlannedCell } from '@shared/benchmark/document'
import { statisticsOf } from '@shared/benchmark/statistics'
import type { Suite } from '@shared/benchmark/suite'
import { formatCount } from '../numbers'

/** A scaled suite says its scale in the names of its data. */
const scaled = / x (\d[\d.e-]*)(?:, at least .*)?$/u
const fewestRepeats = 3
const noisyShare = 0.2

/** Share of the points of the study's data that is taken; 1 without published figures. */
export function publishedScale({ publication }: Pick<Suite, 'publication'>): number {
  const [first] = publication?.times ?? []
  const [, scale] = scaled.exec(first?.dataset ?? '') ?? []
  return scale === undefined ? 1 : Number(scale)
}

/** Sentences that stand above the table: of what the published figures are, and whether the times can be trusted. */
export function tableNotes({ suite, rows }: Pick<BenchmarkDocument, 'suite' | 'rows'>): readonly string[] {
  return [...publishedNotes(suite), ...(isNoisy(rows) ? [noisy] : [])]
}

/** The warning among the notes. */
export const noisy =
  'Times vary by more than a fifth between repeats: another program may have used this machine.'

function publishedNotes(suite: Suite): readonly string[] {
  const times = suite.publication?.times ?? []
  const scale = publishedScale(suite)
  return [
    ...(scale === 1 ? [] : [`Published times are for the full size; here ${scale} times the points.`]),
    ...(times.some(({ speedup }) => speedup !== null) ? [ownBaseline] : []),
  ]
}

const ownBaseline =
  'Published speed-ups refer to the study’s own baseline, whatever the speed-ups measured here refer to.'

/** In a third of the rows at least, the standard deviation is above a fifth of the mean. */
function isNoisy(rows: BenchmarkDocument['rows']): boolean {
  const told = rows
    .filter(({ state, totalsMs }) => state === 'measured' && totalsMs.length >= fewestRepeats)
    .map(({ totalsMs }) => statisticsOf(totalsMs))
  const restless = told.filter(({ deviation, mean }) => (deviation ?? 0) > noisyShare * (mean ?? 0))
  return restless.length > 0 && 3 * restless.length >= told.length
}

/** `N = 205, d = 2, k = 256`; what cannot be read has no size. */
export function placeWords({ n, d, k }: Pick<PlannedCell, 'n' | 'd' | 'k'>): string {
  const size = n === 0 ? 'size unknown' : `N = ${formatCount(n)}, d = ${formatCount(d)}`
  return `${size}, k = ${formatCount(k)}`
}
