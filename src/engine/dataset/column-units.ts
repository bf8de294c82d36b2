import type { NumericColumn } from './dataset'

type Units = Pick<NumericColumn, 'offset' | 'exponent'>

/** Units of the file -> units of the column, in float64, no step of which overflows. */
export function inColumnUnits(value: number, { offset, exponent }: Units): number {
  const factor = 2 ** -exponent
  // With a large unit the difference could overflow, with a small one the products could.
  if (exponent > 0) return value * factor - offset * factor
  return (value - offset) * factor
}

/** Units of the column -> units of the file; rounding beyond the largest float64 is taken back to it. */
export function inFileUnits(held: number, { offset, exponent }: Units): number {
  const value = offset + held * 2 ** exponent
  return Number.isNaN(value) ? NaN : Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value))
}

/**
 * A held value in units of the file, with as few decimal digits as tell it apart from its float32 neighbours: the
 * shortest number that would be held as the same value. NaN stays NaN.
 */
export function shortestInFileUnits(held: number, units: Units): number {
  const value = inFileUnits(held, units)
  for (let digits = 1; digits < 17; digits++) {
    const shorter = Number(value.toPrecision(digits))
    if (Math.fround(inColumnUnits(shorter, units)) === held) return shorter
  }
  return value
}
