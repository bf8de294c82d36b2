import { maxOneHotValues, type ColumnInfo } from '@shared/dataset'
import { LabError } from '@shared/errors'
import type { RecordedFeature } from '@shared/run-record'
import { columnNames } from '../csv/names'
import type { CategoryColumn, CodeBlocks, Dataset, NumericColumn } from './dataset'
import { columnNamed } from './features'

/** A feature that is 1 where a column has a certain text, 0 where it has another, missing where it has none. */
export interface Indicator {
  /** Index of the column. */
  readonly column: number
  readonly value: string
}

/** A feature as a run has it: a column of numbers, or one text of a column of texts. */
export interface RunFeature extends ColumnInfo {
  /** The text that it indicates; absent for a column of numbers. */
  readonly category?: string
}

/** What a record keeps of a feature. */
export function recordedFeature({ index, name, category, date }: RunFeature): RecordedFeature {
  return {
    index,
    name,
    ...(category !== undefined && { category }),
    ...(date !== undefined && category === undefined && { dateUnit: date.unit }),
  }
}

/** Two rows of different texts differ by this in two features, and so are 1 apart. */
export const indicatorStep = Math.SQRT1_2

/**
 * The features that columns of texts become, one a text, in the order in which the texts come in the file.
 * @param numeric features that stand before them, whose names are taken
 * @throws LabError `features.unknown`, `features.twice`, `one-hot.column`, `one-hot.many`
 */
export function oneHotFeatures(
  dataset: Dataset,
  names: readonly string[],
  numeric: readonly ColumnInfo[],
): readonly RunFeature[] {
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) {
    throw new LabError('input', 'features.twice', `The column '${twice}' is named twice: name it once.`)
  }
  const plain = names.flatMap((name) => featuresOf(dataset, columnNamed(dataset, name)))
  const wanted = [...numeric, ...plain].map(({ name }) => name)
  const unique = columnNames(wanted, wanted.length).slice(numeric.length)
  return plain.map((feature, i) => ({ ...feature, name: unique[i] }))
}

function featuresOf(dataset: Dataset, info: ColumnInfo): RunFeature[] {
  const { values } = textsOf(dataset, info)
  if (values.length > maxOneHotValues) {
    throw new LabError(
      'input',
      'one-hot.many',
      `The column '${info.name}' of ${dataset.file.name} has ${values.length} different texts, and at most ${maxOneHotValues} can become features: choose another column.`,
    )
  }
  return values.map((value) => ({ ...info, name: `${info.name}=${value}`, min: 0, max: 1, category: value }))
}

function textsOf(
  { numeric, categories, file }: Dataset,
  { index, name, because }: ColumnInfo,
): CategoryColumn {
  const texts = categories?.[index]
  if (texts !== undefined) return texts
  const [why, remedy] =
    numeric[index] === undefined
      ? [`whose texts are not kept (${because})`, 'choose another column']
      : ['which holds numbers', `choose it as a feature, or give it the type categorical (--column-type)`]
  const message = `No one-hot features can be made of column '${name}' of ${file.name}, ${why}: ${remedy}.`
  throw new LabError('input', 'one-hot.column', message)
}

/** The cells of an indicator as numbers. @throws LabError where its column has no texts */
export function indicatorColumn(dataset: Dataset, { column, value }: Indicator): NumericColumn {
  const texts = textsOf(dataset, dataset.columns[column])
  return new IndicatorColumn(texts, texts.values.indexOf(value))
}

/** 1 where a column of texts has the one at an index, 0 where it has another, NaN where it has none. */
export class IndicatorColumn implements NumericColumn {
  /** The texts are held once for all. */
  readonly byteLength = 0

  constructor(
    private readonly texts: CategoryColumn,
    private readonly code: number,
  ) {}

  get length(): number {
    return this.texts.length
  }

  at(row: number): number {
    return this.#valueOf(this.texts.at(row))
  }

  codeBlocks(): CodeBlocks {
    return this.texts.codeBlocks((code) => this.#valueOf(code))
  }

  #valueOf(code: number): number {
    if (code < 0) return NaN
    return code === this.code ? 1 : 0
  }
}
