import source from '@kernels/variants/hybrid/hybrid.wgsl?raw'
import { nearestCentroids } from './nearest'
import type { CompileRequest, VariantPasses } from './variant-passes'

/** The device only assigns; the processor sums in one pass. */
export function hybrid({ d }: CompileRequest): VariantPasses {
  const { pointsPerGroup, groups } = nearestCentroids
  return {
    source: `${nearestCentroids.source}\n${source}`,
    kernels: {
      assign: { bindings: ['points', 'labels', 'counts', 'centroids'], constants: { features: d } },
    },
    assign: [{ kernel: 'assign', groups }],
    update: [],
    hostUpdate: 'one-pass',
    pointsPerGroup,
    fused: false,
  }
}
