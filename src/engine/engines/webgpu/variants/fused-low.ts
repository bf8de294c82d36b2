import directSource from '@kernels/variants/fused/direct.wgsl?raw'
import lowSource from '@kernels/variants/fused/low.wgsl?raw'
import scoredSource from '@kernels/variants/fused/scored.wgsl?raw'
import { persistentGroups, threadsFor } from './fused-sizes'
import { allBindings, grid, type CompileRequest, type Constants, type VariantPasses } from './variant-passes'

const pointsPerLane = 4
/** So few that the sums of a workgroup do not overflow. */
const mostPointsPerLow = 60 * 1024
/** Clusters from which choosing a group by scores pays. */
const fewestScored = 24
const groupSize = 8
/** Most of workgroup memory that copies of the sums may take. */
const replicaBytes = 12 * 1024

/** Up to eight features. */
export function low(request: CompileRequest): VariantPasses {
  const constants = lowConstants(request)
  const kernel = lowKernel(request.d)
  const pointsPerGroup = pointsPerLane * constants.threads
  const groups = (count: number) =>
    Math.min(
      Math.ceil(count / pointsPerGroup),
      persistentGroups * Math.ceil(count / (persistentGroups * mostPointsPerLow)),
    )
  return {
    source: `${lowSource}\n${request.k < fewestScored ? directSource : scoredSource}`,
    update: [],
    fused: true,
    kernels: { [kernel]: { bindings: allBindings, constants } },
    assign: [{ kernel, groups: ({ count }) => grid(groups(count)) }],
    pointsPerGroup,
  }
}

/** Entry point by the widest load that rows of d float32 allow. */
function lowKernel(d: number): string {
  if (d === 2) return 'low_pairs'
  return d % 4 === 0 ? 'low_quads' : 'low'
}

/** Shares workgroup memory between staged centroids and the workgroup's own sums, where these fit and pay. */
export function lowConstants({ n, k, d, workgroupBytes }: CompileRequest): Constants & { threads: number } {
  const budget = workgroupBytes - 64
  const rowVectors = d <= 4 ? 1 : 2
  const groupBytes = 16 * (groupSize * rowVectors + 3)
  const sumsBytes = 4 * k * (2 * d + 1)
  const threads = threadsFor(n, pointsPerLane)
  const groups = Math.min(persistentGroups, Math.ceil(n / (pointsPerLane * threads)))
  const fits = sumsBytes + groupBytes * Math.min(Math.ceil(k / groupSize), groupSize) <= budget
  // A workgroup with fewer points than clusters would write more sums than it has points.
  const localSums = fits && n >= groups * k
  const forRows = budget - (localSums ? sumsBytes : 4 * (2 * d + 1))
  const tileGroups = Math.min(Math.ceil(k / groupSize), Math.floor(forRows / groupBytes))
  let replicas = 1
  const forReplicas = Math.min(replicaBytes, budget - groupBytes * tileGroups)
  while (localSums && replicas < 32 && 2 * replicas * sumsBytes <= forReplicas) replicas *= 2
  return {
    features: d,
    threads,
    tile_groups: tileGroups,
    row_vectors: rowVectors,
    local_sums: localSums ? 1 : 0,
    local_k: localSums ? k : 1,
    replicas,
  }
}
