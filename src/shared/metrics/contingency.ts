/** How often each pair of clusters of two clusterings meets, over the points that both of them cluster. */
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
  /** Pairs that do meet, by row, then column. There are at most `total`, whatever rows times columns is. */
  readonly cells: readonly ContingencyCell[]
}

export interface ContingencyCell {
  readonly row: number
  readonly column: number
  readonly count: number
}

/** Counts pair by pair, so that millions of points can be counted in slices; memory for the pairs that meet. */
export class ContingencyCounter {
  readonly #counts = new Map<number, number>()
  readonly #rows: number
  readonly #columns: number

  constructor(rows: number, columns: number) {
    this.#rows = rows
    this.#columns = columns
  }

  /** One point: its label in the first and in the second clustering. */
  add(row: number, column: number): void {
    const key = row * this.#columns + column
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  table(): Contingency {
    const [rows, columns] = [this.#rows, this.#columns]
    const rowSums = new Float64Array(rows)
    const columnSums = new Float64Array(columns)
    const cells = [...this.#counts]
      .sort(([a], [b]) => a - b)
      .map(([key, count]) => ({ row: Math.floor(key / columns), column: key % columns, count }))
    let total = 0
    for (const { row, column, count } of cells) {
      rowSums[row] += count
      columnSums[column] += count
      total += count
    }
    return { rows, columns, total, rowSums, columnSums, cells }
  }
}

/** The table of two label arrays of the same points. */
export function contingency(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  rows: number,
  columns: number,
): Contingency {
  const counter = new ContingencyCounter(rows, columns)
  for (let point = 0; point < first.length; point++) counter.add(first[point], second[point])
  return counter.table()
}
