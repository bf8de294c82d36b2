const lanes = 32
const folded = new Float64Array(lanes)

/** The one order in which float64 numbers of features and of clusters are added up: kernels/contract.md, "Order of sums". */
export class LaneSum {
  readonly #sums = new Float64Array(lanes)
  #count = 0

  add(value: number): void {
    const lane = this.#count & (lanes - 1)
    this.#sums[lane] = this.#count < lanes ? value : this.#sums[lane] + value
    this.#count++
  }

  total(): number {
    const used = Math.min(this.#count, lanes)
    for (let lane = 0; lane < used; lane++) folded[lane] = this.#sums[lane]
    return fold(folded, used)
  }

  /** Begins anew. */
  clear(): void {
    this.#count = 0
  }
}

const squares = new Float64Array(lanes)
/** Outside of a number's own memory: a variable that changes would get new memory for every change. */
const largest = new Float64Array(1)

/** Forgets the changes that `squaresBetween` met. */
export function forgetLargestChange(): void {
  largest[0] = 0
}

/** Of all rows since it was forgotten. */
export function largestChange(): number {
  return largest[0]
}

/** The same of the squares of differences of two rows, of which there are thousands in every iteration; notes the largest change. */
export function squaresBetween(before: Float32Array, after: Float32Array, row: number, d: number): number {
  const used = Math.min(d, lanes)
  let most = largest[0]
  for (let lane = 0; lane < used; lane++) {
    const change = after[row + lane] - before[row + lane]
    squares[lane] = change * change
    most = Math.max(most, Math.abs(change))
  }
  for (let first = row + lanes; first < row + d; first += lanes) {
    const present = Math.min(lanes, row + d - first)
    for (let lane = 0; lane < present; lane++) {
      const change = after[first + lane] - before[first + lane]
      squares[lane] += change * change
      most = Math.max(most, Math.abs(change))
    }
  }
  largest[0] = most
  return fold(squares, used)
}

/** Adds up what is left in the lanes, and leaves nothing of use there. */
function fold(sums: Float64Array, count: number): number {
  let used = count
  for (let step = lanes / 2; step > 0; step >>= 1) {
    for (let lane = 0; lane + step < used; lane++) sums[lane] += sums[lane + step]
    if (step < used) used = step
  }
  return count === 0 ? 0 : sums[0]
}
