import { Slices } from '../../slices'

const blockPoints = 16_384

/** Distances whose difference is below this share of them are compared exactly: float64 sums are off by far less. */
const unsure = 1e-9

/** Points by falling exact distance, lowest index first among equals: a binary heap, O(n) to build, O(log n) a point. */
export class FarthestQueue {
  readonly #distances: Float64Array
  readonly #exact: (point: number) => bigint
  /** Of points that were compared exactly: among equal ones each is, a dozen times. */
  readonly #known = new Map<number, bigint>()
  readonly #heap: Uint32Array
  #size: number

  private constructor(distances: Float64Array, exact: (point: number) => bigint) {
    this.#distances = distances
    this.#exact = exact
    this.#heap = new Uint32Array(distances.length).map((_, point) => point)
    this.#size = distances.length
  }

  /** @param distances (n) of the points, squared, in float64; @param exact of a point, for those that lie close together */
  static async of(distances: Float64Array, exact: (point: number) => bigint): Promise<FarthestQueue> {
    const queue = new FarthestQueue(distances, exact)
    const slices = new Slices()
    for (let at = (queue.#size >> 1) - 1; at >= 0; at--) {
      queue.#sink(at)
      if (at % blockPoints === 0) await slices.next()
    }
    return queue
  }

  /** The farthest point that is left, or undefined. */
  take(): number | undefined {
    if (this.#size === 0) return undefined
    const farthest = this.#heap[0]
    this.#heap[0] = this.#heap[--this.#size]
    this.#sink(0)
    return farthest
  }

  #sink(from: number): void {
    const point = this.#heap[from]
    let at = from
    for (;;) {
      const child = this.#before(2 * at + 2, 2 * at + 1) ? 2 * at + 2 : 2 * at + 1
      if (child >= this.#size || this.#compare(point, this.#heap[child]) <= 0) break
      this.#heap[at] = this.#heap[child]
      at = child
    }
    this.#heap[at] = point
  }

  /** Is the right child there, and before the left one? */
  #before(right: number, left: number): boolean {
    return right < this.#size && this.#compare(this.#heap[right], this.#heap[left]) < 0
  }

  #compare(a: number, b: number): number {
    const difference = this.#distances[b] - this.#distances[a]
    if (Math.abs(difference) > unsure * this.#distances[a]) return difference
    // No square of a difference of float32 numbers underflows in float64.
    if (this.#distances[a] === 0) return a - b
    const exactly = this.#exactOf(b) - this.#exactOf(a)
    return exactly === 0n ? a - b : exactly > 0n ? 1 : -1
  }

  #exactOf(point: number): bigint {
    const known = this.#known.get(point) ?? this.#exact(point)
    this.#known.set(point, known)
    return known
  }
}
