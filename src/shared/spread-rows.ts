/**
 * Rows of a sample, ascending: one of each of `most` to `2 * most` stretches of the same length, anywhere in it, since rows may repeat
 * a pattern; all where there are no more than that.
 */
export function spreadRows(rows: number, most: number): Uint32Array {
  const step = Math.max(1, Math.floor(rows / most))
  return Uint32Array.from(
    { length: Math.floor(rows / step) },
    (_, stretch) => stretch * step + ((Math.imul(stretch, 0x9e3779b1) >>> 8) % step),
  )
}
