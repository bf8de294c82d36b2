/** Index of the first element of an ascending array that is not below `value`. */
function lowerBound(ascending: Uint32Array, value: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle] < value) low = middle + 1
    else high = middle
  }
  return low
}

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
  if (rows === null) return labels.slice(start, end)
  const chunk = new Int32Array(Math.max(0, end - start)).fill(-1)
  for (let point = lowerBound(rows, start); point < rows.length && rows[point] < end; point++)
    chunk[rows[point] - start] = labels[point]
  return chunk
}
