/** One index of a scan over k, as it is drawn. */

export interface CurvePoint {
  readonly k: number
  /** Of the restart with the least inertia; null where the index is not known there. */
  readonly best: number | null
  /** Of every restart that has one. */
  readonly restarts: readonly number[]
  /** Standard error of `best`; null where it is exact. */
  readonly error: number | null
}

/** What a rule says of a curve. */
export interface CurveMark {
  readonly k: number
  /** `knee`, `largest`. */
  readonly word: string
  /** It points at a low place: its word stands below. */
  readonly below: boolean
}

export interface IndexCurve {
  /** File name without extension. */
  readonly name: string
  /** `Inertia`. */
  readonly title: string
  /** Which way is better, or what to look for: a phrase. */
  readonly reading: string
  /** Whether the axis begins at zero, as that of a sum does. */
  readonly fromZero: boolean
  /** Ascending by k. */
  readonly points: readonly CurvePoint[]
  readonly mark: CurveMark | null
  /** Both ends of the scan, so that the axis stays as it is while curves come. */
  readonly kMin: number
  readonly kMax: number
}

/** Smallest and largest value that is drawn; null where nothing is. */
export function rangeOf({
  points,
  fromZero,
}: IndexCurve): { readonly min: number; readonly max: number } | null {
  let [min, max] = [Infinity, -Infinity]
  for (const { best, restarts, error } of points) {
    const ends = best === null ? [] : [best - (error ?? 0), best + (error ?? 0)]
    for (const value of [...restarts, ...ends]) {
      if (!Number.isFinite(value)) continue
      min = Math.min(min, value)
      max = Math.max(max, value)
    }
  }
  if (min > max) return null
  return { min: fromZero ? Math.min(0, min) : min, max }
}
