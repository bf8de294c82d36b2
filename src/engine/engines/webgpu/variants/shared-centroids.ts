import source from '@kernels/variants/shared-centroids/shared-centroids.wgsl?raw'
import { stagedCentroids, tileConstants } from './staged-centroids'
import { allBindings, type CompileRequest, type VariantPasses } from './variant-passes'

/** One kernel for distances and atomic sums, as in the study. */
export function sharedCentroids(request: CompileRequest): VariantPasses {
  const { pointsPerGroup, groups } = stagedCentroids
  return {
    source: `${stagedCentroids.source}\n${source}`,
    kernels: { assign: { bindings: allBindings, constants: tileConstants(request) } },
    assign: [{ kernel: 'assign', groups }],
    update: [],
    pointsPerGroup,
    fused: false,
  }
}
