/** Which point lies under the pointer. Runs in the worker that draws the points. */

/** (n) each, relative to their column's offset; NaN = missing. */
interface Coordinates {
  readonly x: Float32Array
  readonly y: Float32Array
}

interface Span {
  readonly min: number
  /** Cells a unit. */
  readonly scale: number
}

/** Points sorted by cell of a square grid over all of them. */
export interface PickGrid extends Coordinates {
  readonly cells: number
  readonly spanX: Span
  readonly spanY: Span
  /** (cells² + 1) where each cell begins in `order`. */
  readonly starts: Uint32Array
  /** Point indices by cell, ascending within a cell. */
  readonly order: Uint32Array
}

const maxCells = 512

function spanOf(values: Float32Array, cells: number): Span {
  let [min, max] = [Infinity, -Infinity]
  for (const value of values) {
    if (value < min) min = value
    if (value > max) max = value
  }
  return min <= max ? { min, scale: max > min ? cells / (max - min) : 0 } : { min: 0, scale: 0 }
}

function cellAlong({ min, scale }: Span, value: number, cells: number): number {
  return Math.max(0, Math.min(cells - 1, Math.floor((value - min) * scale)))
}

/** Builds the index by counting: O(n), two passes. */
export function pickGrid({ x, y }: Coordinates): PickGrid {
  const cells = Math.max(1, Math.min(maxCells, Math.ceil(Math.sqrt(x.length / 8))))
  const [spanX, spanY] = [spanOf(x, cells), spanOf(y, cells)]
  const starts = new Uint32Array(cells * cells + 1)
  const cellOf = new Int32Array(x.length)
  for (let i = 0; i < x.length; i++) {
    const known = x[i] === x[i] && y[i] === y[i]
    const cell = known ? cellAlong(spanY, y[i], cells) * cells + cellAlong(spanX, x[i], cells) : -1
    cellOf[i] = cell
    if (known) starts[cell + 1]++
  }
  for (let cell = 0; cell < cells * cells; cell++) starts[cell + 1] += starts[cell]
  const order = new Uint32Array(starts[cells * cells])
  const next = starts.slice()
  for (let i = 0; i < x.length; i++) if (cellOf[i] >= 0) order[next[cellOf[i]]++] = i
  return { x, y, cells, spanX, spanY, starts, order }
}

/** A place, and how far from it counts as near, in relative units of each axis. */
export interface PickPosition {
  readonly x: number
  readonly y: number
  readonly reachX: number
  readonly reachY: number
}

/**
 * The point nearest to a place, distances measured in reaches; -1 when none is within one reach. Of several at
 * the same place the last is on top and is taken.
 */
export function nearestPoint(grid: PickGrid, { x, y, reachX, reachY }: PickPosition): number {
  const { cells, spanX, spanY, starts, order } = grid
  const [left, right] = [cellAlong(spanX, x - reachX, cells), cellAlong(spanX, x + reachX, cells)]
  const [bottom, top] = [cellAlong(spanY, y - reachY, cells), cellAlong(spanY, y + reachY, cells)]
  let [best, found] = [1, -1]
  for (let row = bottom; row <= top; row++) {
    const end = starts[row * cells + right + 1]
    for (let at = starts[row * cells + left]; at < end; at++) {
      const i = order[at]
      const dx = (grid.x[i] - x) / reachX
      const dy = (grid.y[i] - y) / reachY
      const distance = dx * dx + dy * dy
      if (distance < best || (distance === best && i > found)) [best, found] = [distance, i]
    }
  }
  return found
}
