/**
 * Numbers as the window shows them: four significant digits, the decimal mark of the language, thousands apart by a narrow
 * no-break space. Files and copies of tables take the values themselves.
 */
import { localNumber } from '@shared/locale/translate'
import { formatCount, formatDuration } from '@shared/quantity-words'
import { decimalMark } from '@/i18n'

export { formatBytes, formatCount, formatDuration, plural } from '@shared/quantity-words'

/** From here on a number is shown with an exponent: 9 999 999 is the largest that is not. */
const firstLarge = 9_999_999.5
/** Below this, once rounded to the digits that are shown, too. */
const minPlain = 1e-4
const digits = 4

/** Four significant digits; very large and very small ones with an exponent. The full value belongs in a title. */
export function formatNumber(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '–'
  if (value === 0) return '0'
  const rounded = Math.abs(Number(value.toPrecision(digits)))
  if (isLarge(value) || rounded < minPlain) return localNumber(value.toExponential(digits - 1))
  // What rounds up to a thousand reads as the thousands do.
  return rounded >= 1000 ? formatCount(value) : localNumber(value.toPrecision(digits))
}

const isLarge = (value: number): boolean => Math.abs(value) >= firstLarge

/**
 * How the numbers of one column are shown, so that they can be compared down it: with as many decimals as the largest has at four
 * significant digits, or all with an exponent where that is too large, or the largest of them too small, to go without.
 */
export function columnFormat(column: readonly (number | null)[]): (value: number | null) => string {
  if (column.every((value) => !value)) return formatNumber
  const decimals = columnDecimals(column)
  if (decimals === null) return withExponent
  return (value) => {
    if (value === null || !Number.isFinite(value)) return formatNumber(value)
    return decimals === 0 ? formatCount(value) : formatFixed(value, decimals)
  }
}

/** Decimals of the numbers of a column; null where all have an exponent. */
export function columnDecimals(column: readonly (number | null)[]): number | null {
  const largest = column.reduce<number>(
    (most, value) => (value !== null && Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most),
    0,
  )
  const rounded = Number(largest.toPrecision(digits))
  if (isLarge(largest) || rounded < minPlain) return null
  return Math.max(0, digits - 1 - Math.floor(Math.log10(rounded)))
}

/** How the durations of one column are shown, in milliseconds: all in the unit of the longest, with as many decimals. */
export function columnDuration(column: readonly number[]): (ms: number) => string {
  const longest = Math.max(0, ...column)
  if (longest < 1 || longest >= 60_000) return formatDuration
  const [unit, inUnit] = longest < 1000 ? (['ms', 1] as const) : (['s', 1000] as const)
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(longest / inUnit)))
  return (ms) => `${formatFixed(ms / inUnit, decimals)} ${unit}`
}

function withExponent(value: number | null): string {
  if (value === null || value === 0 || !Number.isFinite(value)) return formatNumber(value)
  return localNumber(value.toExponential(digits - 1))
}

/** So many decimals, whatever the number; no zero has a sign. */
export function formatFixed(value: number, decimals: number): string {
  return localNumber(value.toFixed(decimals).replace(/^-(?=[0.]+$)/, ''))
}

/** Four significant digits without trailing zeros, for running text and ranges. */
export function formatPlain(value: number | null): string {
  const text = formatNumber(value)
  return /[.,]/.test(text) && !text.includes('e') ? text.replace(/[.,]?0+$/, '') : text
}

/** A share 0..1 as a percentage with one decimal. */
export function formatShare(share: number): string {
  return `${formatFixed(share * 100, 1)} %`
}

const figureSpace = '\u2007'
const pointSpace = '\u2008'

/** Digits behind the decimal point of a number as it is shown; 0 where it has none or an exponent. */
export function decimalsOf(text: string): number {
  const [, decimals = ''] = /^[^.,e]*[.,](\d+)$/.exec(text) ?? []
  return decimals.length
}

/**
 * A number with its own digits whose decimal point stands below those of its column, in figures of one width: what differs by orders of
 * magnitude keeps the digits that count. @param decimals the most that the column has
 */
export function padDecimals(text: string, decimals: number): string {
  if (decimals === 0 || !/^[\d.,\u202f-]+$/.test(text)) return text
  const own = decimalsOf(text)
  return text + (own === 0 ? pointSpace : '') + figureSpace.repeat(Math.max(0, decimals - own))
}

/** A number as a person types it, with the decimal mark of the language or a point; null for anything that is no number. */
export function parseNumber(text: string): number | null {
  const compact = text.replace(/\s/gu, '').replace(decimalMark(), '.')
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(compact)) return null
  const value = Number(compact)
  return Number.isFinite(value) ? value : null
}
