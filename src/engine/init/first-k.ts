/** The first k usable rows. */
export function firstK(k: number): Int32Array {
  return Int32Array.from({ length: k }, (_, row) => row)
}
