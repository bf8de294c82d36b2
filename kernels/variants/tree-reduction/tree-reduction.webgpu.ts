import source from './tree-reduction.wgsl?raw'
import { stagedCentroids, tileConstants } from '@kernels/common/webgpu/staged-centroids'
import {
  grid,
  type CompileRequest,
  type DispatchShape,
  type Grid,
  type VariantPasses,
} from '@kernels/common/webgpu/passes'
import { keptAsStudied } from '@kernels/common/webgpu/variant'

/** Points of a block, which leaves one partial sum for each cluster and coordinate. */
const blockPoints = 256
const partialBytes = 8
/** Of the reduction: lanes of a workgroup, children of a node. */
const lanes = 64
const fanIn = 8

export function treeReduction(request: CompileRequest): VariantPasses {
  const { k, d } = request
  const constants = tileConstants(request)
  const { pointsPerGroup, groups } = stagedCentroids
  return {
    files: [...stagedCentroids.files, source],
    kernels: {
      assign: { bindings: ['points', 'labels', 'counts', 'centroids'], constants },
      reduce_blocks: { bindings: ['points', 'labels', 'scales'], constants },
      reduce_partials: { bindings: ['counts', 'sums'], constants },
    },
    scratch: {
      partials: { bytes: (points) => partialBytes * k * (d + 1) * Math.ceil(points / blockPoints) },
    },
    assign: [{ kernel: 'assign', groups }],
    update: [
      { kernel: 'reduce_blocks', scratch: ['partials'], groups },
      { kernel: 'reduce_partials', scratch: ['partials'], groups: coarseGroups },
    ],
    pointsPerGroup,
    fused: false,
  }
}

/** As `leaves_of` in the kernel shares lanes out between entries. */
function coarseGroups({ count, k, d }: DispatchShape): Grid {
  const blocks = Math.ceil(count / blockPoints)
  let leaves = 1
  while (leaves < lanes && leaves * fanIn < blocks) leaves *= fanIn
  return grid(Math.ceil((k * (d + 1) * leaves) / lanes))
}

export default keptAsStudied(treeReduction)
