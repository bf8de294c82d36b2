import * as v from 'valibot'
import { comparisons, joins, maxConditions } from '@shared/row-filter/row-filter'
import { maxRangesLength, parseRowRanges } from '@shared/row-filter/row-ranges'

const column = v.string()
const text = v.pipe(v.string(), v.maxLength(10_000))

/** Numbers of rows as `rowRanges` writes them. */
export const rowNumbers = v.pipe(
  v.string(),
  v.maxLength(maxRangesLength),
  v.check((numbers) => parseRowRanges(numbers) !== null, 'row numbers such as 2-51,60'),
)

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
  v.strictObject({ kind: v.picklist(['rows', 'not-rows']), numbers: rowNumbers }),
])

const some = <T extends v.GenericSchema>(part: T) =>
  v.pipe(v.array(part), v.minLength(1), v.maxLength(maxConditions))

const group = v.strictObject({ join: v.picklist(joins), conditions: some(condition) })

/** A filter as it comes from the window or from a suite's file; what it asks of the columns is for a dataset to say. */
export const rowFilter = v.strictObject({
  join: v.picklist(joins),
  parts: some(v.union([condition, group])),
})
