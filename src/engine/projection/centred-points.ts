import type { AnyPoints, Coordinates } from '../engines/engine'
import type { Slices } from '../slices'

/** Values touched between two looks at the clock. */
const blockValues = 1 << 15

/** Points about their mean, in float64, engine units. */
export class CentredPoints {
  readonly n: number
  readonly d: number
  /** (d) */
  readonly mean: Float64Array
  readonly #x: Coordinates

  private constructor({ x, n, d }: AnyPoints, mean: Float64Array) {
    this.n = n
    this.d = d
    this.mean = mean
    this.#x = x
  }

  /**
   * The mean is taken of the differences to the first point: a constant feature then has exactly its value, and
   * no variance is made of roundings. Cost O(n d).
   */
  static async of(points: AnyPoints, slices: Slices): Promise<CentredPoints> {
    const { x, n, d } = points
    const first = Float64Array.from(x.subarray(0, d))
    const about = new CentredPoints(points, first)
    const sums = new Float64Array(d)
    await about.eachBlock(1, slices, ([row]) => {
      for (let j = 0; j < d; j++) sums[j] += row[j]
    })
    return new CentredPoints(
      points,
      first.map((value, j) => value + sums[j] / n),
    )
  }

  /**
   * Calls for `together` points at a time, in order, with the number of the first; rows past the last point are
   * zeros. The rows are overwritten by the next call.
   */
  async eachBlock(
    together: number,
    slices: Slices,
    visit: (rows: readonly Float64Array[], first: number) => void,
  ): Promise<void> {
    const rows = Array.from({ length: together }, () => new Float64Array(this.d))
    const pause = together * Math.max(1, Math.floor(blockValues / (this.d * together)))
    for (let start = 0; start < this.n; start += pause) {
      const end = Math.min(this.n, start + pause)
      for (let point = start; point < end; point += together) {
        for (let i = 0; i < together; i++) this.#read(point + i, rows[i])
        visit(rows, point)
      }
      await slices.next()
    }
  }

  #read(point: number, row: Float64Array): void {
    if (point >= this.n) {
      row.fill(0)
      return
    }
    const from = point * this.d
    for (let j = 0; j < this.d; j++) row[j] = this.#x[from + j] - this.mean[j]
  }
}
