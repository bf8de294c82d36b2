import type { EngineId, RunShape } from '@shared/variant'
import { Draws } from '../draws'
import type { Kind } from './kinds'

/** One shape and kind of data. */
export interface Cell extends RunShape {
  readonly kind: Kind
}

/** What the grid is made of. */
export interface Axes {
  readonly kinds: readonly Kind[]
  readonly d: readonly number[]
  readonly k: readonly number[]
  /** Numbers of points; null: as many as the engine is measured with, see `fittingPoints`. */
  readonly n: readonly (number | null)[]
}

export const defaultAxes = {
  d: [1, 2, 3, 5, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256, 784],
  k: [3, 10, 32, 100, 300, 1000],
  n: [null],
} as const

/** Largest numbers of the grid, and its smallest. */
export const ends = { d: [1, 1024], k: [2, 4096], n: [1000, null] } as const

interface Limits {
  readonly points: number
  readonly coordinates: number
  /** Multiply-adds of an iteration. */
  readonly work: number
}

const processor: Limits = { points: 1e6, coordinates: 6e6, work: 6e9 }
const card: Limits = { points: 4e6, coordinates: 48e6, work: 4e12 }
const minPoints = 20_000
/** Where less work is asked for. */
const minPointsOfLess = 5000

/** A million coordinates take a second on a software adapter. */
const software: Limits = { points: 1e5, coordinates: 4e5, work: 1e8 }

/**
 * As many points as a cell has where no number is asked for: long enough to be measured, short enough for a whole grid.
 * @param maxWork multiply-adds of an iteration at most, for a grid that has to end sooner
 */
export function fittingPoints(
  d: number,
  k: number,
  engine: EngineId,
  isSoftware: boolean,
  maxWork = Number.POSITIVE_INFINITY,
): number {
  const onHost = engine === 'cpu' ? processor : card
  const { points, coordinates, work } = isSoftware ? software : onHost
  const most = Math.min(points, Math.floor(coordinates / d), Math.floor(Math.min(work, maxWork) / (k * d)))
  const lower = maxWork < work ? minPointsOfLess : minPoints
  return Math.max(k, isSoftware ? 1000 : lower, most)
}

/** Kind by kind, d by d; cells with fewer points than clusters are left out. */
export function cellsOf({ kinds, d, k, n }: Axes, fitting: (d: number, k: number) => number): Cell[] {
  return kinds.flatMap((kind) =>
    n.flatMap((points) =>
      d.flatMap((features) =>
        k
          .map((clusters) => ({
            kind,
            n: points ?? fitting(features, clusters),
            d: features,
            k: clusters,
          }))
          .filter((cell) => cell.n >= cell.k),
      ),
    ),
  )
}

/**
 * Cells drawn at random between the grid's ends, each logarithm even: what the grid's own points cannot show.
 * @param fitting most points of a cell
 */
export function randomCells(
  count: number,
  kinds: readonly Kind[],
  fitting: (d: number, k: number) => number,
  seed: number,
): Cell[] {
  const draws = new Draws(seed)
  const between = (low: number, high: number) => Math.round(low * (high / low) ** draws.uniform())
  return Array.from({ length: count }, () => {
    const kind = kinds[draws.below(kinds.length)]
    const [d, k] = [between(...ends.d), between(...ends.k)]
    const n = between(Math.max(ends.n[0], 2 * k), Math.max(ends.n[0], 2 * k, fitting(d, k)))
    return { kind, n, d, k }
  })
}
