import * as v from 'valibot'
import { columnScalings, givenTypes, missingPolicies, scalings } from '@shared/dataset'
import { precisions } from '@shared/precision'
import { emptyPolicies, initMethods, stopRules, timingLevels } from '@shared/run-config'
import { engineIds } from '@shared/variant'
import { importOverrides } from '../csv/import-overrides-schema'

const whole = v.pipe(v.number(), v.integer(), v.minValue(0))

/** How a file was read: what was set by hand is to be set again. */
export const importParts = v.optional(
  v.object({
    overrides: v.optional(
      v.object({
        ...v.omit(importOverrides, ['columnTypes']).entries,
        column_types: v.optional(v.array(v.object({ name: v.string(), type: v.picklist(givenTypes) })), []),
      }),
      {},
    ),
  }),
  {},
)

/** What was asked for, key by key; what a later version added has its default. */
export const configurationParts = {
  features: v.nullable(v.array(v.string())),
  one_hot: v.optional(v.array(v.string())),
  column_scalings: v.optional(v.array(v.object({ column: v.string(), scaling: v.picklist(columnScalings) }))),
  /** As `--filter` takes it. */
  filter: v.optional(v.string()),
  missing: v.picklist(missingPolicies),
  scaling: v.picklist(scalings),
  k: v.pipe(whole, v.minValue(1)),
  init: v.picklist(initMethods),
  centroids_file: v.optional(v.nullable(v.string()), null),
  seed: whole,
  stop: v.picklist(stopRules),
  tolerance: v.number(),
  max_iterations: whole,
  n_init: v.pipe(whole, v.minValue(1)),
  empty: v.picklist(emptyPolicies),
  engine: v.picklist(['auto', ...engineIds]),
  device: v.optional(v.nullable(v.string()), null),
  variant: v.string(),
  regime: v.optional(v.nullable(v.string()), null),
  workers: v.optional(v.nullable(whole), null),
  precision: v.optional(v.picklist(precisions), 'float32'),
  timing: v.optional(v.picklist(timingLevels), 'phases'),
  history: v.optional(v.boolean(), false),
  centroid_history: v.optional(v.boolean(), false),
}
