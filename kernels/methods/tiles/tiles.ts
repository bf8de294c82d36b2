import type { RunShape } from '@shared/variant'

const tilePoints = 64

/** `late_from` of tile_passes.cpp. */
const lateFrom = 2 ** 24
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

/** What passes hold before the first one: tiles of more points are made when the first centroids have been chosen. */
export function openBytes(shape: RunShape): number {
  return shape.n * shape.d < lateFrom ? tileBytes(shape) : labelBytes(shape)
}

function labelBytes({ n, k }: RunShape): number {
  return pointsInTiles({ n }) * (k <= 256 ? 1 : k <= 65_536 ? 2 : 4)
}

function pointsInTiles({ n }: Pick<RunShape, 'n'>): number {
  return Math.ceil(n / tilePoints) * tilePoints
}
