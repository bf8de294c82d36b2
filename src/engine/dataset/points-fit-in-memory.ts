import { LabError } from '@shared/errors'
import type { Precision } from '@shared/precision'
import { bytesOfCoordinate } from './coordinates'
import { freeBytes, makeRoom, sizeOf } from '../memory'

/** Beside its coordinates: a label, and the row it came from. */
const bytesOfPoint = 8

/**
 * Asked before points are made of a table: a system that lends more memory than it has would end the process in the middle.
 * @param free bytes this process could still take
 * @throws LabError `prepare.memory` when they would not fit
 */
export function assertPointsFitInMemory(
  n: number,
  d: number,
  fileName: string,
  precision: Precision,
  free = freeBytes(),
): void {
  const need = n * (d * bytesOfCoordinate(precision) + bytesOfPoint)
  if (need <= free) return
  throw new LabError(
    'input',
    'prepare.memory',
    `Clustering ${n} rows of ${fileName} by ${d} features would need about ${sizeOf(need)} of memory, but ${sizeOf(free)} are free: choose fewer features, or ${makeRoom()}.`,
  )
}
