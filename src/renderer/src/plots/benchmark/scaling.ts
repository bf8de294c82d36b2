/** Times over a size that varies: how they grow, and where one contender overtakes another. */
import { isPlaced, type Crossing } from '@shared/benchmark/crossover'
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

/** Two points lie on a line whatever they are. */
const leastSizes = 3

/** Slope of the line of least squares through the logarithms: 1 where the time grows as the size does; null for fewer than three points. */
export function slopeOf(points: readonly ScalingPoint[]): number | null {
  const places = points
    .filter(({ medianMs, size }) => medianMs > 0 && size > 0)
    .map(({ size, medianMs }) => [Math.log(size), Math.log(medianMs)] as const)
  if (places.length < leastSizes) return null
  const meanOf = (values: readonly number[]): number =>
    values.reduce((sum, one) => sum + one, 0) / values.length
  const [x, y] = [meanOf(places.map(([one]) => one)), meanOf(places.map(([, one]) => one))]
  const across = places.reduce((sum, [one]) => sum + (one - x) ** 2, 0)
  const both = places.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0)
  return across > 0 ? both / across : null
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
const mostMarks = 4

/** The crossings worth a mark, of those that the repeats place: all where they are few, else those at which the fastest contender changes. */
export function markedCrossings({ group, pairs }: Sweep): readonly Crossing[] {
  const all = pairs.flatMap(({ crossings }) => crossings.filter(isPlaced))
  return all.length <= mostMarks ? all : all.filter((one) => leads(one, group.series))
}
