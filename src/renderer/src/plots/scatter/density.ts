/** Points as counts of small cells: how many lie where they cover each other. Every point is counted. */
import type { RasterPoints, RasterView } from '../raster'

/** CSS pixels of a cell's side: one point alone can still be seen. */
export const cellPixels = 2

/** Steps of a ramp, from one point to the densest cell. */
export const rampSteps = 256

/** How many points lie in each cell of a view. */
export interface Counts {
  readonly columns: number
  readonly rows: number
  /** (rows, columns) */
  readonly counts: Uint32Array
  /** (rows, columns) the last point of each cell that has one. */
  readonly last: Uint32Array
  /** Points in view. */
  readonly drawn: number
  /** The largest count. */
  readonly densest: number
}

/**
 * Counts points by cells of `cell` device pixels.
 * @param wanted which points take part; null: all
 */
export function countPoints(
  { x: xs, y: ys }: Pick<RasterPoints, 'x' | 'y'>,
  { width, height, minX, maxX, minY, maxY }: RasterView,
  cell: number,
  wanted: ((point: number) => boolean) | null,
): Counts {
  const [columns, rows] = [Math.ceil(width / cell), Math.ceil(height / cell)]
  const counts = new Uint32Array(columns * rows)
  const last = new Uint32Array(columns * rows)
  const scaleX = width / (maxX - minX) / cell
  const scaleY = height / (maxY - minY) / cell
  let drawn = 0
  for (let i = 0; i < xs.length; i++) {
    const x = (xs[i] - minX) * scaleX
    const y = (maxY - ys[i]) * scaleY
    // Written so that NaN fails the test and is skipped.
    if (!(x >= 0 && x < columns && y >= 0 && y < rows)) continue
    if (wanted !== null && !wanted(i)) continue
    const at = (y | 0) * columns + (x | 0)
    counts[at]++
    last[at] = i
    drawn++
  }
  let densest = 0
  for (const count of counts) if (count > densest) densest = count
  return { columns, rows, counts, last, drawn, densest }
}

/** Which step of a ramp stands for a count: logarithmic, 0 for one point, the last for the densest cell. */
export function rampStep(count: number, densest: number, steps = rampSteps): number {
  if (densest <= 1) return steps - 1
  return Math.round((Math.log(count) / Math.log(densest)) * (steps - 1))
}

/** Steps of all counts up to a thousand or so, so that a pixel costs no logarithm. */
function stepsOf(densest: number): (count: number) => number {
  const known = Uint8Array.from({ length: Math.min(densest, 1 << 12) + 1 }, (_, count) =>
    count === 0 ? 0 : rampStep(count, densest),
  )
  return (count) => (count < known.length ? known[count] : rampStep(count, densest))
}

/** Paints cells into a cleared buffer of (height, width) device pixels, in the colours of a ramp. */
export function paintCounts(
  pixels: Uint32Array,
  { width, height }: Pick<RasterView, 'width' | 'height'>,
  { counts, columns, densest }: Counts,
  cell: number,
  ramp: Uint32Array,
): void {
  const stepOf = stepsOf(densest)
  for (let row = 0; row < height; row++) {
    const line = Math.floor(row / cell) * columns
    for (let column = 0; column < width; column++) {
      const count = counts[line + Math.floor(column / cell)]
      if (count > 0) pixels[row * width + column] = ramp[stepOf(count)]
    }
  }
}

/** Coverage of a pixel with one point, of 255: a point alone must not be lost. */
const loneCoverage = 140
/** Of the pixels beside it, as a share of its own: a point is a little larger than one pixel. */
const besideShare = 0.5

/** Coverage grows with the count, so that what is dense stands out where points cover each other. */
function coverageOf(densest: number): (count: number) => number {
  const stepOf = stepsOf(densest)
  return (count) => loneCoverage + (stepOf(count) * (255 - loneCoverage)) / (rampSteps - 1)
}

/** (rows, columns) the colour of the last point of each cell. */
function coloursOf(
  { counts, last }: Counts,
  { labels }: Pick<RasterPoints, 'labels'>,
  { colours, neutral }: Pick<RasterView, 'colours' | 'neutral'>,
): Uint32Array {
  const found = new Uint32Array(counts.length)
  for (let at = 0; at < counts.length; at++) {
    if (counts[at] === 0) continue
    const label = labels === null ? -1 : labels[last[at]]
    found[at] = label < 0 ? neutral : colours[label]
  }
  return found
}

/**
 * Paints counts of single pixels in the colours of their points into a cleared buffer, the denser the more opaque.
 * @param pale share of the coverage that is kept
 */
export function paintCoverage(
  pixels: Uint32Array,
  found: Counts,
  points: Pick<RasterPoints, 'labels'>,
  view: Pick<RasterView, 'colours' | 'neutral'>,
  pale: number,
): void {
  const { counts, columns, rows, densest } = found
  const colours = coloursOf(found, points, view)
  const coverage = coverageOf(densest)
  const put = (at: number, from: number, alpha: number): void => {
    if (counts[at] === 0 && pixels[at] >>> 24 < alpha) pixels[at] = (alpha << 24) | (colours[from] & 0xffffff)
  }
  for (let row = 0, at = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, at++) {
      if (counts[at] === 0) continue
      const alpha = Math.max(1, Math.round(coverage(counts[at]) * pale))
      pixels[at] = (alpha << 24) | (colours[at] & 0xffffff)
      const beside = Math.max(1, Math.round(alpha * besideShare))
      if (column > 0) put(at - 1, at, beside)
      if (column + 1 < columns) put(at + 1, at, beside)
      if (row > 0) put(at - columns, at, beside)
      if (row + 1 < rows) put(at + columns, at, beside)
    }
  }
}
