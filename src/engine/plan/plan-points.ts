import type { RunMemory } from '@shared/memory-limits'
import { precisionOf } from '@shared/precision'
import type { RunConfig } from '@shared/run-config'
import type { Dataset } from '../dataset/dataset'
import { preparationOf } from '../dataset/preparation'
import { pointBytes } from '../dataset/room-for-points'
import { freeBytes, makeRoom, sizeOf, withinLimit } from '../memory'
import { roomFor } from '../scratch/room'

/**
 * Where the points of a run on loaded data would lie and what they take, as `prepare` will decide it; rows that are left out count
 * as if they stayed.
 * @param free bytes this process could still take
 * @throws LabError of features that the data do not have
 */
export function planPoints(dataset: Dataset, config: RunConfig, free = freeBytes()): RunMemory {
  const { features } = preparationOf(dataset, config)
  const { follows, beside } = pointBytes(dataset.rows, features.length, precisionOf(config))
  const room = roomFor({ what: 'The points', bytes: follows / 2, follows: follows / 2, beside }, free)
  const left = `${sizeOf(free)} of memory are free${withinLimit()}`
  if ('refusal' in room) {
    const sentence = `The points (${sizeOf(follows + beside)}) fit nowhere: ${left}, and ${room.refusal}. Choose fewer features, or ${makeRoom()}.`
    return { pointsIn: null, sentence }
  }
  const { location, reason } = room
  const sentence =
    reason ??
    `The points lie in memory: with the engine's copy and labels they take at most ${sizeOf(follows + beside)}, and ${left}.`
  return { pointsIn: location, sentence }
}
