import type { PreparedPoints } from '@engine/dataset/prepared'
import {
  defaultRunConfig,
  emptyPolicies,
  initMethods,
  stopRules,
  type InitMethod,
  type RunConfig,
} from '@shared/run-config'
import { centredPoints, generator, unitPoints } from '../parity/fixtures'
import { preparedPoints } from '../parity/prepared-points'

/** A run whose result is one sequence of bytes on every engine (kernels/contract.md, "Canonical"). */
export interface HashCase {
  readonly name: string
  readonly config: RunConfig
  points(): PreparedPoints
}

type Values = (n: number, d: number, next: () => number) => Float64Array

const caseCount = 330
/** Multiply-adds of an iteration, at most. */
const largestWork = 1_500_000
const maxPoints = 2600
const dimensions = [1, 2, 3, 2, 4, 5, 8, 7, 9, 16, 2, 17, 24, 33, 8, 48, 64, 3, 100, 130, 257, 300] as const
const clusterCounts = [3, 10, 32, 1, 5, 33, 64, 2, 100, 13, 200, 31, 400] as const
/** Of whole files of centroids there is nothing to seed. */
const seedings: readonly InitMethod[] = initMethods.filter((init) => init !== 'file')

const plain: Values = (n, d, next) => Float64Array.from({ length: n * d }, () => next() + next() - 1)

/** Around eight centres. */
const blobs: Values = (n, d, next) => {
  const centres = Float64Array.from({ length: 8 * d }, () => next() * 10)
  const values = plain(n, d, next)
  for (let i = 0; i < n; i++) {
    const centre = Math.floor(next() * 8)
    for (let j = 0; j < d; j++) values[i * d + j] += centres[centre * d + j]
  }
  return values
}

const lattice = (side: number): Values => {
  return (n, d, next) => Float64Array.from({ length: n * d }, () => Math.floor(next() * (side + 1)))
}

/** One point in three is another once more. */
const duplicates: Values = (n, d, next) => {
  const values = plain(n, d, next)
  for (let i = 0; i < n; i += 3) {
    const from = Math.floor(next() * n)
    values.set(values.slice(from * d, (from + 1) * d), i * d)
  }
  return values
}

/** Every point beside its mirror image: distances that differ in the last bits, or not at all. */
const mirrored: Values = (n, d, next) => {
  const values = plain(n, d, next)
  for (let i = 0; i + 1 < n; i += 2) {
    for (let j = 0; j < d; j++) values[(i + 1) * d + j] = -values[i * d + j]
  }
  return values
}

/** As real tables are: most values small, few twenty times as far out. */
const skewed: Values = (n, d, next) =>
  Float64Array.from({ length: n * d }, () => 1 / (0.05 + next()) + (next() < 0.001 ? 400 : 0))

const spread: Values = (n, d, next) => {
  const values = plain(n, d, next)
  return values.map((value, at) => value * 2 ** (-9 * ((at % d) % 7)))
}

const constantColumns: Values = (n, d, next) =>
  plain(n, d, next).map((value, at) => ((at % d) % 3 === 1 ? 7 : value))

const moved =
  (values: Values, scale: number, offset: number): Values =>
  (n, d, next) =>
    values(n, d, next).map((value) => offset + scale * value)

const kinds: Readonly<Record<string, Values>> = {
  noise: plain,
  blobs,
  'lattice of 2': lattice(1),
  'lattice of 5': lattice(4),
  'lattice of 40': lattice(39),
  duplicates,
  mirrored,
  skewed,
  'columns of very different scale': spread,
  'constant columns': constantColumns,
  'an offset of 1e9': moved(blobs, 5, 1e9),
  'an offset of 1e6, scale 1e-3': moved(blobs, 1e-3, 1e6),
  'scale 1e20': moved(blobs, 1e20, 0),
  'scale 1e-20': moved(plain, 1e-20, 0),
}

/** All cases: every kind of data with every seeding, stop rule and empty policy, by numbers that share no divisor. */
export function hashCases(): HashCase[] {
  return Array.from({ length: caseCount }, (_, number) => caseOf(number))
}

function caseOf(number: number): HashCase {
  const names = Object.keys(kinds)
  const kind = names[number % names.length]
  const d = dimensions[(7 * number + Math.floor(number / names.length)) % dimensions.length]
  const wanted = clusterCounts[(5 * number + Math.floor(number / 11)) % clusterCounts.length]
  const isNear = number % 17 === 16
  const n = isNear
    ? wanted + 3
    : Math.max(wanted + 1, Math.min(maxPoints, Math.floor(largestWork / (d * wanted))) - (number % 70))
  const init = seedings[number % seedings.length]
  const stop = stopRules[Math.floor(number / 3) % stopRules.length]
  const empty = emptyPolicies[number % emptyPolicies.length]
  const nInit = number % 23 === 5 ? 3 : 1
  const config: RunConfig = {
    ...defaultRunConfig,
    ...{
      k: wanted,
      init,
      stop,
      empty,
      nInit,
      seed: number,
      maxIterations: 3 + (number % 10),
      timing: 'total',
    },
  }
  const restarts = nInit === 1 ? '' : `, ${nInit} restarts`
  return {
    name: `${number}: ${kind}, n = ${n}, d = ${d}, k = ${wanted}, ${init}, ${stop}, ${empty}${restarts}`,
    config,
    points: () => {
      const values = kinds[kind](n, d, generator(1000 + number))
      // A lattice stays one: multiples of a power of two.
      return preparedPoints(number % 2 === 0 ? centredPoints(values, n, d) : unitPoints(values, n, d))
    },
  }
}
