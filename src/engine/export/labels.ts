import { loadCpuAddon } from '@engine/engines/native'
import type { RunResult } from '@engine/run/types'
import type { ByteSink, TextSink } from './atomic-file'
import type { CsvForm } from './csv-text'
import { LabelledLines } from './labelled-lines'
import { visitSource, type SourceRow } from './source-rows'
import { spliceLabels } from './splice-labels'

/** Smaller sources are written before the addon is loaded. */
const smallestSpliced = 1 << 18

/**
 * labels.csv: every record of the source with its cells unchanged, then `cluster` and `distance` (Euclidean, in
 * units of the scaled data, float64 arithmetic, against the final centroids).
 *
 * Cells and names are those of the source, formulas of spreadsheets included: they are never neutralised.
 *
 * Nothing of the source is lost: a row left out by the missing policy has both cells empty; so has a record that
 * was too short, which is filled up with empty cells, and one that was too long. Where there is one such, a last column
 * `surplus` holds its surplus cells as one line of CSV, so that all records have the same number of cells.
 *
 * Large sources go through the CPU engine's addon; the bytes are the same without it.
 */
export async function writeLabels(
  result: RunResult,
  sink: ByteSink,
  signal: AbortSignal,
  onProgress: (rows: number) => void,
  form: CsvForm,
): Promise<void> {
  const { file, receipt } = result.dataset
  // Of a NumPy array the writer is given lines of text, which are as simple as its numbers.
  const isText = receipt.columnar === undefined || receipt.columnar === 'npy'
  const Writer = isText && file.bytes >= smallestSpliced ? loadCpuAddon().addon?.LabelWriter : undefined
  if (Writer === undefined) await writeLabelsCellByCell(result, sink, signal, onProgress, form)
  else await spliceLabels(result, sink, { signal, onProgress, form, Writer })
}

/** As `writeLabels`, without the addon. */
export async function writeLabelsCellByCell(
  result: RunResult,
  sink: TextSink,
  signal: AbortSignal,
  onProgress: (rows: number) => void,
  form: CsvForm,
): Promise<void> {
  const lines = new LabelledLines(result, form)
  let written = 0
  const header = (names: readonly string[]) => sink.write(lines.header(names))
  const batch = async (rows: readonly SourceRow[]) => {
    for (const row of rows) await sink.write(lines.row(row))
    written += rows.length
    onProgress(written)
  }
  await visitSource(result.dataset, result.points, { header, batch }, signal)
}
