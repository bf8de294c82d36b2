import { groupsFor } from '@kernels/common/webgpu/device-lanes'
import { allBindings, grid, type CompileRequest, type VariantPasses } from '@kernels/common/webgpu/passes'
import type { WebgpuRegime } from '@kernels/common/webgpu/variant'
import byFourSource from '@kernels/methods/cluster-groups/rows_by_four.wgsl?raw'
import byOneSource from '@kernels/methods/cluster-groups/rows_by_one.wgsl?raw'
import source from './feature-sums.wgsl?raw'

const threads = 256
/** A lane for each quad of a row. */
export const maxSummedFeatures = 4 * threads
/** Chosen clusters, and what other files keep. */
const otherBytes = 4 * threads + 64

const quadsOf = (d: number) => Math.ceil(d / 4)
/** Centroids in vectors of four, two vectors side by side from the second on. */
const vectorsOf = (k: number) => (k <= 4 ? 1 : 2 * Math.ceil(k / 8))
const stagedBytes = (k: number, d: number) => 64 * vectorsOf(k) * quadsOf(d)
/** Low and high words, and members. */
const copyBytes = (k: number, d: number) => 4 * k * (8 * quadsOf(d) + 1)

/** Workgroup memory with one copy of the sums. */
export function featureSumsBytes(k: number, d: number): number {
  return otherBytes + stagedBytes(k, d) + copyBytes(k, d)
}

/** Memory of a workgroup of which a processor with 2048 lanes holds eight, so that one waits for memory while others work. */
const sharedBytes = 24 * 1024
/** Lanes with features to own below which a workgroup takes all memory for more. */
const minOwners = 64

/** Copies of the sums that fit into so much memory, up to one for every lane that has a quad of features to own. */
function copiesIn(bytes: number, k: number, d: number): number {
  const fitting = Math.floor((bytes - otherBytes - stagedBytes(k, d)) / copyBytes(k, d))
  return Math.max(1, Math.min(fitting, Math.floor(threads / quadsOf(d))))
}

function copiesOf({ k, d, workgroupBytes }: CompileRequest): number {
  const few = copiesIn(Math.min(workgroupBytes, sharedBytes), k, d)
  return few * quadsOf(d) >= minOwners ? few : copiesIn(workgroupBytes, k, d)
}

/** Few clusters: a point a lane, then four features a lane, whose sums nobody else adds to. */
export function featureSums(request: CompileRequest): VariantPasses {
  const { d, k } = request
  const most = groupsFor(request, threads)
  return {
    files: [d % 4 === 0 ? byFourSource : byOneSource, source],
    update: [],
    fused: true,
    kernels: {
      feature_sums: {
        bindings: allBindings,
        constants: { features: d, local_k: k, copies: copiesOf(request) },
      },
    },
    assign: [
      { kernel: 'feature_sums', groups: ({ count }) => grid(Math.min(Math.ceil(count / threads), most)) },
    ],
    pointsPerGroup: threads,
  }
}

export default { passes: featureSums } satisfies WebgpuRegime
