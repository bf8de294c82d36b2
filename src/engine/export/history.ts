import { historyColumns, historyValues } from '@engine/history/history-lines'
import type { RunResult } from '@engine/run/types'
import type { TextSink } from './atomic-file'
import type { CsvForm } from './csv-text'
import { notRecorded } from './not-recorded'

/** history.csv: one line an iteration, of every restart in order. */
export async function writeHistory(
  result: RunResult,
  sink: TextSink,
  _signal: AbortSignal,
  _onProgress: (rows: number) => void,
  form: CsvForm,
): Promise<void> {
  const { history } = result.record
  if (history.length === 0) throw notRecorded('history')
  await sink.write(form.line(historyColumns))
  for (const row of history) await sink.write(form.line(historyValues(row).map(form.number)))
}
