import { emptyLike } from '@engine/dataset/coordinates'
import { rowsOfPoints } from '@engine/dataset/aligned-columns'
import type { Coordinates } from '@engine/engines/engine'
import { bytesOf, visitOnFirst } from '@engine/processes/collective'
import type { RunProcesses } from '@engine/processes/run-processes'
import type { RunResult } from '@engine/run/types'
import { Slices } from '@engine/slices'
import type { ExportKind } from '@shared/ipc'
import { squaredDistance } from '@shared/metrics/distance'

/** What is written of a run: these files need no coordinates of points. */
const withoutPoints: ReadonlySet<ExportKind> = new Set([
  'centroids',
  'labels',
  'labels-npy',
  'history',
  'run',
  'model-python',
  'model-pmml',
  'model-onnx',
])

/** Whether files need the points themselves, in one process: then each reads the whole file. */
export function needsPoints(kinds: readonly ExportKind[], steps: number): boolean {
  return steps > 0 || kinds.some((kind) => !withoutPoints.has(kind))
}

/**
 * Of a result that several processes hold: what the first one writes, which is the one to ask for the answer. Labels and
 * distances come to it, and the points where a file needs them.
 */
export async function wholeResult(
  result: RunResult,
  processes: RunProcesses,
  { kinds, steps }: { readonly kinds: readonly ExportKind[]; readonly steps: number },
  signal: AbortSignal,
): Promise<RunResult> {
  const { points, labels } = result
  const { n, d, part } = points
  if (part === undefined) return result
  const isFirst = processes.rank === 0
  const whole = { ...result, labels: new Int32Array(isFirst ? n : 0) }
  await collect(processes, labels, whole.labels)
  const rows =
    points.rows === null || !isFirst ? null : rowsOfPoints(points.leftOutRows, { first: 0, count: n })
  if (needsPoints(kinds, steps)) {
    const x = emptyLike(points.x, isFirst ? n * d : 0)
    await collect(processes, points.x, x)
    const { part: _, cell: __, ...others } = points
    return { ...whole, points: { ...others, x, rows } }
  }
  const distances = new Float64Array(isFirst && kinds.includes('labels') ? n : 0)
  if (kinds.includes('labels')) await collect(processes, await distancesOf(result, signal), distances)
  return { ...whole, points: { ...points, rows }, distances }
}

async function collect(
  processes: RunProcesses,
  own: Coordinates | Int32Array,
  all: Coordinates | Int32Array,
): Promise<void> {
  const bytes = bytesOf(all)
  let at = 0
  await visitOnFirst(processes, bytesOf(own), (theirs) => {
    bytes.set(theirs, at)
    at += theirs.length
  })
}

/** Of the points of this process to their centroids, engine units. */
async function distancesOf(
  { points: { x, d }, labels, centroids }: RunResult,
  signal: AbortSignal,
): Promise<Float64Array> {
  const wide = Float64Array.from(centroids)
  const distances = new Float64Array(labels.length)
  const slices = new Slices(signal)
  for (let i = 0; i < labels.length; i++) {
    distances[i] = Math.sqrt(squaredDistance(x, i, wide, labels[i], d))
    if (i % 4096 === 4095) await slices.next()
  }
  return distances
}
