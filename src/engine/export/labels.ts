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
 * was too short, which is filled up with empty cells, and one that was too long, whose surplus cells follow
 * after `distance`, so that every label stands in its column.
 */
export async function writeLabels(
  result: RunResult,
  sink: TextSink,
  signal: AbortSignal,
  onProgress: (rows: number) => void,
  form: CsvForm,
): Promise<void> {
  const width = result.dataset.columns.length
  let written = 0
  const header = (names: readonly string[]) => {
    const cluster = freeName('cluster', names)
    const distance = freeName('distance', names)
    return sink.write(form.line([...names, cluster, distance]))
  }
  const batch = async (rows: readonly SourceRow[]) => {
    for (const row of rows) await sink.write(labelledLine(result, row, width, form))
    written += rows.length
    onProgress(written)
  }
  await visitSource(result.dataset, result.points, { header, batch }, signal)
}

function labelledLine(result: RunResult, { cells, point }: SourceRow, width: number, form: CsvForm): string {
  const own = cells.slice(0, width)
  while (own.length < width) own.push('')
  const surplus = cells.slice(width)
  const label = point < 0 ? ['', ''] : labelOf(result, point, form)
  return form.line([...own, ...label, ...(surplus.every((cell) => cell === '') ? [] : surplus)])
}

function labelOf({ points, labels, centroids }: RunResult, point: number, form: CsvForm): [string, string] {
  const label = labels[point]
  const squared = squaredDistance(points.x, point, centroids, label, points.d)
  return [String(label), form.number(Math.sqrt(squared) * 2 ** points.exponent)]
}
