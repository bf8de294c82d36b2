/** Index of the first element of an ascending array that is not below `value`. */
export function lowerBound(ascending: Uint32Array, value: number): number {
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
 * Puts what belongs to points where their rows are; places of rows that are no points stay as they were.
 * @param ofPoints (n) one value for each point
 * @param rows (n) dataset row of each point, ascending; null when every row is a point
 * @param start dataset row of `out[0]`
 */
export function putByRow<A extends Int32Array | Float32Array | Uint8Array>(
  ofPoints: Int32Array | Float32Array,
  rows: Uint32Array | null,
  start: number,
  out: A,
): A {
  const end = start + out.length
  if (rows === null) out.set(ofPoints.subarray(start, end))
  else {
    for (let point = lowerBound(rows, start); point < rows.length && rows[point] < end; point++)
      out[rows[point] - start] = ofPoints[point]
  }
  return out
}
