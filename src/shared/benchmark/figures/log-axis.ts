import { localNumber } from '../../locale/translate'
import { grouped } from '../../quantity-words'

/** A logarithmic axis: where a value lies, and the values that are named. */
export interface LogAxis {
  readonly ticks: readonly number[]
  /** Pixels. */
  at(value: number): number
}

/** Fewer decades than this are divided further. */
const fewDecades = 2

/**
 * An axis over all values, from and to a 1, 2 or 5 of a decade.
 * @param values greater than 0, at least one
 * @param pixels of the least and of the largest value
 */
export function logAxis(values: readonly number[], pixels: readonly [number, number]): LogAxis {
  const least = Math.min(...values)
  const most = Math.max(...values)
  const factors = Math.log10(most / least) > fewDecades ? [1] : [1, 2, 5]
  const from = Math.floor(Math.log10(least)) - 1
  const to = Math.ceil(Math.log10(most)) + 1
  const named = (of: readonly number[]) =>
    Array.from({ length: to - from + 1 }, (_, i) =>
      of.map((factor) => Number(`${factor}e${from + i}`)),
    ).flat()
  const ends = named([1, 2, 5])
  const low = ends.filter((value) => value <= least).at(-1) ?? least
  const high = ends.find((value) => value >= most && value > low) ?? most
  const scale = (pixels[1] - pixels[0]) / Math.log(high / low)
  return {
    ticks: thinned(named(factors).filter((value) => value >= low && value <= high)),
    at: (value) => pixels[0] + scale * Math.log(value / low),
  }
}

/** Not more than nine, the first and then at even steps. */
function thinned(ticks: readonly number[]): readonly number[] {
  const step = Math.ceil(ticks.length / 9)
  return ticks.filter((_, at) => at % step === 0)
}

/** `0.001`, `20`, `50 000`: a named value in full; a power of ten where it would be long. */
export function tickText(value: number): string {
  if (value >= 1e7 || value < 1e-4) return localNumber(value.toExponential().replace('e+', 'e'))
  return value >= 10_000 ? grouped(String(value)) : localNumber(String(value))
}
