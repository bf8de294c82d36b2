import { maxOneHotValues, type ColumnInfo } from '@shared/dataset'
import { LabError } from '@shared/errors'
import type { Dataset } from './dataset'

/** Column names beyond this number are not listed in an error. */
const maxListed = 12

/**
 * The columns of numbers a run uses, in the order asked for; null takes the proposed ones.
 * @param oneHot columns of texts that become features besides, and may be named among the others
 * @throws LabError `features.unknown`, `features.not-numeric`, `features.twice`, `features.none`
 */
export function resolveFeatures(
  dataset: Dataset,
  names: readonly string[] | null,
  oneHot: readonly string[] = [],
): ColumnInfo[] {
  const features =
    names === null
      ? dataset.columns.filter(({ proposed }) => proposed)
      : names.filter((name) => !oneHot.includes(name)).map((name) => named(dataset, name))
  const twice = names?.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) {
    throw new LabError('input', 'features.twice', `The feature '${twice}' is named twice: name it once.`)
  }
  if (features.length > 0 || oneHot.length > 0) return features
  throw new LabError(
    'input',
    'features.none',
    `${whyNone(dataset)}No numeric column of ${dataset.file.name} is chosen: choose at least one of ${listed(numericNames(dataset))}.`,
  )
}

/** Numbers that nobody proposed: each of them the same, or counting the rows. */
function whyNone({ columns, numeric }: Dataset): string {
  const numbers = columns.filter(({ index }) => numeric[index] !== undefined)
  return numbers.every(({ type }) => type === 'constant') ? 'Every numeric column is constant. ' : ''
}

/** @throws LabError `features.unknown` with the columns there are */
export function columnNamed(dataset: Dataset, name: string): ColumnInfo {
  const column = dataset.columns.find((candidate) => candidate.name === name)
  if (column !== undefined) return column
  const there = listed(dataset.columns.map((candidate) => candidate.name))
  throw new LabError(
    'input',
    'features.unknown',
    `${dataset.file.name} has no column '${name}': choose among ${there}.`,
  )
}

function named(dataset: Dataset, name: string): ColumnInfo {
  const column = columnNamed(dataset, name)
  if (dataset.numeric[column.index] !== undefined) return column
  throw new LabError(
    'input',
    'features.not-numeric',
    `The column '${name}' of ${dataset.file.name} holds no numbers: choose among ${listed(numericNames(dataset))}${orOneHot(column)}.`,
  )
}

function orOneHot({ categories = Infinity }: ColumnInfo): string {
  return categories > maxOneHotValues ? '' : ', or make one-hot features of it (--one-hot)'
}

function numericNames(dataset: Dataset): string[] {
  return dataset.columns.filter(({ index }) => dataset.numeric[index] !== undefined).map(({ name }) => name)
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, maxListed).map((name) => `'${name}'`)
  const rest = names.length - shown.length
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ')
}
