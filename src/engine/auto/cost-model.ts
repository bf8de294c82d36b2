/** Size of a problem. */
export interface Shape {
  readonly n: number
  readonly d: number
  readonly k: number
}

/**
 * What one contender costs, from its calibration. One iteration takes
 * `fixedMs + n d perCoordinateMs + n d k perProductMs`: the overhead, the points' way through memory, and the
 * arithmetic. Opening (upload, compilation) is paid once.
 */
export interface Cost {
  readonly openMs: number
  readonly fixedMs: number
  readonly perCoordinateMs: number
  readonly perProductMs: number
}

export interface Sample extends Shape {
  /** Time of one iteration. */
  readonly ms: number
}

/** A run to convergence is taken to have this many iterations when contenders are compared or foretold. */
export const typicalIterations = 20

/** Expected time of one iteration. */
export function iterationMs(cost: Cost, { n, d, k }: Shape): number {
  return cost.fixedMs + n * d * (cost.perCoordinateMs + k * cost.perProductMs)
}

/** Expected time of a run of this shape, a typical one unless told otherwise. */
export function expectedMs(cost: Cost, shape: Shape, iterations = typicalIterations): number {
  return cost.openMs + iterations * iterationMs(cost, shape)
}

/**
 * The three coefficients from three measured problems: a tiny one for the overhead, one with few and one with
 * many clusters for the two rates. None is ever negative.
 */
export function fitCost(openMs: number, tiny: Sample, few: Sample, many: Sample): Cost {
  const fixedMs = Math.min(tiny.ms, few.ms, many.ms)
  const perCoordinate = ({ n, d, ms }: Sample) => (ms - fixedMs) / (n * d)
  const slope = (perCoordinate(many) - perCoordinate(few)) / (many.k - few.k)
  const perProductMs = Math.max(0, slope)
  const perCoordinateMs = Math.max(0, perCoordinate(few) - few.k * perProductMs)
  return { openMs, fixedMs, perCoordinateMs, perProductMs }
}

/** A cautious model from one problem alone: all its time counts as arithmetic. */
export function costOfOne({ openMs, n, d, k, ms }: Sample & { readonly openMs: number }): Cost {
  return { openMs, fixedMs: ms, perCoordinateMs: 0, perProductMs: ms / (n * d * k) }
}
