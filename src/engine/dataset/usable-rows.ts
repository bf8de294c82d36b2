import { assertNever } from '@shared/assert-never'
import type { MissingPolicy } from '@shared/dataset'
import { LabError } from '@shared/errors'
import type { Slices } from '../slices'
import { centreOf } from './centre'
import type { Dataset, NumericColumn } from './dataset'
import { FeatureColumn } from './feature-column'
import { fileRow } from './file-row'
import { quantiles } from './order-statistics'
import type { Preparation } from './prepared'

const blockRows = 1 << 16

/** The rows that become points, and what stands in for their missing cells. */
export interface UsableRows {
  readonly columns: readonly FeatureColumn[]
  /** Dataset row of each point; null when every row is a point. */
  readonly rows: Uint32Array | null
  /** Dataset rows that are no points, ascending. */
  readonly leftOut: Uint32Array
  readonly filledCells: number
  /** (d) units of the file; null when the policy fills none. */
  readonly fill: Float64Array | null
}

/**
 * Applies the policy for missing cells.
 * @throws LabError `prepare.missing` under `refuse`, naming row and column; `prepare.no-rows`
 */
export async function usableRows(
  dataset: Dataset,
  { features, missing }: Pick<Preparation, 'features' | 'missing'>,
  slices: Slices,
): Promise<UsableRows> {
  const held = features.map((index) => numericColumn(dataset, index))
  if (missing === 'mean' || missing === 'median') return await filled(held, missing, slices)
  const gappy = held.filter((_, j) => dataset.columns[features[j]].missing > 0)
  const { marks, count } = await incompleteRows(gappy, dataset.rows, slices)
  if (missing === 'refuse' && count > 0) throw refusal(dataset, features, held, marks.indexOf(1))
  if (count === dataset.rows) throw noUsableRow(dataset)
  const rows = count === 0 ? null : positions(marks, 0, dataset.rows - count)
  const columns: FeatureColumn[] = []
  for (const column of held) {
    columns.push(new FeatureColumn(column, await centreOf(column, rows, slices), rows, NaN))
  }
  return { columns, rows, leftOut: positions(marks, 1, count), filledCells: 0, fill: null }
}

function numericColumn(dataset: Dataset, index: number): NumericColumn {
  const column = dataset.numeric[index]
  if (column !== undefined) return column
  throw new LabError(
    'input',
    'features.not-numeric',
    `Column ${index + 1} of ${dataset.file.name} holds no numbers: choose a numeric column.`,
  )
}

/** How many rows miss a cell in at least one of the features: as many as the policy `drop` leaves out. */
export async function countIncompleteRows(
  dataset: Dataset,
  features: readonly number[],
  slices: Slices,
): Promise<number> {
  const held = features.map((index) => numericColumn(dataset, index))
  return (await incompleteRows(held, dataset.rows, slices)).count
}

/** Marks the rows that miss a cell with 1. */
async function incompleteRows(
  columns: readonly NumericColumn[],
  rows: number,
  slices: Slices,
): Promise<{ readonly marks: Uint8Array; readonly count: number }> {
  const marks = new Uint8Array(rows)
  let count = 0
  for (const column of columns) {
    for (let start = 0; start < rows; start += blockRows) {
      const end = Math.min(rows, start + blockRows)
      for (let row = start; row < end; row++) {
        if (!Number.isNaN(column.at(row)) || marks[row] === 1) continue
        marks[row] = 1
        count++
      }
      await slices.next()
    }
  }
  return { marks, count }
}

function positions(marks: Uint8Array, wanted: 0 | 1, count: number): Uint32Array {
  const found = new Uint32Array(count)
  let at = 0
  for (let row = 0; row < marks.length; row++) if (marks[row] === wanted) found[at++] = row
  return found
}

async function filled(
  held: readonly NumericColumn[],
  policy: Extract<MissingPolicy, 'mean' | 'median'>,
  slices: Slices,
): Promise<UsableRows> {
  const columns: FeatureColumn[] = []
  const fill = new Float64Array(held.length)
  let filledCells = 0
  for (const [j, column] of held.entries()) {
    const centre = await centreOf(column, null, slices)
    const { value, missing } = await standIn(new FeatureColumn(column, centre, null, NaN), policy, slices)
    columns.push(new FeatureColumn(column, centre, null, value))
    fill[j] = columns[j].toFile(value)
    filledCells += missing
  }
  return { columns, rows: null, leftOut: new Uint32Array(), filledCells, fill }
}

/** What fills the gaps of a column, in column units. */
async function standIn(
  values: FeatureColumn,
  policy: Extract<MissingPolicy, 'mean' | 'median'>,
  slices: Slices,
): Promise<{ readonly value: number; readonly missing: number }> {
  const { mean, missing } = await meanOf(values, slices)
  switch (policy) {
    case 'mean':
      return { value: mean, missing }
    case 'median': {
      const [median] = await quantiles(values, [0.5], slices)
      return { value: median, missing }
    }
    default:
      return assertNever(policy, 'policy for missing values')
  }
}

async function meanOf(
  values: FeatureColumn,
  slices: Slices,
): Promise<{ readonly mean: number; readonly missing: number }> {
  let sum = 0
  let missing = 0
  for (let start = 0; start < values.length; start += blockRows) {
    const end = Math.min(values.length, start + blockRows)
    for (let row = start; row < end; row++) {
      const value = values.at(row)
      if (Number.isNaN(value)) missing++
      else sum += value
    }
    await slices.next()
  }
  return { mean: sum / (values.length - missing), missing }
}

function refusal(
  dataset: Dataset,
  features: readonly number[],
  held: readonly NumericColumn[],
  row: number,
): LabError {
  const j = held.findIndex((column) => Number.isNaN(column.at(row)))
  const { name } = dataset.columns[features[j]]
  return new LabError(
    'input',
    'prepare.missing',
    `Row ${fileRow(dataset, row)}, column '${name}' of ${dataset.file.name} has no number: fill the cell, or leave such rows out (--missing drop), or fill them by mean or median (--missing mean, --missing median).`,
  )
}

function noUsableRow({ file }: Dataset): LabError {
  return new LabError(
    'input',
    'prepare.no-rows',
    `Every row of ${file.name} has a missing value in a chosen feature: choose other features, or fill missing cells by mean or median (--missing mean, --missing median).`,
  )
}
