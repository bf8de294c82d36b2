import type { Coordinates } from '../engines/engine'
import { Slices } from '../slices'
import { candidatesFor } from './k-means-plus-plus'
import { Draws, streams } from './philox'

/**
 * Greedy k-means++ over m weighted candidates, the last step of k-means||. Answers positions in the list, fewer
 * than k when fewer candidates are distinct. O(m d k log k) in float64, summed in the order of the list.
 * Stream `kMeansParallelReseed`, addresses as in k-means++.
 * @param x (m, d) coordinates. @param weights (m) points nearest to each.
 */
export async function weightedSeeding(
  x: Coordinates,
  weights: Float64Array,
  d: number,
  k: number,
  seed: number,
  signal: AbortSignal,
): Promise<number[]> {
  const draws = new Draws(seed, streams.kMeansParallelReseed)
  const slices = new Slices(signal)
  const potential = new Potential(x, weights, d)
  const chosen = [pick(weights, draws.uniform(0, 0) * sum(weights))]
  potential.commit(chosen[0])
  while (chosen.length < k && potential.total > 0) {
    let best = -1
    let smallest = Number.POSITIVE_INFINITY
    for (let l = 0; l < candidatesFor(k); l++) {
      const candidate = pick(potential.weighted, draws.uniform(chosen.length, l) * potential.total)
      const sumWith = potential.with(candidate)
      if (best < 0 || sumWith < smallest) [best, smallest] = [candidate, sumWith]
      await slices.next()
    }
    chosen.push(best)
    potential.commit(best)
  }
  return chosen
}

/** Weighted squared distances of the candidates to the nearest chosen one. */
class Potential {
  /** (m) weight times D2. */
  readonly weighted: Float64Array
  total = 0
  readonly #x: Coordinates
  readonly #weights: Float64Array
  readonly #d: number
  readonly #nearest: Float64Array

  constructor(x: Coordinates, weights: Float64Array, d: number) {
    this.#x = x
    this.#weights = weights
    this.#d = d
    this.#nearest = new Float64Array(weights.length).fill(Number.POSITIVE_INFINITY)
    this.weighted = new Float64Array(weights.length)
  }

  /** The total if this candidate were chosen too. */
  with(candidate: number): number {
    let total = 0
    for (let i = 0; i < this.#weights.length; i++) {
      total += this.#weights[i] * Math.min(this.#nearest[i], this.#distance(i, candidate))
    }
    return total
  }

  commit(candidate: number): void {
    for (let i = 0; i < this.#weights.length; i++) {
      this.#nearest[i] = Math.min(this.#nearest[i], this.#distance(i, candidate))
      this.weighted[i] = this.#weights[i] * this.#nearest[i]
    }
    this.total = sum(this.weighted)
  }

  #distance(a: number, b: number): number {
    const d = this.#d
    let squared = 0
    for (let j = 0; j < d; j++) {
      const difference = this.#x[a * d + j] - this.#x[b * d + j]
      squared += difference * difference
    }
    return squared
  }
}

function sum(values: Float64Array): number {
  let total = 0
  for (const value of values) total += value
  return total
}

/** First position whose running sum exceeds the target; by rounding past the end, the last with a weight. */
function pick(weights: Float64Array, target: number): number {
  let running = 0
  let last = 0
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] === 0) continue
    running += weights[i]
    if (running > target) return i
    last = i
  }
  return last
}
