import type { ImportOverrides, ImportReceipt } from './dataset'

/** What was set by hand when a file was read, and must be set again to read it the same way. */
export function overridesOf({ dialect, evidence, titleRows, chosenTypes }: ImportReceipt): ImportOverrides {
  const { format, encoding, delimiter, quote, header, decimal } = evidence
  return {
    ...(format.overridden && { format: dialect.format }),
    ...(encoding.overridden && { encoding: dialect.encoding }),
    ...(delimiter.overridden && { delimiter: dialect.delimiter }),
    ...(quote.overridden && { quote: dialect.quote }),
    ...(header.overridden && { header: dialect.header }),
    ...(titleRows?.overridden && { titleRows: titleRows.count }),
    ...(decimal.overridden && { decimal: dialect.decimal }),
    ...(chosenTypes.length > 0 && {
      columnTypes: Object.fromEntries(chosenTypes.map(({ index, type }) => [index, type])),
    }),
  }
}
