import { Draws, streams } from './philox'

/** k distinct rows of n from stream `random`; see `sampleRows`. */
export function randomRows(n: number, k: number, seed: number): Int32Array {
  return sampleRows(n, k, new Draws(seed, streams.random))
}

/**
 * k distinct rows of n, every set equally likely: R. W. Floyd's sampling (Bentley and Floyd, "A sample of
 * brilliance", CACM 30(9), 1987). O(k) time and memory. Draw c is at round 0, index c.
 */
export function sampleRows(n: number, k: number, draws: Draws): Int32Array {
  const rows = new Set<number>()
  for (let c = 0; c < k; c++) {
    const last = n - k + c
    const row = draws.below(last + 1, 0, c)
    rows.add(rows.has(row) ? last : row)
  }
  return Int32Array.from(rows)
}
