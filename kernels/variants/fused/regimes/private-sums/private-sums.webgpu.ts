import freshSource from '@kernels/common/webgpu/fresh_centroids.wgsl?raw'
import { groupsFor, lanesOfPersistent, threadsFor } from '@kernels/common/webgpu/device-lanes'
import meanSource from '@kernels/common/webgpu/mean.wgsl?raw'
import { allBindings, grid, type CompileRequest, type VariantPasses } from '@kernels/common/webgpu/passes'
import type { WebgpuRegime } from '@kernels/common/webgpu/variant'
import planeSource from '@kernels/methods/plane-cutting/plane-cutting.wgsl?raw'
import { boundsPass, boundsScratch } from '@kernels/methods/plane-cutting/plane-cutting.webgpu'
import allSource from './all_centroids.wgsl?raw'
import cellsSource from './candidate_cells.wgsl?raw'
import source from './private-sums.wgsl?raw'

const pointsPerLane = 8
/** Clusters that private-sums.wgsl has variables for. */
export const maxPrivateClusters = 16
/** Points and clusters from which each workgroup cuts the plane into cells and notes the candidates of each. */
const minCutPoints = 2 ** 24
const minCutClusters = 4
/** Of the cells: their side is two to this power. */
const cellBits = 5

/** Two features and few clusters: centroids in variables, 32 copies of the sums in a workgroup. */
export function privateSums(request: CompileRequest): VariantPasses {
  const { n, k } = request
  const threads = threadsFor(n, pointsPerLane, request)
  const pointsPerGroup = pointsPerLane * threads
  const most = groupsFor(request, lanesOfPersistent)
  const cuts = n >= minCutPoints && k >= minCutClusters
  const constants = cuts ? { threads, rows: k, side_bits: cellBits } : { threads, rows: k }
  return {
    files: [meanSource, freshSource, planeSource, source, cuts ? cellsSource : allSource],
    update: [],
    fused: true,
    makesMeans: true,
    kernels: {
      private_sums: { bindings: allBindings, writes: ['centroids'], constants },
      ...(cuts ? { find_bounds: { bindings: ['points'] } } : {}),
    },
    ...(cuts ? { scratch: boundsScratch, prepare: [boundsPass(request)] } : {}),
    assign: [
      {
        kernel: 'private_sums',
        scratch: cuts ? ['bounds'] : [],
        groups: ({ count }) => grid(Math.min(Math.ceil(count / pointsPerGroup), most)),
      },
    ],
    pointsPerGroup,
  }
}

export default { passes: privateSums } satisfies WebgpuRegime
