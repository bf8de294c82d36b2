import { grid, type Pass } from './variant-passes'

/** Workgroups that loop over the points: enough to fill large cards, few enough to flush little. */
export const persistentGroups = 528
const enoughGroups = 264
const workgroupSizes = [256, 128, 64] as const

/** Threads of a workgroup whose lanes take so many points: smaller ones where there are few, so that a large card is busy. */
export function threadsFor(n: number, pointsPerLane: number): number {
  return workgroupSizes.find((size) => n >= enoughGroups * pointsPerLane * size) ?? 64
}

/** Finds out, once, how far the points of a plane reach. */
export const boundsPass: Pass = {
  kernel: 'find_bounds',
  scratch: ['bounds'],
  groups: ({ count }) => grid(Math.min(persistentGroups, Math.ceil(count / 512))),
}
