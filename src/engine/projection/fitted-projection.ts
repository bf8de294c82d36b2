import type { Projection } from '@shared/projection'
import { putByRow } from '../dataset/by-row'
import type { Preparation, PreparedPoints } from '../dataset/prepared'
import { Slices, throwIfAborted } from '../slices'
import { CentredPoints } from './centred-points'
import { principalComponents, type PrincipalComponents } from './principal-components'
import { dot } from './vectors'

/** Powers of two on either side of which float32 would lose digits of the scores. */
const farthestExponent = 60

/**
 * Fits principal components to prepared points and scores the first `most` of them. Cost as `principalComponents` and
 * O(n d components); keeps 4 bytes a point and component, not the points.
 * @throws LabError `cancelled`
 */
export async function fitProjection(
  points: PreparedPoints,
  most: number,
  signal: AbortSignal,
): Promise<FittedProjection> {
  const slices = new Slices(signal)
  const centred = await CentredPoints.of(points, slices)
  const components = firstOf(await principalComponents(centred, slices), most)
  const scores = await scoresOf(centred, components, heldPower(points.exponent), slices)
  throwIfAborted(signal)
  return new FittedProjection(points, centred.mean, components, scores)
}

function firstOf(components: PrincipalComponents, most: number): PrincipalComponents {
  const { directions, variances } = components
  return { ...components, directions: directions.slice(0, most), variances: variances.slice(0, most) }
}

/** What the scores of engine units are multiplied with to be held: into scaled units where float32 can. */
function heldPower(exponent: number): number {
  return Math.abs(exponent) <= farthestExponent ? exponent : 0
}

/** Of one component. */
interface Scores {
  /** (n) */
  readonly values: Float32Array
  min: number
  max: number
}

/** (components) */
async function scoresOf(
  centred: CentredPoints,
  { directions }: PrincipalComponents,
  power: number,
  slices: Slices,
): Promise<Scores[]> {
  const factor = 2 ** power
  const scores = directions.map(() => ({
    values: new Float32Array(centred.n),
    min: Infinity,
    max: -Infinity,
  }))
  await centred.eachBlock(1, slices, ([row], point) => {
    for (let c = 0; c < directions.length; c++) put(scores[c], point, dot(directions[c], row) * factor)
  })
  return scores
}

/** The range is that of the scores as they are held. */
function put(scores: Scores, point: number, score: number): void {
  scores.values[point] = score
  const held = scores.values[point]
  if (held < scores.min) scores.min = held
  if (held > scores.max) scores.max = held
}

/** Principal components of prepared points, with the scores of all of them. */
export class FittedProjection {
  readonly facts: Omit<Projection, 'id'>
  /** Of the points it was fitted to. */
  readonly preparation: Preparation
  readonly #rows: Uint32Array | null
  readonly #unit: number
  readonly #mean: Float64Array
  readonly #directions: readonly Float64Array[]
  readonly #scores: readonly Scores[]

  /** @param scores (components), in scaled units times 2^(heldPower - exponent) */
  constructor(
    points: PreparedPoints,
    mean: Float64Array,
    components: PrincipalComponents,
    scores: readonly Scores[],
  ) {
    const exponent = points.exponent - heldPower(points.exponent)
    this.preparation = points.preparation
    this.#rows = points.rows
    this.#unit = 2 ** points.exponent
    this.#mean = mean
    this.#directions = components.directions
    this.#scores = scores
    this.facts = {
      ...{ n: points.n, d: points.d, exponent },
      explained: sharesOf(components),
      ranges: scores.map(({ min, max }) => ({ min: min * 2 ** exponent, max: max * 2 ** exponent })),
      map: mapOf(points, mean, components),
    }
  }

  /** Held by the scores. */
  get bytes(): number {
    return this.#scores.reduce((sum, { values }) => sum + values.byteLength, 0)
  }

  get components(): number {
    return this.#directions.length
  }

  /** Scores of dataset rows on one component, times 2^-exponent; NaN for rows that are no points. */
  scores(component: number, start: number, count: number): Float32Array {
    return putByRow(this.#scores[component].values, this.#rows, start, new Float32Array(count).fill(NaN))
  }

  /**
   * Centroids (k, d) in engine units of the same preparation -> (k, components) in units of the scaled data; NaN
   * where a centroid is.
   */
  scoresOfCentroids(centroids: ArrayLike<number>, k: number): Float64Array {
    const d = this.#mean.length
    const count = this.components
    const scores = new Float64Array(k * count)
    for (let cluster = 0; cluster < k; cluster++) {
      const row = this.#mean.map((mean, j) => centroids[cluster * d + j] - mean)
      for (let c = 0; c < count; c++) scores[cluster * count + c] = dot(this.#directions[c], row) * this.#unit
    }
    return scores
  }
}

function sharesOf({ variances, totalVariance }: PrincipalComponents): number[] {
  return variances.map((variance) => (totalVariance === 0 ? 0 : Math.min(1, variance / totalVariance)))
}

/** Scaled value = engine value * 2^exponent and file value = offset + step * engine value, put together. */
function mapOf(
  { preparation, transform, exponent }: PreparedPoints,
  mean: Float64Array,
  { directions }: PrincipalComponents,
): Projection['map'] {
  if (preparation.scaling === 'unit-length') return null
  const { offset, step } = transform
  const unit = 2 ** exponent
  return {
    offset: Array.from(mean, (value, j) => offset[j] + step[j] * value),
    weights: directions.flatMap((direction) =>
      Array.from(direction, (loading, j) => loading * (unit / step[j])),
    ),
  }
}
