/** Numbers as the window shows them: four significant digits, thousands apart by a narrow no-break space. */

const narrowSpace = '\u202f'

function groupThousands(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, narrowSpace)
}

/** A whole number such as `1 204`. */
export function formatCount(value: number): string {
  const sign = value < 0 ? '-' : ''
  return sign + groupThousands(String(Math.abs(Math.round(value))))
}

/** From here on a number is shown with an exponent: 9 999 999 is the largest that is not. */
const firstLarge = 9_999_999.5
/** Below this, once rounded to the digits that are shown, too. */
const leastPlain = 1e-4
const digits = 4

/** Four significant digits; very large and very small ones with an exponent. The full value belongs in a title. */
export function formatNumber(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '–'
  if (value === 0) return '0'
  const rounded = Math.abs(Number(value.toPrecision(digits)))
  if (isLarge(value) || rounded < leastPlain) return value.toExponential(digits - 1)
  // What rounds up to a thousand reads as the thousands do.
  return rounded >= 1000 ? formatCount(value) : value.toPrecision(digits)
}

const isLarge = (value: number): boolean => Math.abs(value) >= firstLarge

/**
 * How the numbers of one column are shown: all with an exponent as soon as one is too large to go without, so that
 * they can be compared. A tiny one alone does not change the others: beside ordinary numbers it is next to nothing.
 */
export function columnFormat(column: readonly (number | null)[]): (value: number | null) => string {
  const large = column.some((value) => value !== null && Number.isFinite(value) && isLarge(value))
  if (!large) return formatNumber
  return (value) =>
    value === null || value === 0 || !Number.isFinite(value)
      ? formatNumber(value)
      : value.toExponential(digits - 1)
}

/** Four significant digits without trailing zeros, for running text and ranges. */
export function formatPlain(value: number | null): string {
  const text = formatNumber(value)
  return text.includes('.') && !text.includes('e') ? text.replace(/\.?0+$/, '') : text
}

/** A duration given in milliseconds, in the unit that reads best. */
export function formatDuration(ms: number): string {
  if (ms > 0 && ms < 0.1) return `${(ms * 1000).toPrecision(2)} µs`
  if (ms < 1) return `${ms.toPrecision(2)} ms`
  if (ms < 1000) return `${ms < 10 ? ms.toFixed(2) : ms.toFixed(0)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.floor((ms % 60_000) / 1000)} s`
}

/** Bytes in binary units, as memory is counted. */
export function formatBytes(bytes: number): string {
  if (bytes < 1023.5) return `${Math.round(bytes)} B`
  const units = ['KiB', 'MiB', 'GiB', 'TiB']
  const step = Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10) - 1)
  const size = bytes / 1024 ** (step + 1)
  return `${size >= 99.5 ? size.toFixed(0) : size.toPrecision(2)} ${units[step] ?? ''}`
}

/** A share 0..1 as a percentage with one decimal. */
export function formatShare(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

/** `1 row`, `1 204 rows`. */
export function plural(count: number, word: string): string {
  return `${formatCount(count)} ${word}${count === 1 ? '' : 's'}`
}
