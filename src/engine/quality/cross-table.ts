import type { CrossTable } from '@shared/cross-table'
import { LabError } from '@shared/errors'
import { adjustedRandIndex } from '@shared/metrics/adjusted-rand'
import { ContingencyCounter, type Contingency } from '@shared/metrics/contingency'
import { normalisedMutualInformation } from '@shared/metrics/mutual-information'
import type { CategoryColumn, Dataset } from '../dataset/dataset'
import type { RunResult } from '../run/types'
import { finished, Slices } from '../slices'

const blockPoints = 1 << 14
/** A larger table is of no use to a person, and too large for a message. */
const maxCells = 1 << 22

/**
 * Clusters of a result by the texts of a column, with both indices of agreement. O(n), in slices.
 * @throws LabError `cross-table.column` where its texts are not kept, `cross-table.large`, `cancelled`
 */
export async function crossTable(
  { labels, points, dataset, record }: Pick<RunResult, 'labels' | 'points' | 'dataset' | 'record'>,
  column: number,
  signal: AbortSignal,
): Promise<CrossTable> {
  const texts = textsOf(dataset, column)
  const { k } = record
  if (k * texts.values.length > maxCells) throw tooLarge(dataset.columns[column].name, k, texts)
  const slices = new Slices(signal)
  const counter = new ContingencyCounter(k, texts.values.length, labels.length)
  const missing = new Float64Array(k)
  for (let point = 0; point < labels.length; point++) {
    const [label, code] = [labels[point], texts.at(points.rows?.[point] ?? point)]
    if (label >= 0 && code >= 0) counter.add(label, code)
    else if (label >= 0) missing[label]++
    if (point % blockPoints === 0) await slices.next()
  }
  const table = await finished(counter.table(), slices)
  return {
    column,
    name: dataset.columns[column].name,
    categories: texts.values,
    clusters: k,
    counts: dense(table),
    missing,
    total: table.total,
    adjustedRand: adjustedRandIndex(table),
    mutualInformation: normalisedMutualInformation(table),
  }
}

/** @throws LabError `cross-table.column` */
export function textsOf({ columns, categories, file }: Dataset, column: number): CategoryColumn {
  const texts = categories?.[column]
  if (texts !== undefined) return texts
  const info = columns.at(column)
  const which = info === undefined ? `number ${column + 1}` : `'${info.name}'`
  throw new LabError(
    'input',
    'cross-table.column',
    `The column ${which} of ${file.name} has no classes to count${info ? ` (${info.because})` : ''}: choose a column of texts that repeat, or give it the type categorical.`,
  )
}

function tooLarge(name: string, k: number, { values }: CategoryColumn): LabError {
  return new LabError(
    'input',
    'cross-table.large',
    `A table of ${k} clusters by the ${values.length} texts of column '${name}' is too large: choose a column of fewer texts, or a smaller k.`,
  )
}

function dense({ rows, columns, starts, columnOf, counts }: Contingency): Float64Array {
  const cells = new Float64Array(rows * columns)
  for (let row = 0; row < rows; row++) {
    for (let cell = starts[row]; cell < starts[row + 1]; cell++)
      cells[row * columns + columnOf[cell]] = counts[cell]
  }
  return cells
}
