import type { ColumnInfo } from '@shared/dataset'
import { formatCount, plural } from '@shared/quantity-words'
import type { Dataset, NumericColumn } from '../dataset/dataset'
import { fileRow } from '../dataset/file-row'
import type { PreparedPoints } from '../dataset/prepared'
import { inOrder } from '../processes/collective'
import { Slices } from '../slices'

/** Rounding matters from this share of the root of the inertia on: then it may change the inertia by two thousandths. */
const notableShare = 1e-3

/** Numbers this near to each other, relatively, are the same to whoever writes fifteen digits. */
const sameInFloat64 = 1e-14

/** Columns that get a sentence of their own. */
const maxSentences = 5

/** Different float32 values that are remembered at a time. */
const slots = 1 << 16
const blockPoints = 1 << 16

/** Two cells that differ in the file and not among the points. */
interface Merged {
  readonly rows: readonly [number, number]
  readonly cells: readonly [number, number]
  /** Float32 values lie so far apart there, units of the file. */
  readonly step: number
}

/**
 * Features of which float32 cannot hold apart what the file does, where the result feels it: the errors of rounding are
 * notable beside the inertia, and cells that differ became one. O(n) for such a feature, O(d) for others.
 * @param inertia engine units
 */
export async function mergedValueWarnings(
  dataset: Dataset,
  features: readonly ColumnInfo[],
  points: PreparedPoints,
  inertia: number,
  signal: AbortSignal,
): Promise<string[]> {
  // On the unit sphere rows that differ in the file may rightly be the same.
  if (points.preparation.scaling === 'unit-length') return []
  const most = notableShare * notableShare * inertia
  const sentences: string[] = []
  const others: string[] = []
  for (const [j, { index, name }] of features.entries()) {
    const column = dataset.numeric[index]
    if (column === undefined || !(points.roundedSquares[j] > most)) continue
    const merged = await farthestMerged(column, points, j, signal)
    if (merged === null) continue
    if (sentences.length < maxSentences) sentences.push(sentence(dataset, name, merged))
    else others.push(name)
  }
  return others.length === 0
    ? sentences
    : [...sentences, `${plural(others.length, 'column')} more: ${others.join(', ')}.`]
}

function sentence(dataset: Dataset, name: string, { rows, cells, step }: Merged): string {
  const [one, other] = rows.map((row, i) => `${cells[i]} in row ${formatCount(fileRow(dataset, row))}`)
  const coarse = Number(step.toPrecision(3))
  return `Column ${name}: float32 makes values the same that differ by less than ${coarse} far from the middle of the column, such as ${one} and ${other}: to tell them apart, cluster the far rows in a file of their own, or subtract an offset from them.`
}

/**
 * The pair that lies farthest apart, by a table of the float32 values met: a value that finds its place taken takes
 * it over, so that memory stays small, and values that stand close together in the file are found in any case. Processes that
 * hold the points together hand the table on.
 */
async function farthestMerged(
  column: NumericColumn,
  points: PreparedPoints,
  j: number,
  signal: AbortSignal,
): Promise<Merged | null> {
  const table = new ValueTable()
  const look = () => lookThrough(table, column, points, j, new Slices(signal))
  if (points.part === undefined) await look()
  else await inOrder(points.part.processes, table.bytes, look)
  return table.farthest(Math.abs(points.transform.step[j]))
}

async function lookThrough(
  table: ValueTable,
  column: NumericColumn,
  { x, d, rows, part, cell }: PreparedPoints,
  j: number,
  slices: Slices,
): Promise<void> {
  const first = part?.first ?? 0
  for (let point = 0; point < x.length / d; point++) {
    if (point % blockPoints === blockPoints - 1) await slices.next()
    const row = rows === null ? first + point : rows[point]
    table.add(x[point * d + j], row, cell === undefined ? column.at(row) : cell(point, j))
  }
}

/** Plain numbers in one stretch of memory, so that they can be handed on. */
class ValueTable {
  readonly bytes = new Uint8Array(slots * (4 + 4 + 8) + 6 * 8)
  readonly #cells = new Float64Array(this.bytes.buffer, 0, slots)
  /** Rows and cells of the pair, what is held of them, and how far they lie apart. */
  readonly #found = new Float64Array(this.bytes.buffer, slots * 8, 6)
  readonly #keys = new Float32Array(this.bytes.buffer, slots * 8 + 6 * 8, slots).fill(NaN)
  readonly #rows = new Uint32Array(this.bytes.buffer, slots * 12 + 6 * 8, slots)

  add(held: number, row: number, cell: number): void {
    const slot = slotOf(held)
    if (this.#keys[slot] !== held) {
      this.#keys[slot] = held
      this.#rows[slot] = row
      this.#cells[slot] = cell
      return
    }
    const first = this.#cells[slot]
    const apart = Math.abs(cell - first)
    // A cell that was filled is no number, and farther from nothing.
    if (!(apart > this.#found[5]) || apart <= sameInFloat64 * Math.abs(cell)) return
    this.#found.set([this.#rows[slot], row, first, cell, held, apart])
  }

  /** @param unit of a coordinate, in units of the file */
  farthest(unit: number): Merged | null {
    const [first, row, firstCell, cell, held, apart] = this.#found
    if (apart === 0) return null
    return { rows: [first, row], cells: [firstCell, cell], step: spacing(held) * unit }
  }
}

const float = new Float32Array(1)
const bits = new Uint32Array(float.buffer)

function slotOf(value: number): number {
  float[0] = value
  return Math.imul(bits[0], 0x9e3779b1) >>> 16
}

/** From a float32 to the next one away from 0. */
function spacing(value: number): number {
  return value === 0 ? 2 ** -149 : 2 ** (Math.floor(Math.log2(Math.abs(value))) - 23)
}
