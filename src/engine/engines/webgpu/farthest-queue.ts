import { Slices } from '../../slices'

const blockPoints = 16_384

/** Points by falling distance, lowest index first among equals: a binary heap, O(n) to build, O(log n) a point. */
export class FarthestQueue {
  readonly #distances: Float64Array
  readonly #heap: Uint32Array
  #size: number

  private constructor(distances: Float64Array) {
    this.#distances = distances
    this.#heap = new Uint32Array(distances.length).map((_, point) => point)
    this.#size = distances.length
  }

  /** @param distances (n) of the points. */
  static async of(distances: Float64Array): Promise<FarthestQueue> {
    const queue = new FarthestQueue(distances)
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
    return this.#distances[b] - this.#distances[a] || a - b
  }
}
