import source from '@kernels/variants/global-atomics/global-atomics.wgsl?raw'
import { nearestCentroids } from './nearest'
import { allBindings, type CompileRequest, type VariantPasses } from './variant-passes'

/** One kernel for distances and atomic sums, as in the study. */
export function globalAtomics({ d }: CompileRequest): VariantPasses {
  const { pointsPerGroup, groups } = nearestCentroids
  return {
    source: `${nearestCentroids.source}\n${source}`,
    kernels: { assign: { bindings: allBindings, constants: { features: d } } },
    assign: [{ kernel: 'assign', groups }],
    update: [],
    pointsPerGroup,
    fused: false,
  }
}
