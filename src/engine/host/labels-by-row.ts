import { putByRow } from '@engine/dataset/by-row'
import { leftOutByte } from '@shared/ipc'

/**
 * Labels of dataset rows start..start+count-1 out of the labels of points; -1 for rows left out.
 * @param labels (n) of the points
 * @param rows (n) dataset row of each point, ascending; null when every row is a point
 * @param total rows of the dataset
 */
export function labelsByRow(
  labels: Int32Array,
  rows: Uint32Array | null,
  total: number,
  start: number,
  count: number,
): Int32Array {
  const end = Math.min(total, start + count)
  return putByRow(labels, rows, start, new Int32Array(Math.max(0, end - start)).fill(-1))
}

/** The same a byte each; `leftOutByte` for rows left out. */
export function labelBytesByRow(
  labels: Int32Array,
  rows: Uint32Array | null,
  total: number,
  start: number,
  count: number,
): Uint8Array {
  const end = Math.min(total, start + count)
  return putByRow(labels, rows, start, new Uint8Array(Math.max(0, end - start)).fill(leftOutByte))
}
