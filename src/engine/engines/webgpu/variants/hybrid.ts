import nearest from '@kernels/common/nearest.wgsl?raw'
import source from '@kernels/variants/hybrid/hybrid.wgsl?raw'
import { groupsOf, type VariantPasses } from './variant-passes'

const pointsPerGroup = 256

/** The device only assigns; the processor sums in one pass. */
export function hybrid(): VariantPasses {
  return {
    source: `${nearest}\n${source}`,
    kernels: { assign: { bindings: ['points', 'labels', 'counts', 'centroids'] } },
    assign: [{ kernel: 'assign', groups: groupsOf(pointsPerGroup) }],
    update: [],
    hostUpdate: 'one-pass',
    pointsPerGroup,
    fused: false,
  }
}
