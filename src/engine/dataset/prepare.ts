import { LabError } from '@shared/errors'
import { precisionOf } from '@shared/precision'
import type { Coordinates } from '../engines/engine'
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
import { usableRows } from './usable-rows'

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
  const { columns, rows, leftOut, filteredOut } = usable
  const precision = precisionOf(preparation)
  const [n, d] = [columns[0].length, columns.length]
  const room = roomForPoints(n, d, dataset.file.name, precision)
  const scaler = await rowScaler(columns, scalingsOf(preparation), slices)
  const { meanVariance, sumOfSquares, ...points } = await enginePoints(
    scaler,
    n,
    d,
    (length) => room.coordinates(precision, length),
    slices,
  )
  const { exponent } = points
  const transform = transformOf(scaler, exponent, usable.fill)
  refuseOverflow(dataset, preparation, transform)
  const undoable = preparation.scaling !== 'unit-length'
  return {
    ...points,
    location: { in: room.location, reason: room.reason },
    preparation,
    rows,
    transform,
    meanVariance: meanVariance * 2 ** exponent * 2 ** exponent,
    totalSumOfSquares: sumOfSquares * 2 ** exponent * 2 ** exponent,
    droppedRows: leftOut.length - filteredOut.length,
    filteredRows: filteredOut,
    filledCells: usable.filledCells,
    leftOutRows: leftOut,
    toEngine: (centroids, k) => toEngine(transform, undoable ? centroids : onSphere(centroids, k), points.x),
    toFile: (centroids) => (undoable ? toFile(transform, centroids) : null),
    memberMeans: (labels, k, until) => memberMeans(columns, labels, k, new Slices(until)),
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

/** Summed in column units, which are centred, so that no digit is lost to a large offset. */
async function memberMeans(
  columns: readonly FeatureColumn[],
  labels: Int32Array,
  k: number,
  slices: Slices,
): Promise<Float64Array> {
  const d = columns.length
  const sums = new Float64Array(k * d)
  const counts = new Float64Array(k)
  const block = Math.max(1, Math.floor(blockValues / d))
  for (let start = 0; start < labels.length; start += block) {
    const end = Math.min(labels.length, start + block)
    for (let point = start; point < end; point++) {
      const label = labels[point]
      if (label < 0) continue
      counts[label]++
      for (let j = 0; j < d; j++) sums[label * d + j] += columns[j].at(point)
    }
    await slices.next()
  }
  return sums.map((sum, at) => columns[at % d].toFile(sum / counts[Math.floor(at / d)]))
}
