import pointSource from './point_in_registers.wgsl?raw'
import tileSource from './staged_centroids.wgsl?raw'
import { groupsOf, type CompileRequest, type Constants, type DispatchShape, type Grid } from './passes'

/** Of task.wgsl and the kernels themselves. */
const otherBytes = 64
/** Four features of a centroid. */
const vectorBytes = 16
/** More would leave too few workgroups on a processor. */
const maxTileBytes = 32 * 1024

/** What variants that stage centroids in workgroup memory share: staged_centroids.wgsl. */
export const stagedCentroids = {
  files: [pointSource, tileSource],
  pointsPerGroup: 256,
  /** One thread per point. */
  groups: groupsOf(256) satisfies (shape: DispatchShape) => Grid,
}

/** Whole centroids as many as fit, or a slice of one. */
export function tileConstants({ k, d, workgroupBytes }: CompileRequest): Constants {
  const budget = Math.min(workgroupBytes - otherBytes, maxTileBytes)
  const vectors = Math.floor(budget / vectorBytes)
  const tileVectors = Math.min(Math.ceil(d / 4), vectors)
  const tileRows = Math.max(1, Math.min(k, Math.floor(vectors / tileVectors)))
  return { features: d, tile_rows: tileRows, tile_vectors: tileVectors }
}
