const lanes = 32

/** The one order in which float64 numbers of features and of clusters are added up: kernels/contract.md, "Order of sums". */
export class LaneSum {
  readonly #sums = new Float64Array(lanes)
  #count = 0

  add(value: number): void {
    const lane = this.#count % lanes
    this.#sums[lane] = this.#count < lanes ? value : this.#sums[lane] + value
    this.#count++
  }

  total(): number {
    const sums = this.#sums.slice()
    let used = Math.min(this.#count, lanes)
    for (let step = lanes / 2; step > 0; step >>= 1) {
      for (let lane = 0; lane + step < used; lane++) sums[lane] += sums[lane + step]
      used = Math.min(used, step)
    }
    return this.#count === 0 ? 0 : sums[0]
  }

  /** Begins anew. */
  clear(): void {
    this.#count = 0
  }
}
