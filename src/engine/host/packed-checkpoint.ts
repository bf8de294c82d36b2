import { emptyLike } from '@engine/dataset/coordinates'
import type { Coordinates } from '@engine/engines/engine'
import type { Checkpoint } from '@engine/run/types'
import type { IterationRow } from '@shared/run-record'

/** The two long lists of a checkpoint as one array each: it is written again and again while a run works. */
export type PackedCheckpoint = Omit<Checkpoint, 'rows' | 'centroidHistory'> & {
  /** `rowFields` of each row, NaN for null. */
  readonly rows: Float64Array
  /** (iterations, k, d), one after the other. */
  readonly centroidHistory: Coordinates
  /** Coordinates of one iteration. */
  readonly centroidFloats: number
}

/** All of them: what is not named here would be lost. */
const rowFields = Object.keys({
  run: true,
  iteration: true,
  inertia: true,
  maxShift: true,
  shiftSquared: true,
  changed: true,
  emptyClusters: true,
  assignMs: true,
  updateMs: true,
  convergeMs: true,
  iterateMs: true,
  totalMs: true,
} satisfies Record<keyof IterationRow, true>) as (keyof IterationRow)[]

/** Centroids of iterations in a packed checkpoint; beyond, the first are kept: writing more would take seconds. */
const maxHistoryBytes = 2 ** 25

/** For a disk; see `PackedCheckpoint`. */
export function packed({ rows, centroidHistory, ...rest }: Checkpoint): PackedCheckpoint {
  const fields = rowFields.length
  const numbers = new Float64Array(rows.length * fields)
  rows.forEach((row, i) =>
    rowFields.forEach((field, j) => (numbers[i * fields + j] = row[field] ?? Number.NaN)),
  )
  const centroidFloats = centroidHistory.at(0)?.length ?? 0
  const bytes = Math.max(1, centroidHistory.at(0)?.byteLength ?? 0)
  const most = Math.floor(maxHistoryBytes / bytes)
  const kept = centroidHistory.slice(0, most)
  const floats = emptyLike(kept.at(0) ?? new Float32Array(), kept.length * centroidFloats)
  kept.forEach((centroids, i) => floats.set(centroids, i * centroidFloats))
  return { ...rest, rows: numbers, centroidHistory: floats, centroidFloats }
}

/** As it was packed, but for centroids that were too many. */
export function unpacked({ rows, centroidHistory, centroidFloats, ...rest }: PackedCheckpoint): Checkpoint {
  const fields = rowFields.length
  const count = Math.floor(centroidHistory.length / Math.max(1, centroidFloats))
  return {
    ...rest,
    rows: Array.from({ length: rows.length / fields }, (_, i) =>
      rowOf(rows.subarray(i * fields, (i + 1) * fields)),
    ),
    centroidHistory: Array.from({ length: count }, (_, i) =>
      centroidHistory.slice(i * centroidFloats, (i + 1) * centroidFloats),
    ),
  }
}

function rowOf(numbers: Float64Array): IterationRow {
  const row = Object.fromEntries(
    rowFields.map((field, j) => [field, Number.isNaN(numbers[j]) ? null : numbers[j]]),
  )
  return row as unknown as IterationRow
}
