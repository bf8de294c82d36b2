import type { RunResult } from '@engine/run/types'
import { squaredDistance } from '@shared/metrics/distance'
import type { TextSink } from './atomic-file'
import { freeName, type CsvForm } from './csv-text'
import { visitSource, type SourceRow } from './source-rows'

/**
 * labels.csv: every record of the source with its cells unchanged, then `cluster` and `distance` (Euclidean, in
 * units of the scaled data, float64 arithmetic, against the final centroids).
 *
 * Cells and names are those of the source, formulas of spreadsheets included: they are never neutralised.
 *
 * Nothing of the source is lost: a row left out by the missing policy has both cells empty; so has a record that
 * was too short, which is filled up with empty cells, and one that was too long. Where there is one such, a last column
 * `surplus` holds its surplus cells as one line of CSV, so that all records have the same number of cells.
 */
export async function writeLabels(
  result: RunResult,
  sink: TextSink,
  signal: AbortSignal,
  onProgress: (rows: number) => void,
  form: CsvForm,
): Promise<void> {
  const width = result.dataset.columns.length
  const hasSurplus = result.dataset.receipt.tooLong > 0
  let written = 0
  const header = (names: readonly string[]) => {
    const cluster = freeName('cluster', names)
    const distance = freeName('distance', names)
    const surplus = hasSurplus ? [freeName('surplus', names)] : []
    return sink.write(form.line([...names, cluster, distance, ...surplus]))
  }
  const batch = async (rows: readonly SourceRow[]) => {
    for (const row of rows) {
      const own = labelledCells(result, row, width, form)
      await sink.write(form.line(hasSurplus ? [...own, surplusCell(row, width, form)] : own))
    }
    written += rows.length
    onProgress(written)
  }
  await visitSource(result.dataset, result.points, { header, batch }, signal)
}

function labelledCells(
  result: RunResult,
  { cells, point }: SourceRow,
  width: number,
  form: CsvForm,
): string[] {
  const own = cells.slice(0, width)
  while (own.length < width) own.push('')
  return [...own, ...(point < 0 ? ['', ''] : labelOf(result, point, form))]
}

/** Cells beyond the last column as one line of CSV; empty where there is none. */
function surplusCell({ cells }: SourceRow, width: number, form: CsvForm): string {
  const surplus = cells.slice(width)
  return surplus.every((cell) => cell === '') ? '' : form.line(surplus).slice(0, -1)
}

function labelOf({ points, labels, centroids }: RunResult, point: number, form: CsvForm): [string, string] {
  const label = labels[point]
  const squared = squaredDistance(points.x, point, centroids, label, points.d)
  return [String(label), form.number(Math.sqrt(squared) * 2 ** points.exponent)]
}
