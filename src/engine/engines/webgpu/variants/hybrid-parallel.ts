import columns from '@kernels/common/columns.wgsl?raw'
import source from '@kernels/variants/hybrid-parallel/hybrid-parallel.wgsl?raw'
import { columnBytes, transposition } from './columns'
import { groupsOf, type CompileRequest, type VariantPasses } from './variant-passes'

const pointsPerGroup = 256

/** The device only assigns, from columns; the processor's threads sum. */
export function hybridParallel({ d }: CompileRequest): VariantPasses {
  const constants = { features: d }
  return {
    source: `${columns}\n${source}`,
    kernels: {
      transpose: { bindings: ['points'], constants },
      assign: { bindings: ['labels', 'counts', 'centroids'], constants },
    },
    scratch: { columns: columnBytes(d) },
    prepare: [transposition],
    assign: [{ kernel: 'assign', scratch: ['columns'], groups: groupsOf(pointsPerGroup) }],
    update: [],
    hostUpdate: 'parallel',
    pointsPerGroup,
    fused: false,
  }
}
