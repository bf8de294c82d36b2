import { localNumber } from '../locale/translate'
import { grouped } from '../quantity-words'

/** Below this, and from `largest` on, a number is written with a power of ten. */
const smallest = 1e-4
const largest = 1e9

/**
 * A number for a table: four significant digits, kept when they are zeros (`1.200`), without
 * grouping; `–` for null.
 */
export function significant(value: number | null): string {
  return localNumber(plainSignificant(value))
}

function plainSignificant(value: number | null): string {
  if (value === null || Number.isNaN(value)) return '–'
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞'
  const size = Math.abs(value)
  if (size !== 0 && (size < smallest || size >= largest)) return value.toExponential(3).replace('e+', 'e')
  const text = value === 0 ? '0' : value.toPrecision(4)
  return text.includes('e') ? String(Number(text)) : text
}

/** A count in full: digits in groups of three, parted by narrow no-break spaces from five digits on. */
export function countText(value: number): string {
  const digits = String(Math.round(value))
  return digits.length < 5 ? digits : grouped(digits)
}
