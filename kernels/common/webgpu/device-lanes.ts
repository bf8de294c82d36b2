/**
 * Lanes that a device runs at once where nobody measured it: 132 processors of 2048 each, as a large card has. Too many cost a small
 * device a few more sums of workgroups, too few leave a large one idle.
 */
export const assumedLanes = 132 * 2048
/** Of software adapters, which are not measured: some workgroups for each of a machine's few processors, as each costs its memory. */
export const softwareLanes = 32 * 256

interface Lanes {
  /** Of all workgroups that run at once; absent: `assumedLanes`. */
  readonly lanesAtOnce?: number
}

/**
 * Workgroups of a dispatch, one for so many of the lanes that run at once. A workgroup of 256 lanes of whose kind a processor takes
 * four has 512 of its 2048 lanes. How many there are changes the time and never the result: sums are integers.
 */
export function groupsFor({ lanesAtOnce = assumedLanes }: Lanes, lanesEach: number): number {
  return Math.max(1, Math.round(lanesAtOnce / lanesEach))
}

/** Of a workgroup that loops over the points: enough to fill a device, few enough to add few sums at the end. */
export const lanesOfPersistent = 512
/** From as many workgroups on a device is busy. */
export const lanesOfBusy = 1024
/** Lanes that share a processor, as far as this is told. */
export const lanesOfProcessor = 2048

const workgroupSizes = [256, 128, 64] as const

/** Threads of a workgroup whose lanes take so many points: smaller ones where there are few, so that the device is busy. */
export function threadsFor(n: number, pointsPerLane: number, lanes: Lanes): number {
  const enough = groupsFor(lanes, lanesOfBusy)
  return workgroupSizes.find((size) => n >= enough * pointsPerLane * size) ?? 64
}
