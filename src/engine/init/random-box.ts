import { emptyLike } from '../dataset/coordinates'
import type { AnyPoints, Coordinates } from '../engines/engine'
import { gatheredNumbers, type Talking } from '../processes/collective'
import { Slices, throwIfAborted } from '../slices'
import { Draws, streams } from './philox'

/** Coordinates looked at between two looks at the clock. */
const blockLength = 1 << 18

/** The smallest box around the points: both ends of every feature, (d) each, engine units. */
export interface Box {
  readonly least: Coordinates
  readonly most: Coordinates
}

/** Exact, and the same in whatever order the points are looked at. @throws LabError `cancelled`. */
export async function boxOf(
  { x, d, part }: Pick<AnyPoints, 'x' | 'n' | 'd' | 'part'>,
  signal?: AbortSignal,
): Promise<Box> {
  const least = emptyLike(x, d).fill(Infinity)
  const most = emptyLike(x, d).fill(-Infinity)
  throwIfAborted(signal)
  const rowsAtATime = Math.max(1, Math.floor(blockLength / d))
  const slices = new Slices(signal)
  const n = x.length / d
  for (let first = 0; first < n; first += rowsAtATime) {
    widen({ least, most }, x.subarray(first * d, Math.min(n, first + rowsAtATime) * d), d)
    await slices.next()
  }
  return part === undefined ? { least, most } : boxOfAll({ least, most }, part.processes)
}

/** The box around those of all processes. */
async function boxOfAll(own: Box, processes: Talking): Promise<Box> {
  const ends = await gatheredNumbers(processes, Float64Array.from([...own.least, ...own.most]))
  const d = own.least.length
  return {
    least: own.least.map((_, j) => Math.min(...ends.map((each) => each[j]))),
    most: own.most.map((_, j) => Math.max(...ends.map((each) => each[d + j]))),
  }
}

/** @param rows whole rows of d coordinates. */
function widen({ least, most }: Box, rows: Coordinates, d: number): void {
  for (let start = 0; start < rows.length; start += d) {
    for (let j = 0; j < d; j++) {
      const value = rows[start + j]
      if (value < least[j]) least[j] = value
      if (value > most[j]) most[j] = value
    }
  }
}

/**
 * k centroids of independent coordinates, each uniform between the ends of its feature: (k, d), in the precision of the box, engine units.
 * Coordinate j of centroid c is at round c, index j, of stream `randomBox`; float64 arithmetic, rounded to float32
 * once, or left so in float64 (kernels/contract.md, "Random box"). No two need be apart, and none need be a point.
 */
export function randomBox({ least, most }: Box, k: number, seed: number): Coordinates {
  const draws = new Draws(seed, streams.randomBox)
  const d = least.length
  const centroids = emptyLike(least, k * d)
  for (let c = 0; c < k; c++) {
    for (let j = 0; j < d; j++) {
      const drawn = least[j] + draws.uniform(c, j) * (most[j] - least[j])
      // An extent that is rounded up could lead past the end.
      centroids[c * d + j] = Math.min(drawn, most[j])
    }
  }
  return centroids
}
