import freshSource from '@kernels/common/webgpu/fresh_centroids.wgsl?raw'
import { groupsFor, lanesOfProcessor } from '@kernels/common/webgpu/device-lanes'
import meanSource from '@kernels/common/webgpu/mean.wgsl?raw'
import { allBindings, groupsOf, type CompileRequest, type VariantPasses } from '@kernels/common/webgpu/passes'
import type { WebgpuRegime } from '@kernels/common/webgpu/variant'
import source from './split-centroids.wgsl?raw'

/** Lanes that share points and centroids, and points of such a team. */
const teamLanes = 32
const pointsOfTeam = 128

/** Workgroup memory of workgroups of so many threads. */
export function splitCentroidsBytes(k: number, workgroupThreads: number): number {
  return 8 * pointsOfTeam * (Math.min(1024, workgroupThreads) / teamLanes) + 16 * (k + 4) + 64
}

/** Two features, many clusters and few points: all lanes of the device at once, by teams. */
export function splitCentroids(request: CompileRequest): VariantPasses {
  const { n, k, workgroupThreads = 256 } = request
  const threads = Math.min(1024, workgroupThreads)
  const teams = threads / teamLanes
  const processors = groupsFor(request, lanesOfProcessor)
  const sets = Math.max(1, Math.min(teams, Math.ceil(n / (processors * pointsOfTeam))))
  const slices = Math.floor(teams / sets)
  const pointsPerGroup = Math.floor(teams / slices) * pointsOfTeam
  return {
    files: [meanSource, freshSource, source],
    update: [],
    fused: true,
    makesMeans: true,
    kernels: {
      split_centroids: {
        bindings: allBindings,
        writes: ['centroids'],
        constants: { threads, max_rows: 4 * Math.ceil(k / 4), slices },
      },
    },
    assign: [{ kernel: 'split_centroids', groups: groupsOf(pointsPerGroup) }],
    pointsPerGroup,
  }
}

export default { passes: splitCentroids } satisfies WebgpuRegime
