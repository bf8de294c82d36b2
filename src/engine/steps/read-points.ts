import { detectDecimal } from '@engine/csv/header'
import { inspect } from '@engine/csv/inspect'
import { openDataset } from '@engine/csv/open-dataset'
import type { Dataset, NumericColumn } from '@engine/dataset/dataset'
import { fileRow } from '@engine/dataset/file-row'
import type { ColumnType, ImportOverrides } from '@shared/dataset'
import { stepsError } from './step-errors'
import { pointColumns } from './step-columns'

/** The points of one step. */
export interface StepPoints {
  readonly features: readonly string[]
  /** By feature, in the order of `features`; NaN where the cell is empty. */
  readonly columns: readonly NumericColumn[]
  /** Smallest and largest value by feature, units of the file. */
  readonly ranges: readonly { readonly min: number; readonly max: number }[]
  /** Cluster number of each point. */
  readonly labels: Int32Array
}

/**
 * @param form what is known of the file; without a header, or without a column named for it, the cluster stands last,
 * or else first
 * @throws LabError `steps.not-numeric`, `steps.cluster`, and those of reading a file */
export async function readPoints(
  path: string,
  form: ImportOverrides,
  signal: AbortSignal,
): Promise<StepPoints> {
  const { names, sample } = await inspect(path, form)
  const numeric = Object.fromEntries(names.map((_, index): [number, ColumnType] => [index, 'numeric']))
  // Cells of the source are kept, quoted where they hold a comma: within a cell it is a decimal mark.
  const decimal = detectDecimal(sample, ' ').value
  const overrides: ImportOverrides = { ...form, decimal, columnTypes: numeric }
  const dataset = await openDataset(path, overrides, () => undefined, signal)
  const own = dataset.columns.map(({ name }) => name)
  const { cluster, features } = pointColumns(own, sample)
  if (features.length === 0) {
    throw stepsError(
      'features',
      `The file ${path} has a single column, but points need their features and their cluster: export the steps again.`,
    )
  }
  return {
    features: features.map((index) => own[index]),
    columns: features.map((index) => numbersOf(dataset, index)),
    // A column with a number in it has both.
    ranges: features.map((index) => {
      const { min, max } = dataset.columns[index]
      return { min: min ?? 0, max: max ?? 0 }
    }),
    labels: labelsOf(dataset, cluster),
  }
}

function numbersOf(dataset: Dataset, index: number): NumericColumn {
  const column = dataset.numeric[index]
  if (column !== undefined && dataset.columns[index].missing < dataset.rows) return column
  throw stepsError(
    'not-numeric',
    `The column '${dataset.columns[index].name}' of ${dataset.file.path} holds no numbers: step files have features and a cluster column only.`,
  )
}

function labelsOf(dataset: Dataset, index: number): Int32Array {
  const column = numbersOf(dataset, index)
  const labels = new Int32Array(column.length)
  for (let row = 0; row < labels.length; row++) {
    const value = column.at(row)
    labels[row] = value
    if (labels[row] === value && value >= 0) continue
    throw stepsError(
      'cluster',
      `Row ${fileRow(dataset, row)}, column '${dataset.columns[index].name}' of ${dataset.file.path} is no cluster number: it must be 0, 1, 2, and so on.`,
    )
  }
  return labels
}
