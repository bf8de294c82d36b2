import file from './held_points.wgsl?raw'
import { groupsOf, type CompileRequest, type Constants, type DispatchShape, type Grid } from './passes'

/** Of task.wgsl. */
const otherBytes = 64
const maxThreads = 256
const minThreads = 32

/** What variants that hold points in workgroup memory share: held_points.wgsl. */
export interface HeldPoints {
  readonly file: string
  readonly constants: Constants
  readonly pointsPerGroup: number
  /** One thread per point. */
  groups(shape: DispatchShape): Grid
}

/** As many threads as have room for all their coordinates, at least 32; what then has no room is not held. */
export function heldPoints({ d, workgroupBytes }: CompileRequest): HeldPoints {
  const words = Math.floor((workgroupBytes - otherBytes) / 4)
  let holders = maxThreads
  while (holders > minThreads && holders * d > words) holders /= 2
  const held = Math.min(d, Math.floor(words / holders))
  return {
    file,
    constants: { features: d, holders, held },
    pointsPerGroup: maxThreads,
    groups: groupsOf(holders),
  }
}
