import source from './shared-centroids.wgsl?raw'
import { stagedCentroids, tileConstants } from '@kernels/common/webgpu/staged-centroids'
import { allBindings, type CompileRequest, type VariantPasses } from '@kernels/common/webgpu/passes'
import { keptAsStudied } from '@kernels/common/webgpu/variant'

/** One kernel for distances and atomic sums, as in the study. */
export function sharedCentroids(request: CompileRequest): VariantPasses {
  const { pointsPerGroup, groups } = stagedCentroids
  return {
    files: [...stagedCentroids.files, source],
    kernels: { assign: { bindings: allBindings, constants: tileConstants(request) } },
    assign: [{ kernel: 'assign', groups }],
    update: [],
    pointsPerGroup,
    fused: false,
  }
}

export default keptAsStudied(sharedCentroids)
