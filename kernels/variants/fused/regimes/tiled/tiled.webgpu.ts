import { allBindings, groupsOf, type CompileRequest, type VariantPasses } from '@kernels/common/webgpu/passes'
import type { WebgpuRegime } from '@kernels/common/webgpu/variant'
import source from './tiled.wgsl?raw'

const pointsPerGroup = 64

/** Any number of features: tiles of 64 points by 64 centroids. */
export function tiled({ d }: CompileRequest): VariantPasses {
  return {
    files: [source],
    update: [],
    fused: true,
    kernels: { tiled: { bindings: allBindings, constants: { features: d } } },
    assign: [{ kernel: 'tiled', groups: groupsOf(pointsPerGroup) }],
    pointsPerGroup,
  }
}

export default { passes: tiled } satisfies WebgpuRegime
