import type { DeviceFacts, Plan } from '@shared/plan'
import type { RunShape } from '@shared/variant'
import { pointBytes } from '../dataset/room-for-points'
import { freeBytes } from '../memory'
import { roomFor } from '../scratch/room'
import { residentBytes } from '../scratch/scratch-file'

const mebibyte = 2 ** 20

/** Cells of up to nine digits, as whole numbers over a power of ten (dataset/number-blocks.ts). */
const bytesOfCell = 4
const bytesOfCoordinate = 4
/** Labels of the engine and of the result. */
const bytesOfLabels = 8
/** Pieces of the points that pass through a device, two at a time (kernels/common/cuda/streamed_passes.cu). */
const streamedBytes = 2 * 256 * mebibyte

const bytesOfDistance = 8
/** See kernels/common/seeding/seeding.hpp. */
const maxTransposed = 512 * mebibyte
/** Where the rounds are few enough to be made plainly. */
const maxTransposedPlain = maxTransposed / 4
const maxPlainCentres = 50
/** What reading a file leaves behind. */
const readingBytes = 4 * mebibyte

/** Where the points of a run lie. */
export type PointsIn = 'memory' | 'scratch' | 'device' | 'streamed from memory' | 'streamed from scratch'

/** What a run takes, as far as it grows with the data. */
export interface MemoryPlan {
  /** Null where they fit nowhere. */
  readonly pointsIn: PointsIn | null
  /** One sentence. */
  readonly reason: string
  /** Of the whole process at its peak; what lies in a scratch file apart. */
  readonly ramBytes: number
  readonly scratchBytes: number
  /** Of a device with memory of its own; null where there is none. */
  readonly deviceBytes: number | null
}

/**
 * What a run of this shape would take here, in bytes, foretold from what its arrays take.
 * @param plan of the run @param free bytes this process could still take @param own what it takes now
 */
export function planMemory(
  { n, d, k }: RunShape,
  { engine }: DeviceFacts,
  { workspaceBytes, openBytes }: Pick<Plan, 'workspaceBytes' | 'openBytes'>,
  isStreamed: boolean,
  free = freeBytes(),
  own = process.memoryUsage.rss() + readingBytes,
): MemoryPlan {
  const columns = n * d * bytesOfCell
  const points = n * d * bytesOfCoordinate
  const onHost =
    engine === 'cpu' ? hostNeed(points, { n, k }, workspaceBytes, openBytes) : seedingBytes(points, { n, k })
  const { beside } = pointBytes(n, d, 'float32')
  const room = roomFor({ what: 'The points', bytes: columns, follows: points + onHost, beside }, free)
  const deviceBytes = engine === 'cpu' ? null : deviceNeed(points, n, workspaceBytes, isStreamed)
  if ('refusal' in room) {
    const reason = `They fit nowhere: ${room.refusal}.`
    return { pointsIn: null, reason, ramBytes: own + columns + points + onHost, scratchBytes: 0, deviceBytes }
  }
  const { location, reason } = room
  const inScratch = location === 'scratch'
  const ram = own + n * bytesOfLabels + (inScratch ? residentBytes() : columns + points + onHost)
  return {
    pointsIn: engine === 'cpu' ? location : isStreamed ? `streamed from ${location}` : 'device',
    reason: reason ?? (isStreamed ? streamedReason : inMemoryReason),
    ramBytes: ram,
    scratchBytes: inScratch ? columns + points + onHost : 0,
    deviceBytes,
  }
}

const inMemoryReason = 'They fit into memory.'
const streamedReason = 'They fit into memory, and not on the device.'

/** A session's own, or what it keeps beside the seeding. */
function hostNeed(
  points: number,
  shape: Pick<RunShape, 'n' | 'k'>,
  workspace: number,
  atOpen = Math.min(workspace, points),
): number {
  return Math.max(workspace, atOpen + seedingBytes(points, shape))
}

/** Of k-means++ on the processor: a distance of each point, and the points transposed where they are few enough. */
function seedingBytes(points: number, { n, k }: Pick<RunShape, 'n' | 'k'>): number {
  const most = k > maxPlainCentres ? maxTransposed : maxTransposedPlain
  return n * bytesOfDistance + (points <= most ? points : 0)
}

function deviceNeed(points: number, n: number, workspace: number, isStreamed: boolean): number {
  return (isStreamed ? streamedBytes : points) + n * bytesOfLabels + workspace
}
