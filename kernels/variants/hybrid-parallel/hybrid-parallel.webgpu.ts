import columns from '@kernels/common/webgpu/columns.wgsl?raw'
import source from './hybrid-parallel.wgsl?raw'
import { columnBytes, transposition } from '@kernels/common/webgpu/columns'
import { groupsOf, type CompileRequest, type VariantPasses } from '@kernels/common/webgpu/passes'
import { keptAsStudied } from '@kernels/common/webgpu/variant'

const pointsPerGroup = 256

/** The device only assigns, from columns; the processor's threads sum. */
export function hybridParallel({ d }: CompileRequest): VariantPasses {
  const constants = { features: d }
  return {
    files: [columns, source],
    kernels: {
      transpose: { bindings: ['points'], constants },
      assign: { bindings: ['labels', 'counts', 'centroids'], constants },
    },
    scratch: { columns: columnBytes(d) },
    prepare: [transposition],
    assign: [{ kernel: 'assign', scratch: ['columns'], groups: groupsOf(pointsPerGroup) }],
    update: [],
    pointsPerGroup,
    fused: false,
  }
}

export default keptAsStudied(hybridParallel, 'parallel')
