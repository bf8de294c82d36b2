import source from '@kernels/variants/distance-matrix/distance-matrix.wgsl?raw'
import { grid, groupsOf, type CompileRequest, type VariantPasses } from './variant-passes'

const side = 16
const threads = 256

/** The study's kernels one after the other; the means and the comparison are the engine's. */
export function distanceMatrix({ k }: CompileRequest): VariantPasses {
  return {
    source,
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
