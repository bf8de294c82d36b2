import type { ScanRecord } from '@shared/scan'
import type { TextChoice } from '@shared/text-choice'
import { writeAtomically } from './atomic-file'
import { csvForm, type CsvForm } from './csv-text'
import { refuseSource } from './refuse-source'

export const scanColumns = [
  'k',
  'restart',
  'inertia',
  'silhouette',
  'calinski_harabasz',
  'davies_bouldin',
  'gap',
  'gap_se',
  'iterations',
  'seconds',
] as const

/** The lines of scan.csv: one a restart; silhouette and gap stand in the row of each k's best alone. */
export function* scanLines({ rows }: Pick<ScanRecord, 'rows'>, form: CsvForm): Generator<string> {
  yield form.line(scanColumns)
  for (const { restarts, best, silhouette, gap } of rows) {
    for (const row of restarts) {
      const ofBest = row.restart === best
      const values = [
        row.k,
        row.restart,
        row.inertia,
        ofBest ? (silhouette?.mean ?? null) : null,
        row.calinskiHarabasz,
        row.daviesBouldin,
        ofBest ? (gap?.gap ?? null) : null,
        ofBest ? (gap?.standardError ?? null) : null,
        row.iterations,
        row.seconds,
      ]
      yield form.line(values.map(form.number))
    }
  }
}

/** Writes scan.csv, whole or not at all. @throws LabError `export.*`, `cancelled` */
export async function writeScan(
  record: ScanRecord,
  path: string,
  options: TextChoice & { readonly replace: boolean; readonly signal: AbortSignal },
): Promise<{ path: string; bytes: number }> {
  await refuseSource(record.file.path, path)
  return writeAtomically(path, options, async (sink) => {
    for (const line of scanLines(record, csvForm(options))) await sink.write(line)
  })
}
