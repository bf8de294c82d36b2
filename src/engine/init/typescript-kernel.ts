import type { Coordinates } from '../engines/engine'
import { Slices } from '../slices'
import type { SeedingKernel, SeedingState } from './kernel'

const blockPoints = 1024
const lanes = 8
/** Multiplications between two looks at the clock. */
const productsAtOnce = 1_000_000

/** The definition in kernel.ts, written out: used where the native addon was not built. */
export const typescriptKernel: SeedingKernel = {
  name: 'typescript',
  open: (x, n, d) => new TypescriptState(x, n, d),
}

class TypescriptState implements SeedingState {
  readonly #x: Coordinates
  readonly #n: number
  readonly #d: number
  readonly #nearest: Float64Array
  /** Sum of D2 of each block of 1024 points. */
  readonly #blockSums: Float64Array
  /** Minimum of one block, before it is summed. */
  readonly #scratch = new Float64Array(blockPoints)

  constructor(x: Coordinates, n: number, d: number) {
    this.#x = x
    this.#n = n
    this.#d = d
    this.#nearest = new Float64Array(n).fill(Number.POSITIVE_INFINITY)
    this.#blockSums = new Float64Array(Math.ceil(n / blockPoints)).fill(Number.POSITIVE_INFINITY)
  }

  async potentials(candidates: Int32Array): Promise<Float64Array> {
    const sums = new Float64Array(candidates.length)
    const slices = new Slices()
    for (let start = 0; start < this.#n; start += blockPoints) {
      const count = Math.min(blockPoints, this.#n - start)
      candidates.forEach((row, position) => {
        for (let i = 0; i < count; i++) {
          this.#scratch[i] = Math.min(this.#nearest[start + i], this.#distance(start + i, row))
        }
        sums[position] += laneSum(this.#scratch, 0, count)
      })
      await slices.next()
    }
    return sums
  }

  async commit(rows: Int32Array): Promise<number> {
    const slices = new Slices()
    const nearest = this.#nearest
    let sum = 0
    for (let start = 0; start < this.#n; start += blockPoints) {
      const count = Math.min(blockPoints, this.#n - start)
      for (const row of rows) {
        for (let i = start; i < start + count; i++) nearest[i] = Math.min(nearest[i], this.#distance(i, row))
        await slices.next()
      }
      const blockSum = laneSum(nearest, start, count)
      this.#blockSums[start / blockPoints] = blockSum
      sum += blockSum
      await slices.next()
    }
    return sum
  }

  async pick(targets: Float64Array): Promise<Int32Array> {
    return Int32Array.from(targets, (target) => this.#pickOne(target))
  }

  async distances(start: number, count: number): Promise<Float64Array> {
    return this.#nearest.slice(start, start + count)
  }

  async nearestCounts(rows: Int32Array): Promise<Float64Array> {
    const counts = new Float64Array(rows.length)
    const slices = new Slices()
    const stride = Math.ceil(productsAtOnce / (rows.length * this.#d))
    for (let i = 0; i < this.#n; i++) {
      counts[this.#nearestOf(i, rows)]++
      if (i % stride === 0) await slices.next()
    }
    return counts
  }

  close(): void {
    // Nothing to free: the arrays go with the object.
  }

  #distance(point: number, row: number): number {
    const x = this.#x
    const d = this.#d
    let from = point * d
    let to = row * d
    let sum = 0
    for (let j = 0; j < d; j++) {
      const difference = x[from++] - x[to++]
      sum += difference * difference
    }
    return sum
  }

  #nearestOf(point: number, rows: Int32Array): number {
    let best = 0
    let smallest = this.#distance(point, rows[0])
    for (let position = 1; position < rows.length; position++) {
      const distance = this.#distance(point, rows[position])
      if (distance < smallest) {
        smallest = distance
        best = position
      }
    }
    return best
  }

  #pickOne(target: number): number {
    let before = 0
    for (let block = 0; block < this.#blockSums.length; block++) {
      const after = before + this.#blockSums[block]
      if (after > target) {
        const found = this.#pickInBlock(block, before, target)
        if (found >= 0) return found
      }
      before = after
    }
    return this.#lastWithDistance()
  }

  #pickInBlock(block: number, before: number, target: number): number {
    const start = block * blockPoints
    const end = Math.min(this.#n, start + blockPoints)
    let running = before
    for (let i = start; i < end; i++) {
      running += this.#nearest[i]
      if (running > target && this.#nearest[i] > 0) return i
    }
    return -1
  }

  #lastWithDistance(): number {
    for (let i = this.#n - 1; i >= 0; i--) if (this.#nearest[i] > 0) return i
    return this.#n - 1
  }
}

/** Sum of `count` values from `start` in 8 lanes (see kernel.ts). */
function laneSum(values: Float64Array, start: number, count: number): number {
  const lane = new Float64Array(lanes)
  for (let i = 0; i < count; i++) lane[i % lanes] += values[start + i]
  return lane[0] + lane[1] + (lane[2] + lane[3]) + (lane[4] + lane[5] + (lane[6] + lane[7]))
}
