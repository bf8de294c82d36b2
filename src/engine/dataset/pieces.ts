import type { Slices } from '../slices'

/**
 * Points that are summed on their own, before the sums are: what decides the order of additions, the same in the CPU addon
 * (kernels/table/statistics.hpp).
 */
const pointsOfPiece = 1 << 14

/** Values looked at between two looks at the clock. */
const valuesAtOnce = 1 << 15

/** Calls for stretches of points in order, `piece` counted from 0, and gives way between them. */
export async function eachStretch(
  points: number,
  valuesOfPoint: number,
  slices: Slices,
  visit: (piece: number, first: number, last: number) => void,
): Promise<void> {
  const atOnce = Math.min(pointsOfPiece, Math.max(1, Math.floor(valuesAtOnce / valuesOfPoint)))
  for (let begin = 0, piece = 0; begin < points; begin += pointsOfPiece, piece++) {
    const end = Math.min(points, begin + pointsOfPiece)
    for (let first = begin; first < end; first += atOnce) {
      visit(piece, first, Math.min(end, first + atOnce))
      await slices.next()
    }
  }
}

export function pieceCount(points: number): number {
  return Math.ceil(points / pointsOfPiece)
}

/** (size) of pieces (pieces, size), added up in order. */
export function addedUp(pieces: Float64Array, size: number): Float64Array {
  const all = new Float64Array(size)
  for (const [at, value] of pieces.entries()) all[at % size] += value
  return all
}
