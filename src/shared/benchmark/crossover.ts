import { bootstrapInterval, type Interval } from './bootstrap'
import type { ScalingGroup, ScalingPoint, ScalingSeries } from './scaling'
import { isLikeWork, minLevel } from './verdict'

/** Where one contender overtakes another. */
export interface Crossing {
  /** Faster below the point. */
  readonly below: string
  /** Faster above it. */
  readonly above: string
  /** Of the size that varies. */
  readonly at: number
  /** Time of both there, by the same interpolation. */
  readonly ms: number
  /**
   * By `bootstrapInterval` over the repeats of all sizes; an end is 0 or Infinity where the repeats leave open whether the
   * point lies in the range measured. Null with fewer than two repeats.
   */
  readonly interval: Interval | null
}

export interface PairCrossings {
  readonly first: string
  readonly second: string
  /** Smallest and largest size that both were measured at. */
  readonly range: readonly [number, number]
  /** Ascending by size; none: no crossover in the range measured. */
  readonly crossings: readonly Crossing[]
  /** Faster at every size measured, or level at some; null where they cross or are level at all. */
  readonly ahead: string | null
}

/**
 * How well the repeats decide where: `located` by an interval of a level that counts, inside the range measured; open
 * `above` or `below` where one end of it lies beyond that range; else `nowhere`. Only what is placed is a point to show.
 */
export type Bracket = 'placed' | 'above' | 'below' | 'nowhere'

export function bracketOf({ interval }: Crossing): Bracket {
  if (interval === null || interval.level < minLevel) return 'nowhere'
  const [isBelow, isAbove] = [interval.low === 0, interval.high === Infinity]
  if (isBelow && isAbove) return 'nowhere'
  return isAbove ? 'above' : isBelow ? 'below' : 'placed'
}

export const isLocated = (crossing: Crossing): boolean => bracketOf(crossing) === 'placed'

/** Every pair of contenders with two sizes in common at which they did like work, in the order of the group. */
export function crossoversOf({ series }: Pick<ScalingGroup, 'series'>): readonly PairCrossings[] {
  return series.flatMap((first, at) => series.slice(at + 1).flatMap((second) => pairCrossings(first, second)))
}

function pairCrossings(first: ScalingSeries, second: ScalingSeries): readonly PairCrossings[] {
  const pairs = inCommon(first, second).filter(({ a, b }) => areLike([a, b]))
  if (pairs.length < 2) return []
  const sizes = pairs.map(({ a }) => Math.log(a.size))
  const ratios = pairs.map(({ a, b }) => Math.log(a.medianMs / b.medianMs))
  const crossings = signChanges(sizes, ratios).map((change): Crossing => {
    const [below, above] = change.rises ? [first, second] : [second, first]
    return {
      below: below.contender,
      above: above.contender,
      at: Math.exp(change.at),
      ms: timeAt(
        change.at,
        pairs.map(({ a }) => a),
      ),
      interval: crossingInterval(change, sizes, pairs),
    }
  })
  const range = [pairs[0].a.size, pairs[pairs.length - 1].a.size] as const
  const ahead = crossings.length > 0 ? null : aheadOf(ratios, first, second)
  return [{ first: first.contender, second: second.contender, range, crossings, ahead }]
}

interface Common {
  readonly a: ScalingPoint
  readonly b: ScalingPoint
}

function inCommon(first: ScalingSeries, second: ScalingSeries): readonly Common[] {
  return first.points.flatMap((a) => {
    const b = second.points.find(({ size }) => size === a.size)
    return b === undefined || !isTimed(a) || !isTimed(b) ? [] : [{ a, b }]
  })
}

/** Whether the one with most iterations made few more than the one with least. */
function areLike(points: readonly ScalingPoint[]): boolean {
  const [first] = points
  const most = points.reduce((a, b) => (b.iterations > a.iterations ? b : a), first)
  const least = points.reduce((a, b) => (b.iterations < a.iterations ? b : a), first)
  return isLikeWork(most, least)
}

/** Whether some sizes say nothing of some pair: there the two made other numbers of iterations. */
export function hasUnlikeWork({ series }: Pick<ScalingGroup, 'series'>): boolean {
  const bySize = new Map<number, ScalingPoint[]>()
  for (const point of series.flatMap(({ points }) => points.filter(isTimed))) {
    const there = bySize.get(point.size)
    if (there === undefined) bySize.set(point.size, [point])
    else there.push(point)
  }
  return [...bySize.values()].some((points) => !areLike(points))
}

function aheadOf(ratios: readonly number[], first: ScalingSeries, second: ScalingSeries): string | null {
  if (ratios.some((ratio) => ratio < 0)) return first.contender
  return ratios.some((ratio) => ratio > 0) ? second.contender : null
}

/** Zero times, below the clock's resolution, have no logarithm. */
function isTimed({ totalsMs }: ScalingPoint): boolean {
  return totalsMs.every((time) => time > 0)
}

/** Where the first falls behind (rises) or gets ahead: log of the size. */
interface SignChange {
  readonly at: number
  readonly rises: boolean
}

/**
 * Zeros of the line through the points (log size, log of the ratio of times). Where the two are level at a size
 * measured, the change is there; touching without a change of sign is none.
 */
function signChanges(sizes: readonly number[], ratios: readonly number[]): readonly SignChange[] {
  const changes: SignChange[] = []
  let last = -1
  for (let i = 0; i < ratios.length; i++) {
    const ratio = ratios[i]
    if (ratio === 0) continue
    if (last >= 0 && ratio > 0 !== ratios[last] > 0) {
      const [from, to] = [ratios[last], ratios[last + 1]]
      const at = sizes[last] + ((sizes[last + 1] - sizes[last]) * from) / (from - to)
      changes.push({ at, rises: ratio > 0 })
    }
    last = i
  }
  return changes
}

function crossingInterval(
  change: SignChange,
  sizes: readonly number[],
  pairs: readonly Common[],
): Interval | null {
  const samples = pairs.flatMap(({ a, b }) => [a.totalsMs, b.totalsMs])
  const ratios = sizes.map(() => 0)
  const interval = bootstrapInterval(samples, (medians) => {
    for (let i = 0; i < ratios.length; i++) ratios[i] = Math.log(medians[2 * i] / medians[2 * i + 1])
    return nearestChange(change, signChanges(sizes, ratios), ratios)
  })
  return interval && { ...interval, low: Math.exp(interval.low), high: Math.exp(interval.high) }
}

/** The same change in a resample; where there is none, it lies beyond the end to which the ratios point. */
function nearestChange(
  { at, rises }: SignChange,
  changes: readonly SignChange[],
  ratios: readonly number[],
): number {
  const alike = changes.filter((other) => other.rises === rises).map((other) => other.at)
  if (alike.length > 0) return alike.reduce((best, x) => (Math.abs(x - at) < Math.abs(best - at) ? x : best))
  const stillBelow = rises ? ratios[ratios.length - 1] <= 0 : ratios[ratios.length - 1] >= 0
  return stillBelow ? Infinity : -Infinity
}

/** Log-log interpolation of the medians at the logarithm of a size inside the range. */
export function timeAt(at: number, points: readonly ScalingPoint[]): number {
  const right = Math.max(
    1,
    points.findIndex(({ size }) => Math.log(size) >= at - 1e-12),
  )
  const [a, b] = [points[right - 1], points[right]]
  const share = (at - Math.log(a.size)) / (Math.log(b.size) - Math.log(a.size))
  return Math.exp(Math.log(a.medianMs) + share * (Math.log(b.medianMs) - Math.log(a.medianMs)))
}
