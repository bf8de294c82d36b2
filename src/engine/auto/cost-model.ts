import { typicalIterations } from '@shared/benchmark/plan-note'

/** Size of a problem. */
export interface Shape {
  readonly n: number
  readonly d: number
  readonly k: number
}

/** What an iteration takes: `fixedMs + n d perCoordinateMs + n d k perProductMs`. */
export interface Rates {
  /** Overhead. */
  readonly fixedMs: number
  /** The points' way through memory. */
  readonly perCoordinateMs: number
  /** The arithmetic. */
  readonly perProductMs: number
}

/** What one contender costs, from its calibration. */
export interface Cost extends Rates {
  /** Paid by the first session of a d and k: finding the device, compiling. */
  readonly onceMs: number
  /** Paid by every session: opening, closing, and what does not depend on the points. */
  readonly openMs: number
  /** Paid by every session for its points and labels: up- and download. */
  readonly openPerCoordinateMs: number
  /** The time for measuring was used up before the problems were large enough: good for an order, not for a plan. */
  readonly isRough: boolean
}

export interface Sample extends Shape {
  /** Time of one iteration. */
  readonly ms: number
}

/** A sample with what its session took besides the iterations. */
export interface SessionSample extends Sample {
  readonly aroundMs: number
}

/** Expected time of one iteration. */
export function iterationMs(rates: Rates, { n, d, k }: Shape): number {
  return rates.fixedMs + n * d * (rates.perCoordinateMs + k * rates.perProductMs)
}

/** Expected time of a run of this shape, a typical one unless given otherwise; labels are found once more at its end. */
export function expectedMs(cost: Cost, shape: Shape, iterations = typicalIterations): number {
  const around = cost.openMs + shape.n * shape.d * cost.openPerCoordinateMs
  return around + (iterations + 1) * iterationMs(cost, shape)
}

/**
 * The three coefficients from three measured problems: a tiny one for the overhead, one with few and one with
 * many clusters for the two rates. None is ever negative.
 */
export function fitRates(tiny: Sample, few: Sample, many: Sample): Rates {
  const fixedMs = Math.min(tiny.ms, few.ms, many.ms)
  const perCoordinate = ({ n, d, ms }: Sample) => (ms - fixedMs) / (n * d)
  const slope = (perCoordinate(many) - perCoordinate(few)) / (many.k - few.k)
  const perProductMs = Math.max(0, slope)
  const perCoordinateMs = Math.max(0, perCoordinate(few) - few.k * perProductMs)
  return { fixedMs, perCoordinateMs, perProductMs }
}

/** What every session takes besides its iterations: a small one, and one of many points. */
export function fitSessions(
  tiny: SessionSample,
  large: SessionSample,
): Pick<Cost, 'openMs' | 'openPerCoordinateMs'> {
  const openMs = tiny.aroundMs
  return { openMs, openPerCoordinateMs: Math.max(0, large.aroundMs - openMs) / (large.n * large.d) }
}

/** A cautious model from one problem alone: all its time counts as arithmetic. */
export function costOfOne({ aroundMs, n, d, k, ms }: SessionSample): Cost {
  const session = { onceMs: 0, openMs: aroundMs, openPerCoordinateMs: 0 }
  return { ...session, fixedMs: ms, perCoordinateMs: 0, perProductMs: ms / (n * d * k), isRough: true }
}
