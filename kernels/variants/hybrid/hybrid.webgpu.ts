import source from './hybrid.wgsl?raw'
import { nearestCentroids } from '@kernels/common/webgpu/nearest-centroid'
import type { CompileRequest, VariantPasses } from '@kernels/common/webgpu/passes'
import { keptAsStudied } from '@kernels/common/webgpu/variant'

/** The device only assigns; the processor sums in one pass. */
export function hybrid({ d }: CompileRequest): VariantPasses {
  const { pointsPerGroup, groups } = nearestCentroids
  return {
    files: [...nearestCentroids.files, source],
    kernels: {
      assign: { bindings: ['points', 'labels', 'counts', 'centroids'], constants: { features: d } },
    },
    assign: [{ kernel: 'assign', groups }],
    update: [],
    pointsPerGroup,
    fused: false,
  }
}

export default keptAsStudied(hybrid, 'one-pass')
