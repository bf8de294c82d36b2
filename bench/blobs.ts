import type { Points } from '@engine/engines/engine'
import type { RunShape } from '@shared/variant'
import { generator, pointsOf } from '@tests/parity/fixtures'
import { normalTable, step } from './draws'

/** The data of one configuration, always the same for the same shape and seed. */
export interface Blobs {
  readonly points: Points
  /** (k, d) distinct random rows: where every variant starts. */
  readonly centroids: Float32Array
  /** Mean over the features of their variance, engine units: the unit of the `relative-shift` rule. */
  readonly meanVariance: number
  /** (d) largest minus smallest value. */
  readonly ranges: Float64Array
}

/** As in the engine's unit tests: twenty blobs, however many clusters are sought. */
const blobCount = 20
const spread = 0.05
const maxRowsScanned = 100_000

/** Gaussian blobs in engine units, 30 to 80 million coordinates a second of a 2.5 GHz core. */
export function makeBlobs({ n, d, k }: RunShape, seed = 1): Blobs {
  const x = scatter(n, d, seed)
  // Values reach 0.5 in any part of the data that is looked at on its own.
  x[0] = 0.875
  const points = pointsOf(x, n, d)
  return startOn(points, k, seed)
}

/** Points with distinct random rows of theirs to start from. */
export function startOn(points: Points, k: number, seed: number): Blobs {
  return { points, centroids: randomRows(points, k, seed), ...facts(points) }
}

/** The first rows of the points, for a look at the time an iteration takes. */
export function firstRows({ x, d, maxAbs }: Points, n: number): Points {
  return { x: x.subarray(0, n * d), n, d, maxAbs }
}

/**
 * Coordinates: a blob's centre, plus the sum of two draws from a table of normal numbers that one 32-bit draw picks, so that they
 * differ from point to point. One loop over plain integers: this runs a billion times.
 */
function scatter(n: number, d: number, seed: number): Float32Array {
  const next = generator(seed)
  const centres = Float32Array.from({ length: blobCount * d }, () => 1.2 * next() - 0.6)
  const normal = normalTable(next, spread)
  const x = new Float32Array(n * d)
  let state = 0x2545f491 ^ seed
  for (let i = 0, at = 0; i < n; i++) {
    state = step(state)
    const centre = ((state >>> 8) % blobCount) * d
    for (let j = 0; j < d; j++, at++) {
      state = step(state)
      x[at] = centres[centre + j] + normal[state & 0xfff] + normal[state >>> 20]
    }
  }
  return x
}

function randomRows({ x, n, d }: Points, k: number, seed: number): Float32Array {
  const next = generator(seed + 1)
  const rows = new Set<number>()
  while (rows.size < k) rows.add(Math.floor(next() * n))
  const centroids = new Float32Array(k * d)
  let c = 0
  for (const row of rows) centroids.set(x.subarray(row * d, (row + 1) * d), d * c++)
  return centroids
}

/** From rows spread evenly, as some data are sorted. */
function facts({ x, n, d }: Points): Pick<Blobs, 'meanVariance' | 'ranges'> {
  const rows = Math.min(n, maxRowsScanned)
  const [sums, squares] = [new Float64Array(d), new Float64Array(d)]
  const least = new Float64Array(d).fill(Number.POSITIVE_INFINITY)
  const most = new Float64Array(d).fill(Number.NEGATIVE_INFINITY)
  for (let i = 0; i < rows; i++) {
    const row = Math.floor((i * n) / rows)
    for (let j = 0, at = row * d; j < d; j++, at++) {
      sums[j] += x[at]
      squares[j] += x[at] * x[at]
      if (x[at] < least[j]) least[j] = x[at]
      if (x[at] > most[j]) most[j] = x[at]
    }
  }
  const variances = squares.map((square, j) => square / rows - (sums[j] / rows) ** 2)
  const meanVariance = variances.reduce((sum, variance) => sum + variance, 0) / d
  return { meanVariance, ranges: most.map((value, j) => value - least[j]) }
}
