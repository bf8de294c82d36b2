/** Times over a size that varies: how they grow, and where one contender overtakes another. */
import { isLocated, type Crossing } from '@shared/benchmark/crossover'
import type { ScalingGroup, ScalingPoint, ScalingSeries } from '@shared/benchmark/scaling'
import { sizeSymbols } from '@shared/benchmark/crossover-text'
import { formatCount } from '@/text/numbers'
import type { Sweep } from './statistics'

/** `N of uniform data, d = 2, k = 10`: what varies, and what stays. */
export function sweepWords({ varies, data, n, d, k }: ScalingGroup): string {
  const fixed = [
    { symbol: sizeSymbols.n, size: n },
    { symbol: sizeSymbols.d, size: d },
    { symbol: sizeSymbols.k, size: k },
  ]
  const stays = fixed.flatMap(({ symbol, size }) =>
    size === null ? [] : [`${symbol} = ${formatCount(size)}`],
  )
  return `${sizeSymbols[varies]}: ${[data, ...stays].join(', ')}`
}

/** An exponent with the interval that it lies in, of 95 %. */
export interface Growth {
  readonly exponent: number
  readonly low: number
  readonly high: number
}

/** The interval of three says next to nothing. */
const minSizes = 4
/** Where the interval reaches farther to either side, no exponent is reported. */
const farthest = 0.15
/** Student's t, two-sided 95 %, for 1 to 10 degrees of freedom; the last is kept for more, which is on the safe side. */
const studentT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228]

/**
 * Slope of the line of least squares through the logarithms: 1 where the time grows as the size does. Null where there
 * are few sizes, or where the times do not lie on such a line.
 */
export function growthOf(points: readonly ScalingPoint[]): Growth | null {
  const logPoints = points
    .filter(({ medianMs, size }) => medianMs > 0 && size > 0)
    .map(({ size, medianMs }) => ({ x: Math.log(size), y: Math.log(medianMs) }))
  if (logPoints.length < minSizes) return null
  const sumOf = (of: (point: { x: number; y: number }) => number): number =>
    logPoints.reduce((sum, point) => sum + of(point), 0)
  const [x, y] = [sumOf((one) => one.x) / logPoints.length, sumOf((one) => one.y) / logPoints.length]
  const across = sumOf((one) => (one.x - x) ** 2)
  if (across === 0) return null
  const exponent = sumOf((one) => (one.x - x) * (one.y - y)) / across
  const freedom = logPoints.length - 2
  const squares = sumOf((one) => (one.y - y - exponent * (one.x - x)) ** 2)
  const t = studentT[Math.min(freedom, studentT.length) - 1] ?? Infinity
  const reach = t * Math.sqrt(squares / freedom / across)
  return reach <= farthest ? { exponent, low: exponent - reach, high: exponent + reach } : null
}

/** Time at a size between two measured ones, interpolated in logarithms; null outside. */
function timeAt({ points }: ScalingSeries, size: number): number | null {
  const right = points.findIndex((point) => point.size >= size)
  const b = points[right]
  const a = points[Math.max(0, right - 1)]
  if (!a || !b || size < a.size) return null
  if (a.size === b.size) return a.medianMs
  const share = Math.log(size / a.size) / Math.log(b.size / a.size)
  return a.medianMs * (b.medianMs / a.medianMs) ** share
}

/** Crossings of the two fastest: nobody else is faster there. */
function leads({ at, ms, below, above }: Crossing, series: readonly ScalingSeries[]): boolean {
  const others = series.filter(({ contender }) => contender !== below && contender !== above)
  return others.every((one) => (timeAt(one, at) ?? Infinity) >= ms)
}

/** More marks than this would hide one another. */
const maxMarks = 4

/** The crossings worth a mark, of those that the repeats place: all where they are few, else those at which the fastest contender changes. */
export function markedCrossings({ group, pairs }: Sweep): readonly Crossing[] {
  const all = pairs.flatMap(({ crossings }) => crossings.filter(isLocated))
  return all.length <= maxMarks ? all : all.filter((one) => leads(one, group.series))
}
