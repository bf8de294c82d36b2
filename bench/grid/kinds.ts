import type { Points } from '@engine/engines/engine'
import type { RunShape } from '@shared/variant'
import { pointsOf } from '@tests/parity/fixtures'
import { startOn, type Blobs } from '../blobs'
import { Draws } from '../draws'

/** Kinds of data that the grid has. */
export const kinds = [
  'normal',
  'uniform',
  'blobs-20',
  'blobs-k',
  'skew',
  'lattice',
  'sorted',
  'duplicates',
  'embeddings',
] as const
export type Kind = (typeof kinds)[number]

/** What each kind is, for the page with the figures. */
export const kindNotes: Readonly<Record<Kind, string>> = {
  normal: 'independent normal numbers',
  uniform: 'independent uniform numbers',
  'blobs-20':
    'twenty Gaussian blobs, whatever k is; their centres ten deviations wide up to 8 features, two beyond',
  'blobs-k': 'as many such blobs as clusters',
  skew: 'log-normal, neighbouring features correlated, one row in a thousand 20 times as far out',
  lattice: 'whole numbers from 0 to 15, with many equal distances',
  sorted: 'normal numbers, rows ordered by the first feature',
  duplicates: 'normal rows, each some fifty times',
  embeddings:
    'unit rows: a mixture of 64 low-rank blobs whose directions lose weight, as language models give them',
}

/** Writes the coordinates of one row. */
type Row = (row: Float32Array) => void

/** The data of one cell, always the same for the same cell and seed: engine units, distinct random rows as the start. */
export function makeData(kind: Kind, shape: RunShape, seed: number): Blobs {
  return startOn(makePoints(kind, shape, seed), shape.k, seed)
}

/** As `makeData`, for cells in a row of which many differ in k alone: their points are made once. */
export function dataMaker(seed: number): (cell: RunShape & { readonly kind: Kind }) => Blobs {
  let kept: { readonly key: string; readonly points: Points } | null = null
  return (cell) => {
    const { kind, n, d, k } = cell
    const key = [kind, n, d, kind === 'blobs-k' ? k : ''].join(' ')
    if (kept?.key !== key) {
      // Two sets of points need not fit beside each other.
      kept = null
      kept = { key, points: makePoints(kind, cell, seed) }
    }
    return startOn(kept.points, k, seed)
  }
}

function makePoints(kind: Kind, { n, d, k }: RunShape, seed: number): Points {
  const draws = new Draws(seed)
  const x = new Float32Array(n * d)
  const next = rowsOf[kind](draws, { n, d, k })
  for (let i = 0; i < n; i++) next(x.subarray(i * d, (i + 1) * d))
  return inEngineUnits(kind === 'sorted' ? byFirstFeature(x, n, d) : x, n, d)
}

const rowsOf: Readonly<Record<Kind, (draws: Draws, shape: RunShape) => Row>> = {
  normal,
  sorted: normal,
  uniform: (draws) => (row) => {
    for (let j = 0; j < row.length; j++) row[j] = draws.uniform() - 0.5
  },
  'blobs-20': (draws, { d }) => blobs(draws, 20, d),
  'blobs-k': (draws, { d, k }) => blobs(draws, k, d),
  skew,
  lattice: (draws) => (row) => {
    for (let j = 0; j < row.length; j++) row[j] = draws.below(16) - 8
  },
  duplicates,
  embeddings,
}

function normal(draws: Draws): Row {
  return (row) => {
    for (let j = 0; j < row.length; j++) row[j] = draws.normal()
  }
}

/** Blobs as wide as 1. */
function blobs(draws: Draws, count: number, d: number): Row {
  const spread = d <= 8 ? 10 : 2
  const centres = Float32Array.from({ length: count * d }, () => spread * draws.normal())
  return (row) => {
    const centre = draws.below(count) * d
    for (let j = 0; j < d; j++) row[j] = centres[centre + j] + draws.normal()
  }
}

/** Each logarithm is a mean of three neighbours of a row of normal numbers, of deviation .6. */
function skew(draws: Draws, { d }: RunShape): Row {
  const logs = new Float32Array(d + 2)
  const weight = 0.6 / Math.sqrt(3)
  const mean = Math.exp(0.18)
  return (row) => {
    for (let j = 0; j < d + 2; j++) logs[j] = draws.normal()
    const size = draws.below(1000) === 0 ? 20 : 1
    for (let j = 0; j < d; j++) {
      row[j] = size * (Math.exp(weight * (logs[j] + logs[j + 1] + logs[j + 2])) - mean)
    }
  }
}

function duplicates(draws: Draws, { n, d }: RunShape): Row {
  const count = Math.max(1, Math.min(10_000, Math.floor(n / 50)))
  const distinct = Float32Array.from({ length: count * d }, () => draws.normal())
  return (row) => {
    const from = draws.below(count) * d
    row.set(distinct.subarray(from, from + d))
  }
}

/** Centre of a blob, plus a combination of at most 32 directions of falling weight, plus a little of everything; of length 1. */
function embeddings(draws: Draws, { d }: RunShape): Row {
  const [count, rank] = [64, Math.min(d, 32)]
  const centres = Float32Array.from({ length: count * d }, () => draws.normal())
  const directions = Float32Array.from({ length: rank * d }, () => draws.normal())
  return (row) => {
    const centre = draws.below(count) * d
    for (let j = 0; j < d; j++) row[j] = centres[centre + j] + 0.2 * draws.normal()
    for (let r = 0, at = 0; r < rank; r++) {
      const weight = (draws.normal() * 1.5) / Math.sqrt(r + 1)
      for (let j = 0; j < d; j++, at++) row[j] += weight * directions[at]
    }
    const length = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0))
    for (let j = 0; j < d; j++) row[j] /= length
  }
}

function byFirstFeature(x: Float32Array, n: number, d: number): Float32Array {
  const order = Int32Array.from({ length: n }, (_, i) => i).sort((a, b) => x[a * d] - x[b * d])
  const sorted = new Float32Array(n * d)
  order.forEach((row, i) => sorted.set(x.subarray(row * d, (row + 1) * d), i * d))
  return sorted
}

/** Largest magnitude in [0.5, 1) by a power of two, in place. */
function inEngineUnits(x: Float32Array, n: number, d: number): Points {
  let largest = 0
  for (const value of x) largest = Math.max(largest, Math.abs(value))
  const unit = largest === 0 ? 1 : 2 ** -(Math.floor(Math.log2(largest)) + 1)
  for (let at = 0; at < x.length; at++) x[at] *= unit
  return pointsOf(x, n, d)
}
