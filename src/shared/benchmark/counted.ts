import type { Precision } from '../precision'
import { cellId, workloadId, rowsByCell } from './cells'
import type { BenchmarkDocument, Measurement, PlannedCell } from './document'
import { localizedSentence } from '../locale/localized-sentence'
import { t } from '../locale/translate'

/** Whether a time counts: measured, and its result verified (spec: no agreement, no speed-up). */
export function counts(row: Measurement): boolean {
  return row.state === 'measured' && row.verification?.agrees === true && row.totalsMs.length > 0
}

/** One sentence: why the time of a row does not count; null when it does. */
export function whyNotCounted(row: Measurement): string | null {
  if (counts(row)) return null
  const reason = row.reason ?? row.verification?.reason
  if (reason) return reason
  if (row.verification?.agrees !== true) return t('benchmark-tables.itsResultWasNotVerified')
  return t('benchmark-tables.itHasNoCountedRun')
}

/** The same in the language of the table. */
export function uncountedWords(row: Measurement): string | null {
  const why = whyNotCounted(row)
  return why === null ? null : localizedSentence(why)
}

/** Dataset and k: what a row of the wide tables stands for. */
export type Workload = Pick<PlannedCell, 'dataset' | 'n' | 'd' | 'k'>

/** Every dataset with every k, in the order of the plan. */
export function workloadsOf({ plan, rows }: Pick<BenchmarkDocument, 'plan' | 'rows'>): readonly Workload[] {
  const workloads = new Map<string, Workload>()
  for (const { dataset, n, d, k } of [...plan, ...rows]) {
    const key = workloadId({ dataset, k })
    if (!workloads.has(key)) workloads.set(key, { dataset, n, d, k })
  }
  return [...workloads.values()]
}

/** Keys of the contenders in the order of the plan; those of unknown rows last. */
export function contendersOf({ plan, rows }: BenchmarkDocument): readonly string[] {
  return [...new Set([...plan, ...rows].map(({ contender }) => contender))]
}

/** The row of a cell; undefined when it is not finished. */
export function rowAt(
  { rows }: Pick<BenchmarkDocument, 'rows'>,
  workload: Pick<Workload, 'dataset' | 'k'>,
  contender: string,
): Measurement | undefined {
  const { dataset, k } = workload
  return rowsByCell(rows).get(cellId({ dataset, k, contender }))
}

/** What points and centroids of a row were held in; null where nothing ran. */
export function precisionThatRan({ precision, engine, totalsMs }: Measurement): Precision | null {
  if (precision !== undefined || totalsMs.length === 0) return precision ?? null
  return engine === null ? 'float64' : 'float32'
}
