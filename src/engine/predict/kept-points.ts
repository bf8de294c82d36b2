import { LabError } from '@shared/errors'
import type { Coordinates } from '../engines/engine'
import { coordinates } from '../dataset/coordinates'
import type { Dataset } from '../dataset/dataset'
import { fileRow } from '../dataset/file-row'
import { roomForPoints } from '../dataset/room-for-points'
import { normalise } from '../dataset/unit-length'
import { Slices } from '../slices'
import type { FeatureSource } from './columns-by-name'
import type { KeptRun } from '../run-file/kept-run'

const blockRows = 4096

/** Rows as a kept clustering sees them. */
export interface KeptPoints {
  /** (n, d), row-major, engine units of the clustering: below 1 in the range of what was clustered. */
  readonly x: Coordinates
  readonly n: number
  readonly d: number
  /** (d) largest magnitudes of x. */
  readonly maxAbs: Float32Array
  /** Dataset row of each point; null when every row is one. */
  readonly rows: Uint32Array | null
  readonly droppedRows: number
  readonly filledCells: number
  /** (d) values outside the range that the clustering has seen. */
  readonly below: Float64Array
  readonly above: Float64Array
  /** (d) rows left out because the feature has no value there, each counted at the first such feature. */
  readonly missing: Float64Array
}

/**
 * Applies the kept scaling and policy for missing cells: `(value - offset) / step`, rounded to the precision of the
 * run (README.md of `export`). Cost O(n d), in slices.
 * @throws LabError `prepare.missing` under the policy `refuse`, `prepare.magnitude`, `prepare.memory`, `cancelled`
 */
export async function keptPoints(
  dataset: Dataset,
  kept: KeptRun,
  sources: readonly FeatureSource[],
  signal: AbortSignal,
): Promise<KeptPoints> {
  const reader = new RowReader(dataset, kept, sources)
  const slices = new Slices(signal)
  const d = sources.length
  const seen = await eachRow(dataset.rows, reader, slices, () => undefined)
  const { precision } = kept.results
  roomForPoints(seen, d, dataset.file.name, precision)
  const x = coordinates(precision, seen * d)
  const rows = seen === dataset.rows ? null : new Uint32Array(seen)
  const counts = reader.counts()
  await eachRow(dataset.rows, reader, slices, (values, row, point) => {
    for (let j = 0; j < d; j++) x[point * d + j] = values[j]
    if (rows !== null) rows[point] = row
  })
  const maxAbs = Float32Array.from(reader.largest)
  return { x, n: seen, d, maxAbs, rows, droppedRows: dataset.rows - seen, ...counts }
}

/** Calls `visit` with each row that has all its values. @returns how many there are */
async function eachRow(
  rows: number,
  reader: RowReader,
  slices: Slices,
  visit: (values: Float64Array, row: number, point: number) => void,
): Promise<number> {
  let point = 0
  for (let start = 0; start < rows; start += blockRows) {
    const end = Math.min(rows, start + blockRows)
    for (let row = start; row < end; row++) if (reader.read(row)) visit(reader.values, row, point++)
    await slices.next()
  }
  return point
}

/** One row at a time, in engine units of the clustering. */
class RowReader {
  readonly values: Float64Array
  /** (d) largest magnitudes so far. */
  readonly largest: Float64Array
  readonly #dataset: Dataset
  readonly #kept: KeptRun
  readonly #sources: readonly FeatureSource[]
  readonly #below: Float64Array
  readonly #above: Float64Array
  readonly #missing: Float64Array
  #filledCells = 0

  constructor(dataset: Dataset, kept: KeptRun, sources: readonly FeatureSource[]) {
    const d = sources.length
    this.#dataset = dataset
    this.#kept = kept
    this.#sources = sources
    this.values = new Float64Array(d)
    this.largest = new Float64Array(d)
    this.#below = new Float64Array(d)
    this.#above = new Float64Array(d)
    this.#missing = new Float64Array(d)
  }

  /** As they are now: a second reading of the rows does not count twice. */
  counts(): Pick<KeptPoints, 'below' | 'above' | 'missing' | 'filledCells'> {
    const [below, above, missing] = [this.#below, this.#above, this.#missing].map((each) => each.slice())
    return { below, above, missing, filledCells: this.#filledCells }
  }

  /** @returns false where a value is missing and none stands in for it */
  read(row: number): boolean {
    if (!this.#gather(row)) return false
    const { features, preparation } = this.#kept
    if (preparation.scaling === 'unit-length') normalise(this.values)
    for (let j = 0; j < this.values.length; j++) {
      const value = (this.values[j] - features[j].offset) / features[j].step
      if (!Number.isFinite(Math.fround(value))) throw this.#tooLarge(row, j)
      this.values[j] = value
      const magnitude = Math.abs(value)
      if (magnitude > this.largest[j]) this.largest[j] = magnitude
    }
    return true
  }

  /** Values in units of the file. Counts only of rows that have all of them. */
  #gather(row: number): boolean {
    let filled = 0
    for (const [j, { feature, column }] of this.#sources.entries()) {
      const value = column.at(row)
      const missing = Number.isNaN(value)
      if (missing && this.#kept.preparation.missing === 'refuse') throw this.#refusal(row, j)
      if (missing && feature.fill === null) {
        this.#missing[j]++
        return false
      }
      this.values[j] = missing ? (feature.fill ?? 0) : value
      if (missing) filled++
    }
    this.#filledCells += filled
    for (const [j, { feature }] of this.#sources.entries()) this.#compare(j, feature.range)
    return true
  }

  #compare(j: number, range: readonly [number, number] | null): void {
    if (range === null) return
    if (this.values[j] < range[0]) this.#below[j]++
    else if (this.values[j] > range[1]) this.#above[j]++
  }

  #refusal(row: number, j: number): LabError {
    const { file } = this.#dataset
    const { info } = this.#sources[j]
    const message = `Row ${fileRow(this.#dataset, row)}, column '${info.name}' of ${file.name} has no value, and the clustering was made with the policy to refuse such rows: fill the cell, or leave the row out.`
    return new LabError('input', 'prepare.missing', message)
  }

  #tooLarge(row: number, j: number): LabError {
    const { file } = this.#dataset
    const { info } = this.#sources[j]
    const message = `Row ${fileRow(this.#dataset, row)}, column '${info.name}' of ${file.name} is too large to compare with the clustering: correct the cell, or leave the row out.`
    return new LabError('input', 'prepare.magnitude', message)
  }
}
