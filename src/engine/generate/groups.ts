/**
 * Draws the group of a point: sizes fall by the factor `1 - imbalance` from each group to the next, all alike at 0.
 */
export class Groups {
  readonly #count: number
  /** (count) upper ends of the shares, ascending to 1; null where all are alike. */
  readonly #ends: Float64Array | null

  constructor(count: number, imbalance: number) {
    this.#count = count
    this.#ends = imbalance === 0 ? null : shareEnds(count, 1 - imbalance)
  }

  /** The group a 32-bit word falls into. */
  of(word: number): number {
    const at = word / 2 ** 32
    if (this.#ends === null) return Math.floor(at * this.#count)
    let low = 0
    let high = this.#count - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (at < this.#ends[middle]) high = middle
      else low = middle + 1
    }
    return low
  }
}

function shareEnds(count: number, factor: number): Float64Array {
  const ends = new Float64Array(count)
  let sum = 0
  let size = 1
  for (let group = 0; group < count; group++) {
    sum += size
    ends[group] = sum
    size *= factor
  }
  return ends.map((end) => end / sum)
}
