import * as v from 'valibot'
import { comparisons, joins, maxConditions } from '@shared/row-filter/row-filter'

const column = v.string()
const text = v.pipe(v.string(), v.maxLength(10_000))

const condition = v.variant('kind', [
  v.strictObject({ kind: v.literal('compare'), column, comparison: v.picklist(comparisons), value: text }),
  v.strictObject({ kind: v.literal('between'), column, low: text, high: text }),
  v.strictObject({
    kind: v.literal('one-of'),
    column,
    values: v.pipe(v.array(text), v.minLength(1), v.maxLength(10_000)),
  }),
  v.strictObject({ kind: v.literal('contains'), column, text }),
  v.strictObject({ kind: v.picklist(['missing', 'present']), column }),
])

const some = <T extends v.GenericSchema>(part: T) =>
  v.pipe(v.array(part), v.minLength(1), v.maxLength(maxConditions))

const group = v.strictObject({ join: v.picklist(joins), conditions: some(condition) })

/** A filter as it comes from the window or from a suite's file; what it asks of the columns is for a dataset to say. */
export const rowFilter = v.strictObject({
  join: v.picklist(joins),
  parts: some(v.union([condition, group])),
})
