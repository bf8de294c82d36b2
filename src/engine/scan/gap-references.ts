import { gapStatistic } from '@shared/metrics/gap-statistic'
import type { GapStatistic } from '@shared/scan'
import { emptyLike } from '../dataset/coordinates'
import type { PreparedPoints } from '../dataset/prepared'
import { Draws, streams } from '../init/philox'
import type { ClusteringJob } from '../run/types'
import { Slices } from '../slices'
import { runAllRestarts } from './restarts'

export const gapReferences = 10

/** References that are kept between two k; larger ones are drawn again. */
const keptBytes = 256 * 2 ** 20
const blockValues = 1 << 14
const wordsOfBlock = 4

/** Lowest and highest value of each feature, engine units. */
interface Box {
  readonly low: Float64Array
  readonly high: Float64Array
}

export interface GapRequest {
  readonly job: Omit<ClusteringJob, 'points' | 'restartDone' | 'seeds'>
  /** Of the data, units of the scaled data. */
  readonly inertia: number
  /** Inertias of the first references. */
  readonly known: number[]
}

/** Data without clusters, uniform over the box of the scaled points, as many as these (Tibshirani, Walther and Hastie 2001). */
export class GapReferences {
  readonly #points: PreparedPoints
  readonly #seed: number
  readonly #kept = new Map<number, PreparedPoints>()
  #box: Box | null = null

  constructor(points: PreparedPoints, seed: number) {
    this.#points = points
    this.#seed = seed
  }

  /**
   * The gap statistic of one k.
   * @param asked how the data were clustered, as the references are, and what of them is known: what is finished is added
   * @param onReference told after each
   * @throws LabError as `cluster`
   */
  async gap(
    { job, inertia, known }: GapRequest,
    onReference: (done: number) => void,
    signal: AbortSignal,
  ): Promise<GapStatistic | null> {
    for (let number = known.length; number < gapReferences; number++) {
      const points = await this.#reference(number, signal)
      const { best } = await runAllRestarts({ ...job, points }, signal)
      known.push(best.summary.inertia)
      onReference(number + 1)
    }
    return gapStatistic(inertia, known)
  }

  async #reference(number: number, signal: AbortSignal): Promise<PreparedPoints> {
    const kept = this.#kept.get(number)
    if (kept !== undefined) return kept
    const slices = new Slices(signal)
    this.#box ??= await boxOf(this.#points, slices)
    const drawn = await uniformPoints(this.#points, this.#box, new Draws(this.#seed, streams.gapReference), {
      number,
      slices,
    })
    if (gapReferences * drawn.x.byteLength <= keptBytes) this.#kept.set(number, drawn)
    return drawn
  }
}

async function boxOf({ x, d }: PreparedPoints, slices: Slices): Promise<Box> {
  const low = new Float64Array(d).fill(Infinity)
  const high = new Float64Array(d).fill(-Infinity)
  for (let at = 0; at < x.length; at++) {
    const j = at % d
    if (x[at] < low[j]) low[j] = x[at]
    if (x[at] > high[j]) high[j] = x[at]
    if (at % blockValues === 0) await slices.next()
  }
  return { low, high }
}

/** A coordinate is a word of Philox: word w of block b, round `number`, is coordinate 4 b + w. */
async function uniformPoints(
  like: PreparedPoints,
  { low, high }: Box,
  draws: Draws,
  { number, slices }: { readonly number: number; readonly slices: Slices },
): Promise<PreparedPoints> {
  const { n, d, exponent } = like
  const x = emptyLike(like.x, n * d)
  for (let block = 0; block * wordsOfBlock < x.length; block++) {
    const words = draws.words(number, block)
    for (let word = 0, at = block * wordsOfBlock; word < wordsOfBlock && at < x.length; word++, at++) {
      const j = at % d
      x[at] = low[j] + ((words[word] + 0.5) / 2 ** 32) * (high[j] - low[j])
    }
    if ((block * wordsOfBlock) % blockValues === 0) await slices.next()
  }
  const ranges = high.map((value, j) => value - low[j])
  const variance = ranges.reduce((sum, range) => sum + range ** 2 / 12, 0) / d
  return {
    ...like,
    x,
    meanVariance: variance * 2 ** exponent * 2 ** exponent,
    totalSumOfSquares: variance * n * d * 2 ** exponent * 2 ** exponent,
  }
}
