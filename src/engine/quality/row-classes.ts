import { LabError } from '@shared/errors'
import { columnNamed } from '../dataset/features'
import type { Dataset } from '../dataset/dataset'
import type { Slices } from '../slices'

const blockRows = 1 << 14

/** The class of every row of a dataset. */
export interface RowClasses {
  /** As the column has them, texts in the order of the file and numbers ascending. */
  readonly names: readonly string[]
  /** (rows) index into `names`; -1 where the cell is missing. */
  readonly codes: Int32Array
}

/**
 * Classes that a column names: texts that repeat, or numbers such as those of `cluster` in labels.csv. O(rows).
 * @throws LabError `features.unknown`, `judge.column` where the column names no classes, `cancelled`
 */
export async function rowClasses(dataset: Dataset, name: string, slices: Slices): Promise<RowClasses> {
  const { index, because } = columnNamed(dataset, name)
  const texts = dataset.categories?.[index]
  if (texts !== undefined) {
    const codes = await filled(dataset.rows, (row) => texts.at(row), slices)
    return { names: texts.values, codes }
  }
  const numbers = dataset.numeric[index]
  if (numbers === undefined) throw noClasses(dataset, name, because)
  return numbered(dataset.rows, (row) => numbers.at(row), slices)
}

async function numbered(rows: number, at: (row: number) => number, slices: Slices): Promise<RowClasses> {
  const seen = new Set<number>()
  const codes = await filled(rows, (row) => (Number.isNaN(at(row)) ? -1 : (seen.add(at(row)), 0)), slices)
  const values = [...seen].sort((a, b) => a - b)
  const codeOf = new Map(values.map((value, code) => [value, code]))
  for (let row = 0; row < rows; row++) if (codes[row] >= 0) codes[row] = codeOf.get(at(row)) ?? -1
  return { names: values.map(String), codes }
}

async function filled(rows: number, codeOf: (row: number) => number, slices: Slices): Promise<Int32Array> {
  const codes = new Int32Array(rows)
  for (let row = 0; row < rows; row++) {
    codes[row] = codeOf(row)
    if (row % blockRows === 0) await slices.next()
  }
  return codes
}

function noClasses({ file }: Dataset, name: string, because: string): LabError {
  return new LabError(
    'input',
    'judge.column',
    `The column '${name}' of ${file.name} names no classes (${because}): choose a column of texts that repeat, or of whole numbers.`,
  )
}
