import { emptyLike } from '@engine/dataset/coordinates'
import { rowsOfPoints } from '@engine/dataset/aligned-columns'
import { collectOnFirst } from '@engine/export/labels-of-all'
import type { RunProcesses } from '@engine/processes/run-processes'
import type { RunResult } from '@engine/run/types'
import type { ExportKind } from '@shared/ipc'

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

/** Of a result that several processes hold: the first one, which is the one to ask for the answer, has labels and points of all. */
export async function wholeResult(result: RunResult, processes: RunProcesses): Promise<RunResult> {
  const { points, labels } = result
  const { d, part, cell: _, ...others } = points
  if (part === undefined) return result
  const n = processes.rank === 0 ? points.n : 0
  const all = new Int32Array(n)
  await collectOnFirst(processes, labels, all)
  const x = emptyLike(points.x, n * d)
  await collectOnFirst(processes, points.x, x)
  const rows = points.rows === null ? null : rowsOfPoints(points.leftOutRows, { first: 0, count: n })
  return { ...result, labels: all, points: { ...others, d, x, rows } }
}
