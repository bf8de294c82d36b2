import pointSource from '@kernels/common/point_in_registers.wgsl?raw'
import nearestSource from '@kernels/common/nearest.wgsl?raw'
import { groupsOf, type DispatchShape, type Grid } from './variant-passes'

/** What variants that read centroids from global memory share: kernels/common/nearest.wgsl. */
export const nearestCentroids = {
  source: `${pointSource}\n${nearestSource}`,
  pointsPerGroup: 256,
  /** One thread per point. */
  groups: groupsOf(256) satisfies (shape: DispatchShape) => Grid,
}
