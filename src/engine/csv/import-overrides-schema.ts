import * as v from 'valibot'
import { delimiters, encodings, givenTypes, maxTitleRows } from '@shared/dataset'

/** How a file is read otherwise than detected, as it comes from the window or from a suite's file. */
export const importOverrides = v.strictObject({
  format: v.exactOptional(v.picklist(['delimited', 'headed'])),
  encoding: v.exactOptional(v.picklist(encodings)),
  delimiter: v.exactOptional(v.picklist(delimiters)),
  quote: v.exactOptional(v.picklist(['"', "'", ''])),
  header: v.exactOptional(v.boolean()),
  titleRows: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxTitleRows))),
  decimal: v.exactOptional(v.picklist(['.', ','])),
  // Keys are column indices; over a JSON border they are text.
  columnTypes: v.exactOptional(v.record(v.pipe(v.string(), v.digits()), v.picklist(givenTypes))),
})
