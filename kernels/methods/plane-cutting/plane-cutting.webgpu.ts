import { groupsFor, lanesOfPersistent } from '@kernels/common/webgpu/device-lanes'
import { grid, type CompileRequest, type Pass, type Scratch } from '@kernels/common/webgpu/passes'

const pointsPerGroup = 512

/** Finds out, once, how far the points of a plane reach. */
export function boundsPass(request: CompileRequest): Pass {
  const most = groupsFor(request, lanesOfPersistent)
  return {
    kernel: 'find_bounds',
    scratch: ['bounds'],
    groups: ({ count }) => grid(Math.min(most, Math.ceil(count / pointsPerGroup))),
  }
}

/** Keys of the four bounds. */
export const boundsScratch: Readonly<Record<string, Scratch>> = {
  bounds: { bytes: () => 16, keptPer: 'part' },
}
