import * as v from 'valibot'
import { columnScalings, missingPolicies, scalings } from '@shared/dataset'
import { precisions } from '@shared/precision'
import { emptyPolicies, initMethods, stopRules, timingLevels } from '@shared/run-config'
import { rowFilter } from '../dataset/row-filter-schema'
import { engineIds } from '@shared/variant'

export const id = v.pipe(v.string(), v.minLength(1), v.maxLength(200))
export const path = v.pipe(v.string(), v.minLength(1), v.maxLength(32_768))

const maxNamed = 100_000

/** What of the rows is clustered, and in what units: names mean something only beside a dataset. */
export const preparationEntries = {
  features: v.nullable(v.array(v.string())),
  missing: v.picklist(missingPolicies),
  scaling: v.picklist(scalings),
  columnScalings: v.exactOptional(
    v.pipe(
      v.array(v.strictObject({ column: v.string(), scaling: v.picklist(columnScalings) })),
      v.maxLength(maxNamed),
    ),
  ),
  filter: v.exactOptional(rowFilter),
  oneHot: v.exactOptional(v.pipe(v.array(v.string()), v.maxLength(maxNamed))),
}

/** Shape only. Whether k fits the data is for the run to say, in words about the data. */
export const runConfigEntries = {
  ...preparationEntries,
  k: v.number(),
  init: v.picklist(initMethods),
  centroidsFile: v.nullable(path),
  seed: v.number(),
  stop: v.picklist(stopRules),
  tolerance: v.nullable(v.number()),
  maxIterations: v.number(),
  nInit: v.number(),
  empty: v.picklist(emptyPolicies),
  engine: v.picklist([...engineIds, 'auto']),
  device: v.nullable(id),
  variant: id,
  regime: v.nullable(id),
  workers: v.optional(v.nullable(v.number()), null),
  precision: v.optional(v.picklist(precisions), 'float32'),
  timing: v.picklist(timingLevels),
  history: v.boolean(),
  centroidHistory: v.boolean(),
}

/** A remembered configuration: any part of one. */
export const partialRunConfig = v.object(v.entriesFromObjects([v.partial(v.object(runConfigEntries))]))
