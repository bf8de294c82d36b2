import { loadCpuAddon } from '@engine/engines/native'
import type { Dataset } from '@engine/dataset/dataset'
import type { ByteSink, TextSink } from './atomic-file'
import type { CsvForm } from './csv-text'
import { writeLabelColumns } from './label-columns'
import type { LabelledData } from './labelled-data'
import { LabelledLines } from './labelled-lines'
import { visitSource, type SourceRow } from './source-rows'
import { spliceLabels } from './splice-labels'

/** Smaller sources are written before the addon is loaded: bytes of a text, cells of a file that has columns of its own. */
const smallestSpliced = 1 << 18
const minCells = 1 << 15

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
 * Where clusters were named, a column `cluster_name` follows.
 *
 * Large sources go through the CPU engine's addon; the bytes are the same without it.
 */
export async function writeLabels(
  result: LabelledData,
  sink: ByteSink,
  signal: AbortSignal,
  onProgress: (rows: number) => void,
  form: CsvForm,
): Promise<void> {
  const { dataset } = result
  const isLarge = isColumnar(dataset)
    ? dataset.rows * dataset.columns.length >= minCells
    : dataset.file.bytes >= smallestSpliced
  const addon = isLarge ? loadCpuAddon().addon : null
  const options = { signal, onProgress, form }
  const { LabelWriter, LabelColumnWriter } = addon ?? {}
  if (isColumnar(dataset) && LabelColumnWriter !== undefined) {
    await writeLabelColumns(result, sink, { ...options, Writer: LabelColumnWriter })
  } else if (!isColumnar(dataset) && LabelWriter !== undefined) {
    await spliceLabels(result, sink, { ...options, Writer: LabelWriter })
  } else await writeLabelsCellByCell(result, sink, signal, onProgress, form)
}

function isColumnar({ form }: Dataset): boolean {
  return form.columnar !== undefined
}

/** As `writeLabels`, without the addon. */
export async function writeLabelsCellByCell(
  result: LabelledData,
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
