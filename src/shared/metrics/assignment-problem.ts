/**
 * Assigns every row a column of its own so that the sum of the weights is the largest (Kuhn 1955, Munkres 1957;
 * in the form of shortest augmenting paths with potentials, Jonker and Volgenant 1987). Cost O(rows^2 columns).
 * Gives way (yields) after each row. Among equal sums the choice is the same every time.
 * @param weights (rows, columns), row-major, finite; rows <= columns
 * @returns (rows) the column of each row
 */
export function* largestAssignment(
  weights: Float64Array,
  rows: number,
  columns: number,
): Generator<undefined, Int32Array> {
  const search = new Search(weights, columns, rows)
  for (let row = 0; row < rows; row++) {
    search.assign(row)
    yield
  }
  return search.assigned()
}

/** Index `columns` stands for no column: it holds the row that is being assigned. */
class Search {
  readonly #weights: Float64Array
  readonly #columns: number
  readonly #rowPotential: Float64Array
  readonly #columnPotential: Float64Array
  /** Row of each column, -1 for none. */
  readonly #rowOf: Int32Array
  /** Smallest reduced cost on a path to each column, the column before it on that path, and whether it is settled. */
  readonly #least: Float64Array
  readonly #before: Int32Array
  readonly #visited: Uint8Array

  constructor(weights: Float64Array, columns: number, rows: number) {
    this.#weights = weights
    this.#columns = columns
    this.#rowPotential = new Float64Array(rows)
    this.#columnPotential = new Float64Array(columns + 1)
    this.#rowOf = new Int32Array(columns + 1).fill(-1)
    this.#least = new Float64Array(columns + 1)
    this.#before = new Int32Array(columns + 1)
    this.#visited = new Uint8Array(columns + 1)
  }

  /** Finds the cheapest way to give this row a column, moving others along the path. */
  assign(row: number): void {
    this.#rowOf[this.#columns] = row
    this.#least.fill(Infinity)
    this.#visited.fill(0)
    let column = this.#columns
    while (this.#rowOf[column] >= 0) column = this.#extend(column)
    while (column !== this.#columns) {
      this.#rowOf[column] = this.#rowOf[this.#before[column]]
      column = this.#before[column]
    }
  }

  assigned(): Int32Array {
    const columnOf = new Int32Array(this.#rowPotential.length)
    for (let column = 0; column < this.#columns; column++) {
      if (this.#rowOf[column] >= 0) columnOf[this.#rowOf[column]] = column
    }
    return columnOf
  }

  /** Settles a column, looks from its row at the others, and answers the nearest that is not settled. */
  #extend(column: number): number {
    const [least, visited, potential] = [this.#least, this.#visited, this.#columnPotential]
    visited[column] = 1
    const row = this.#rowOf[column]
    const start = row * this.#columns
    let delta = Infinity
    let nearest = -1
    for (let other = 0; other < this.#columns; other++) {
      if (visited[other] === 1) continue
      const reduced = -this.#weights[start + other] - this.#rowPotential[row] - potential[other]
      if (reduced < least[other]) {
        least[other] = reduced
        this.#before[other] = column
      }
      if (least[other] < delta) {
        delta = least[other]
        nearest = other
      }
    }
    this.#shift(delta)
    return nearest
  }

  #shift(delta: number): void {
    for (let column = 0; column <= this.#columns; column++) {
      if (this.#visited[column] === 1) {
        this.#rowPotential[this.#rowOf[column]] += delta
        this.#columnPotential[column] -= delta
      } else this.#least[column] -= delta
    }
  }
}
