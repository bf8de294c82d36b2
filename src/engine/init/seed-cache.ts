/**
 * Rows that k-means++ chose, kept for points that are clustered again and again while somebody looks for k. The draws of a round depend
 * on the seed, the round and the number of candidates alone, so what was chosen for many clusters begins with what is chosen for
 * fewer of them with as many candidates: the same rows as without the cache.
 */
import type { PreparedPoints } from '../dataset/prepared'
import type { Coordinates } from '../engines/engine'
import { chooseRows } from './index'
import { candidatesFor } from './k-means-plus-plus'
import type { SeedingProvider } from './kernel'
import { takeRows } from './rows'

/** What is chosen ahead takes at most so many multiply-adds: about a third of a second of two cores. */
const maxProducts = 2 ** 31
/** Clusters ahead of those that were asked for. */
const stepsAhead = 6

export class SeedCache {
  /** @param largestK that will be asked for: what is chosen, is chosen for it and all below it at once; 0: for nothing more */
  constructor(private readonly largestK = 0) {}

  #hits = 0

  /** How often nothing had to be chosen. */
  get hits(): number {
    return this.#hits
  }

  readonly #chosen = new WeakMap<Coordinates, Map<string, Int32Array>>()

  /** As `seed` with k-means++. @throws LabError `cancelled` */
  async centroids(
    points: PreparedPoints,
    k: number,
    seed: number,
    kernel: SeedingProvider,
    signal: AbortSignal,
  ): Promise<Coordinates> {
    if (this.#known(points, k, seed) !== null) this.#hits++
    return takeRows(points, await this.#rows(points, k, seed, kernel, signal))
  }

  /**
   * Chooses for the numbers of clusters that are likely to be asked for next: a few more and a few fewer.
   * Rejects with LabError `cancelled`; what was chosen until then stays.
   */
  async ahead(
    points: PreparedPoints,
    k: number,
    seed: number,
    kernel: SeedingProvider,
    signal: AbortSignal,
  ): Promise<void> {
    for (const next of likely(k, points.n)) {
      if (points.n * points.d * next * candidatesFor(next) > maxProducts) continue
      await this.#rows(points, next, seed, kernel, signal)
    }
  }

  async #rows(
    points: PreparedPoints,
    k: number,
    seed: number,
    kernel: SeedingProvider,
    signal: AbortSignal,
  ): Promise<Int32Array> {
    const found = this.#known(points, k, seed)
    if (found !== null) return found
    const known = this.#chosen.get(points.x) ?? new Map<string, Int32Array>()
    this.#chosen.set(points.x, known)
    const key = keyOf(k, seed)
    const rows = await chooseRows(points, this.#largestWithSameCandidates(k), seed, kernel, signal)
    if (rows.length > (known.get(key)?.length ?? 0)) known.set(key, rows)
    return rows.subarray(0, k)
  }

  #known({ x }: PreparedPoints, k: number, seed: number): Int32Array | null {
    const found = this.#chosen.get(x)?.get(keyOf(k, seed))
    return found !== undefined && found.length >= k ? found.subarray(0, k) : null
  }

  /** The largest number of clusters that will be asked for and has as many candidates as k. */
  #largestWithSameCandidates(k: number): number {
    let most = k
    while (most < this.largestK && candidatesFor(most + 1) === candidatesFor(k)) most++
    return most
  }
}

function keyOf(k: number, seed: number): string {
  return `${seed} ${candidatesFor(k)}`
}

/** The largest of each number of candidates among the neighbours of k: the others begin alike. Those next to k come first. */
function likely(k: number, n: number): readonly number[] {
  const largest = new Map<number, number>()
  for (let step = 1; step <= stepsAhead; step++) {
    for (const near of [k + step, k - step]) {
      if (near < 1 || near > n) continue
      const candidates = candidatesFor(near)
      largest.set(candidates, Math.max(near, largest.get(candidates) ?? 0))
    }
  }
  return [...largest.values()]
}
