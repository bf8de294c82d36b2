import { LabError } from '@shared/errors'
import { precisionOf } from '@shared/precision'
import type { Coordinates, HeldPart } from '../engines/engine'
import { bytesOf, inOrder, rowParts } from '../processes/collective'
import { Slices, throwIfAborted } from '../slices'
import { emptyLike } from './coordinates'
import type { Dataset } from './dataset'
import { enginePoints } from './engine-points'
import type { FeatureColumn } from './feature-column'
import type { FeatureTransform, Preparation, PreparedPoints } from './prepared'
import { roomForPoints } from './room-for-points'
import { rowScaler } from './row-scaler'
import { scalingsOf } from './same-preparation'
import type { RowScaler } from './scaled-rows'
import { normalise } from './unit-length'
import { usableRows, type UsableRows } from './usable-rows'

export { resolveFeatures } from './features'

/** Cells summed between two looks at the clock. */
const blockValues = 1 << 16

/**
 * Makes points of a dataset: missing cells settled, scaled in float64, brought to unit size by a power of two,
 * rounded to float32 (or left as they are in float64). Cost O(n d); gives way to other events about every 20 ms.
 * @throws LabError `prepare.missing`, `prepare.no-rows`, `prepare.memory`, `prepare.magnitude`, `features.*`, `filter.*`, `cancelled`
 */
export async function prepare(
  dataset: Dataset,
  preparation: Preparation,
  signal: AbortSignal,
): Promise<PreparedPoints> {
  throwIfAborted(signal)
  const slices = new Slices(signal)
  const usable = await usableRows(dataset, preparation, slices)
  const { columns, leftOut, filteredOut } = usable
  const precision = precisionOf(preparation)
  const [held, d] = [columns[0].length, columns.length]
  const room = roomForPoints(held, d, dataset.file.name, precision)
  const scaler = await rowScaler(columns, scalingsOf(preparation), slices)
  const { meanVariance, sumOfSquares, ...points } = await enginePoints(
    scaler,
    { held, all: usable.n, group: usable.part?.processes.group },
    d,
    (length) => room.coordinates(precision, length),
    slices,
  )
  const { exponent } = points
  const transform = transformOf(scaler, exponent, usable.fill)
  refuseOverflow(dataset, preparation, transform)
  const undoable = preparation.scaling !== 'unit-length'
  const own = ownPoints(points, usable, dataset.whole?.processes)
  const { rows } = own
  return {
    ...points,
    ...own,
    location: { in: room.location, reason: room.reason },
    preparation,
    rows,
    cell: (point, j) => usable.cells[j](own.skipped + point),
    transform,
    meanVariance: meanVariance * 2 ** exponent * 2 ** exponent,
    totalSumOfSquares: sumOfSquares * 2 ** exponent * 2 ** exponent,
    droppedRows: leftOut.length - filteredOut.length,
    filteredRows: filteredOut,
    filledCells: usable.filledCells,
    leftOutRows: leftOut,
    toEngine: (centroids, k) => toEngine(transform, undoable ? centroids : onSphere(centroids, k), points.x),
    toFile: (centroids) => (undoable ? toFile(transform, centroids) : null),
    memberMeans: (labels, k, until) =>
      memberMeans(columns, { labels, skipped: own.skipped }, k, own.part, new Slices(until)),
  }
}

/** Points of this process, and how many of other processes come before them in the columns. */
interface OwnPoints extends Pick<PreparedPoints, 'x' | 'rows' | 'part'> {
  readonly skipped: number
}

/** Where several processes made the same points, each keeps its part. */
function ownPoints(
  { x, d }: Pick<PreparedPoints, 'x' | 'd'>,
  { n, rows, part }: Pick<UsableRows, 'n' | 'rows' | 'part'>,
  processes: HeldPart['processes'] | undefined,
): OwnPoints {
  if (part !== undefined) return { x, rows, part, skipped: 0 }
  if (processes === undefined) return { x, rows, skipped: 0 }
  const own = rowParts(n, processes.size)[processes.rank]
  const [first, last] = [own.first, own.first + own.count]
  return {
    x: x.slice(first * d, last * d),
    rows: rows === null ? null : rows.slice(first, last),
    part: { ...own, processes },
    skipped: first,
  }
}

function transformOf(scaler: RowScaler, exponent: number, fill: Float64Array | null): FeatureTransform {
  const step = scaler.step.map((value, j) => value * 2 ** (scaler.stepPowers[j] + exponent))
  return { offset: scaler.offset, step, fill }
}

/** Beyond float64 there is no way back to units of the file. */
function refuseOverflow(
  dataset: Dataset,
  { features }: Preparation,
  { offset, step }: FeatureTransform,
): void {
  const j = step.findIndex((value, at) => !Number.isFinite(value + offset[at]))
  if (j < 0) return
  throw new LabError(
    'input',
    'prepare.magnitude',
    `The numbers of column '${dataset.columns[features[j]].name}' of ${dataset.file.name} are too large to compute with: divide the column by a power of ten.`,
  )
}

/** In the precision of the points. */
function toEngine({ offset, step }: FeatureTransform, values: Float64Array, x: Coordinates): Coordinates {
  const d = offset.length
  const engine = emptyLike(x, values.length)
  for (let at = 0; at < values.length; at++) engine[at] = (values[at] - offset[at % d]) / step[at % d]
  return engine
}

function toFile({ offset, step }: FeatureTransform, centroids: Coordinates): Float64Array {
  const d = offset.length
  return Float64Array.from(centroids, (value, at) => offset[at % d] + step[at % d] * value)
}

function onSphere(centroids: Float64Array, k: number): Float64Array {
  const rows = centroids.slice()
  const d = rows.length / k
  for (let cluster = 0; cluster < k; cluster++) normalise(rows.subarray(cluster * d, (cluster + 1) * d))
  return rows
}

/** Labels of the points that this process has. */
interface OwnLabels {
  readonly labels: Int32Array
  /** Points in the columns before them. */
  readonly skipped: number
}

/** Summed in column units, which are centred, so that no digit is lost to a large offset; in the order of the rows, whoever has them. */
async function memberMeans(
  columns: readonly FeatureColumn[],
  own: OwnLabels,
  k: number,
  part: HeldPart | undefined,
  slices: Slices,
): Promise<Float64Array> {
  const d = columns.length
  const totals = new Float64Array(k * d + k)
  const [sums, counts] = [totals.subarray(0, k * d), totals.subarray(k * d)]
  const add = () => addMembers(columns, own, { sums, counts }, slices)
  if (part === undefined) await add()
  else await inOrder(part.processes, bytesOf(totals), add)
  return sums.map((sum, at) => columns[at % d].toFile(sum / counts[Math.floor(at / d)]))
}

async function addMembers(
  columns: readonly FeatureColumn[],
  { labels, skipped }: OwnLabels,
  { sums, counts }: { readonly sums: Float64Array; readonly counts: Float64Array },
  slices: Slices,
): Promise<void> {
  const d = columns.length
  const block = Math.max(1, Math.floor(blockValues / d))
  for (let start = 0; start < labels.length; start += block) {
    const end = Math.min(labels.length, start + block)
    for (let point = start; point < end; point++) {
      const label = labels[point]
      if (label < 0) continue
      counts[label]++
      for (let j = 0; j < d; j++) sums[label * d + j] += columns[j].at(skipped + point)
    }
    await slices.next()
  }
}
