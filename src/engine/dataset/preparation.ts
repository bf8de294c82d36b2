import type { ColumnInfo } from '@shared/dataset'
import { LabError } from '@shared/errors'
import { precisionOf } from '@shared/precision'
import type { PreparationChoice } from '@shared/run-config'
import type { Dataset } from './dataset'
import { resolveFeatures } from './features'
import { oneHotFeatures, type RunFeature } from './one-hot'
import type { Preparation } from './prepared'

/** A choice by names, as a dataset has it. */
export interface ResolvedChoice {
  readonly features: readonly RunFeature[]
  readonly preparation: Preparation
}

/**
 * What a configuration means for a dataset: columns by index.
 * @throws LabError `features.*`, `one-hot.*`, `scaling.column` for a scaling of a column that is no feature,
 *   `scaling.unit-length` for what has no place beside it
 */
export function preparationOf(dataset: Dataset, choice: PreparationChoice): ResolvedChoice {
  const { missing, scaling, filter, oneHot = [] } = choice
  const numeric = resolveFeatures(dataset, choice.features, oneHot)
  const scalings = ownScalings(dataset, numeric, choice)
  if (scaling === 'unit-length' && oneHot.length > 0) throw oneHotOfRows(oneHot[0])
  const made = oneHotFeatures(dataset, oneHot, numeric)
  const indicators = made.map(({ index, category = '' }) => ({ column: index, value: category }))
  const preparation = {
    features: numeric.map(({ index }) => index),
    missing,
    scaling,
    ...(scalings && { columnScalings: scalings }),
    ...(filter && { filter }),
    ...(indicators.length > 0 && { indicators }),
    precision: precisionOf(choice),
  }
  return { features: [...numeric, ...made], preparation }
}

function oneHotOfRows(column: string): LabError {
  return new LabError(
    'input',
    'scaling.unit-length',
    `The scaling unit-length divides whole rows by their length, which means nothing for the one-hot features of column '${column}': choose another scaling, or leave the column out.`,
  )
}

/** By feature; undefined where none has its own. */
function ownScalings(
  { file }: Dataset,
  features: readonly ColumnInfo[],
  { scaling, columnScalings = [] }: PreparationChoice,
): Preparation['columnScalings'] {
  const [first] = columnScalings
  if (first === undefined) return undefined
  if (scaling === 'unit-length') {
    throw new LabError(
      'input',
      'scaling.unit-length',
      `The scaling unit-length is of whole rows, so that column '${first.column}' can have none of its own beside it: choose another scaling for all, or none for the column.`,
    )
  }
  const stray = columnScalings.find(({ column }) => features.every(({ name }) => name !== column))
  if (stray !== undefined) {
    throw new LabError(
      'input',
      'scaling.column',
      `The column '${stray.column}' of ${file.name} is given a scaling but is no feature: choose it as a feature, or leave its scaling out.`,
    )
  }
  return features.map(({ name }) => columnScalings.find(({ column }) => column === name)?.scaling ?? null)
}
