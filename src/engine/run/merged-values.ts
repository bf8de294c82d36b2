import type { ColumnInfo } from '@shared/dataset'
import { formatCount, plural } from '@shared/quantity-words'
import type { Dataset, NumericColumn } from '../dataset/dataset'
import { fileRow } from '../dataset/file-row'
import type { PreparedPoints } from '../dataset/prepared'
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
 * it over, so that memory stays small, and values that stand close together in the file are found in any case.
 */
async function farthestMerged(
  column: NumericColumn,
  { x, n, d, rows, transform }: PreparedPoints,
  j: number,
  signal: AbortSignal,
): Promise<Merged | null> {
  const slices = new Slices(signal)
  const keys = new Float32Array(slots).fill(NaN)
  const firstRows = new Uint32Array(slots)
  const scaleUp = Math.abs(transform.step[j])
  let found: Merged | null = null
  let farthest = 0
  for (let point = 0; point < n; point++) {
    if (point % blockPoints === blockPoints - 1) await slices.next()
    const row = rows === null ? point : rows[point]
    const held = x[point * d + j]
    const slot = slotOf(held)
    if (keys[slot] !== held) {
      keys[slot] = held
      firstRows[slot] = row
      continue
    }
    const [first, cell] = [column.at(firstRows[slot]), column.at(row)]
    const apart = Math.abs(cell - first)
    // A cell that was filled is no number, and farther from nothing.
    if (!(apart > farthest) || apart <= sameInFloat64 * Math.abs(cell)) continue
    farthest = apart
    found = { rows: [firstRows[slot], row], cells: [first, cell], step: spacing(held) * scaleUp }
  }
  return found
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
