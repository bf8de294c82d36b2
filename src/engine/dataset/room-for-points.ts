import { LabError } from '@shared/errors'
import type { Precision } from '@shared/precision'
import { freeBytes, makeRoom, sizeOf } from '../memory'
import { roomFor, type Room } from '../scratch/room'
import { bytesOfCoordinate } from './coordinates'

/** Of a point, whatever its coordinates: its label, and the row it came from. */
const bytesOfPoint = 8

/** Coordinates and an engine's copy of them, which may lie in a scratch file; what must lie in memory. */
export function pointBytes(n: number, d: number, precision: Precision) {
  return { follows: 2 * n * d * bytesOfCoordinate(precision), beside: n * bytesOfPoint }
}

/**
 * Where points will lie, asked before they are made of a table: a system that lends more memory than it has would end the process
 * in the middle.
 * @param free bytes this process could still take
 * @throws LabError `prepare.memory` when they fit nowhere
 */
export function roomForPoints(
  n: number,
  d: number,
  fileName: string,
  precision: Precision,
  free = freeBytes(),
): Room {
  const { follows, beside } = pointBytes(n, d, precision)
  const room = roomFor({ what: 'The points', bytes: follows / 2, follows: follows / 2, beside }, free)
  if (!('refusal' in room)) return room
  throw new LabError(
    'input',
    'prepare.memory',
    `Clustering ${n} rows of ${fileName} by ${d} features would need about ${sizeOf(follows + beside)}, but ${sizeOf(free)} of memory are free and ${room.refusal}: choose fewer features, or ${makeRoom()}.`,
  )
}
