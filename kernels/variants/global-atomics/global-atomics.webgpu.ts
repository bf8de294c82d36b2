import source from './global-atomics.wgsl?raw'
import { nearestCentroids } from '@kernels/common/webgpu/nearest-centroid'
import { allBindings, type CompileRequest, type VariantPasses } from '@kernels/common/webgpu/passes'
import { keptAsStudied } from '@kernels/common/webgpu/variant'

/** One kernel for distances and atomic sums, as in the study. */
export function globalAtomics({ d }: CompileRequest): VariantPasses {
  const { pointsPerGroup, groups } = nearestCentroids
  return {
    files: [...nearestCentroids.files, source],
    kernels: { assign: { bindings: allBindings, constants: { features: d } } },
    assign: [{ kernel: 'assign', groups }],
    update: [],
    pointsPerGroup,
    fused: false,
  }
}

export default keptAsStudied(globalAtomics)
