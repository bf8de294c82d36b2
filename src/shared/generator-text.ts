import type { GeneratorFormat, GeneratorSpec } from './generator'

/** 10^0 to 10^14, each exact in float64. */
export const powersOfTen: readonly number[] = Array.from({ length: 15 }, (_, power) => Number(`1e${power}`))

/** A feature has this power of ten of steps, or a tenth of it: about as fine as float32 can hold. */
const digits = 8

/** A spread that is large beside the extent makes the steps coarser from here on. */
const reachOfSpread = 8

/** Extent of a feature in units of the file. */
export function extentOf({ width, height }: GeneratorSpec, feature: number): number {
  return feature === 1 ? height : width
}

/**
 * Decimals of a feature, 0 to 14: all its coordinates are whole multiples of 10^-decimals, so that their text is
 * short and reads back to the same number.
 */
export function decimalsOf(spec: GeneratorSpec, feature: number): number {
  const spread = spec.shape === 'uniform' ? 0 : spec.spread * spec.width
  const reach = Math.max(extentOf(spec, feature), reachOfSpread * spread)
  let magnitude = -6
  while (magnitude < digits && reach > Number(`1e${magnitude}`)) magnitude++
  return digits - magnitude
}

/** Bytes of the file that is written, to within a few percent; exact counts depend on every digit. */
export function estimatedFileBytes(spec: GeneratorSpec, format: GeneratorFormat): number {
  const { n, d } = spec
  let row = 0
  for (let feature = 0; feature < d; feature++) row += cellBytes(spec, feature)
  const names = format === 'csv' ? (String(d).length + 2) * d : 3 * String(n).length
  return names + n * row
}

/** A coordinate in the middle of its feature, and what separates it from the next. */
function cellBytes(spec: GeneratorSpec, feature: number): number {
  const decimals = decimalsOf(spec, feature)
  const middle = extentOf(spec, feature) / 2
  const whole = Math.max(1, Math.ceil(Math.log10(Math.max(1, middle))))
  const separator = 1
  return whole + (decimals === 0 ? 0 : 1 + decimals) + separator
}
