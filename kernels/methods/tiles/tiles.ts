import type { RunShape } from '@shared/variant'

const tilePoints = 64

/** `max_kept` of tile_passes.hpp. */
const maxKept = 2 ** 26

/** The points once more, in tiles, and a label of each beside those that are handed out. */
export function tileBytes(shape: RunShape): number {
  return pointsInTiles(shape) * 4 * shape.d + labelBytes(shape)
}

/** The same of passes that keep no tiles of many points. */
export function passBytes(shape: RunShape): number {
  return shape.n * shape.d < maxKept ? tileBytes(shape) : labelBytes(shape)
}

function labelBytes({ n, k }: RunShape): number {
  return pointsInTiles({ n }) * (k <= 256 ? 1 : k <= 65_536 ? 2 : 4)
}

function pointsInTiles({ n }: Pick<RunShape, 'n'>): number {
  return Math.ceil(n / tilePoints) * tilePoints
}
