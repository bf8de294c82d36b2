import pointSource from './point_in_registers.wgsl?raw'
import nearestSource from './nearest_centroid.wgsl?raw'
import { groupsOf, type DispatchShape, type Grid } from './passes'

/** What variants that read centroids from global memory share: nearest_centroid.wgsl. */
export const nearestCentroids = {
  files: [pointSource, nearestSource],
  pointsPerGroup: 256,
  /** One thread per point. */
  groups: groupsOf(256) satisfies (shape: DispatchShape) => Grid,
}
