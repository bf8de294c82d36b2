/** Selecting rows of a table by mouse and keys: one, some, a stretch of the table's own order. */

/** Is a row among ascending ones? */
export function isAmong(ascending: Uint32Array | null, row: number): boolean {
  if (ascending === null) return false
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] ?? 0) < row) low = middle + 1
    else high = middle
  }
  return ascending[low] === row
}

/** The same rows with this one among them if it was not, without it if it was. */
export function toggled(ascending: Uint32Array | null, row: number): Uint32Array {
  const rows = ascending ?? new Uint32Array()
  if (isAmong(rows, row)) return rows.filter((one) => one !== row)
  const more = new Uint32Array(rows.length + 1)
  more.set(rows)
  more[rows.length] = row
  return more.sort()
}
