import nearest from '@kernels/common/nearest.wgsl?raw'
import source from '@kernels/variants/global-atomics/global-atomics.wgsl?raw'
import { allBindings, groupsOf, type VariantPasses } from './variant-passes'

const pointsPerGroup = 256

/** One kernel for distances and atomic sums, as in the study. */
export function globalAtomics(): VariantPasses {
  return {
    source: `${nearest}\n${source}`,
    kernels: { assign: { bindings: allBindings } },
    assign: [{ kernel: 'assign', groups: groupsOf(pointsPerGroup) }],
    update: [],
    pointsPerGroup,
    fused: false,
  }
}
