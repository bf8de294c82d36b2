import type { RunShape } from '@shared/variant'

const tilePoints = 64

/** The points once more, in tiles, and a label of each beside those that are handed out. */
export function tileBytes({ n, d, k }: RunShape): number {
  const labelBytes = k <= 256 ? 1 : k <= 65_536 ? 2 : 4
  return Math.ceil(n / tilePoints) * tilePoints * (4 * d + labelBytes)
}
