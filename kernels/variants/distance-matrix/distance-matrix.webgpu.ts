import source from './distance-matrix.wgsl?raw'
import { grid, groupsOf, type CompileRequest, type VariantPasses } from '@kernels/common/webgpu/passes'
import { keptAsStudied } from '@kernels/common/webgpu/variant'

const side = 16
const threads = 256

/** The study's kernels one after the other; the means and the comparison are the engine's. */
export function distanceMatrix({ k }: CompileRequest): VariantPasses {
  return {
    files: [source],
    kernels: {
      distances: { bindings: ['points', 'centroids'] },
      choose: { bindings: ['labels', 'counts'] },
      add_up: { bindings: ['points', 'labels', 'counts', 'sums', 'scales'] },
    },
    scratch: { matrix: { bytes: (points) => 4 * points * k } },
    assign: [
      {
        kernel: 'distances',
        scratch: ['matrix'],
        groups: (shape) => grid(Math.ceil(shape.count / side) * Math.ceil(shape.k / side)),
      },
      { kernel: 'choose', scratch: ['matrix'], groups: groupsOf(threads) },
    ],
    update: [{ kernel: 'add_up', groups: ({ count, d }) => grid(Math.ceil((count * d) / threads)) }],
    pointsPerGroup: side,
    fused: false,
  }
}

export default keptAsStudied(distanceMatrix)
