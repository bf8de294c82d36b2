/**
 * How often each pair of clusters of two clusterings meets, over the points that both of them cluster. The pairs that
 * do meet are cells, by row, then column, in flat arrays: there may be millions of them.
 */
export interface Contingency {
  /** Clusters of the first clustering; some may be empty. */
  readonly rows: number
  /** Clusters of the second. */
  readonly columns: number
  /** Points. */
  readonly total: number
  /** (rows) points of each cluster of the first. */
  readonly rowSums: Float64Array
  /** (columns) points of each cluster of the second. */
  readonly columnSums: Float64Array
  /** (rows + 1) the cells of row r are those from starts[r] up to starts[r + 1]. */
  readonly starts: Uint32Array
  /** (cells) column of each cell, ascending within a row. */
  readonly columnOf: Uint32Array
  /** (cells) points of each cell, never 0. */
  readonly counts: Uint32Array
}

/** Points looked at before the caller may give way. */
const blockPoints = 1 << 16

/** Collects pair by pair and counts by rows, so that millions of points can be counted in slices; 12 bytes a point. */
export class ContingencyCounter {
  readonly #rows: number
  readonly #columns: number
  readonly #rowOf: Uint32Array
  readonly #columnOf: Uint32Array
  #total = 0

  /** @param maxPoints how often `add` may be called */
  constructor(rows: number, columns: number, maxPoints: number) {
    this.#rows = rows
    this.#columns = columns
    this.#rowOf = new Uint32Array(maxPoints)
    this.#columnOf = new Uint32Array(maxPoints)
  }

  /** One point: its label in the first and in the second clustering. */
  add(row: number, column: number): void {
    this.#rowOf[this.#total] = row
    this.#columnOf[this.#total] = column
    this.#total++
  }

  /** The table, by two counting sorts: O(points + cells log cells). Gives way (yields) all the time. */
  *table(): Generator<undefined, Contingency> {
    const [rows, columns, total] = [this.#rows, this.#columns, this.#total]
    const rowSums = new Float64Array(rows)
    const columnSums = new Float64Array(columns)
    for (let point = 0; point < total; point++) {
      rowSums[this.#rowOf[point]]++
      columnSums[this.#columnOf[point]]++
      if (point % blockPoints === 0) yield
    }
    const byRow = yield* this.#columnsByRow(rowSums)
    // The rows of the points are known by now: the counts take their place.
    const starts = yield* countRows(byRow, this.#rowOf, rowSums, columns)
    const columnOf = byRow.subarray(0, starts[rows])
    const counts = this.#rowOf.subarray(0, starts[rows])
    return { rows, columns, total, rowSums, columnSums, starts, columnOf, counts }
  }

  /** (total) the columns of the points of row 0, then of row 1, ... */
  *#columnsByRow(rowSums: Float64Array): Generator<undefined, Uint32Array> {
    const next = new Uint32Array(rowSums.length)
    for (let row = 1; row < next.length; row++) next[row] = next[row - 1] + rowSums[row - 1]
    const byRow = new Uint32Array(this.#total)
    for (let point = 0; point < this.#total; point++) {
      byRow[next[this.#rowOf[point]]++] = this.#columnOf[point]
      if (point % blockPoints === 0) yield
    }
    return byRow
  }
}

/**
 * Turns the columns of the points of each row into the columns of its cells, in place, and their counts.
 * @returns (rows + 1) where the cells of each row start
 */
function* countRows(
  byRow: Uint32Array,
  counts: Uint32Array,
  rowSums: Float64Array,
  columns: number,
): Generator<undefined, Uint32Array> {
  const starts = new Uint32Array(rowSums.length + 1)
  const met = new Uint32Array(columns)
  const columnsMet = new Uint32Array(columns)
  for (let row = 0, point = 0, cell = 0; row < rowSums.length; row++) {
    let different = 0
    for (const end = point + rowSums[row]; point < end; point++) {
      if (met[byRow[point]]++ === 0) columnsMet[different++] = byRow[point]
      if (point % blockPoints === 0) yield
    }
    for (const column of columnsMet.subarray(0, different).sort()) {
      byRow[cell] = column
      counts[cell++] = met[column]
      met[column] = 0
    }
    starts[row + 1] = cell
  }
  return starts
}

/** How often two clusters meet; binary search. */
export function countAt({ starts, columnOf, counts }: Contingency, row: number, column: number): number {
  let [low, high] = [starts[row], starts[row + 1]]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (columnOf[middle] < column) low = middle + 1
    else high = middle
  }
  return low < starts[row + 1] && columnOf[low] === column ? counts[low] : 0
}
