/** Where a column is centred and in what unit: `file value = offset + column value * 2^exponent`. */
export interface Centre {
  /** Units of the file. */
  readonly offset: number
  readonly exponent: number
}

/** In units of the file. */
export const asInFile: Centre = { offset: 0, exponent: 0 }

/** Ranges from 2^-60 to 2^60 need no unit of their own. */
const plainMagnitude = 60

/** Powers of two on either side of which the unit of a column would leave the normal float64 numbers. */
const farthestExponent = 1000

/** The middle of a range, for what is drawn. */
export function middleOf({ min, max }: { readonly min: number; readonly max: number }): Centre {
  return { offset: min / 2 + max / 2, exponent: unitExponent(min, max) }
}

/** 0 but where numbers about the offset, or their squares, would leave the range of float32. */
export function unitExponent(low: number, high: number): number {
  if (!(high > low)) return 0
  const range = high - low
  if (!Number.isFinite(range)) return farthestExponent
  const magnitude = Math.floor(Math.log2(range))
  return Math.abs(magnitude) > plainMagnitude ? Math.max(-farthestExponent, magnitude) : 0
}

/** Units of the file -> units of the column, in float64, no step of which overflows. */
export function inColumnUnits(value: number, { offset, exponent }: Centre): number {
  if (exponent === 0) return value - offset
  const factor = 2 ** -exponent
  // With a large unit the difference could overflow, with a small one the products could.
  return exponent > 0 ? value * factor - offset * factor : (value - offset) * factor
}
