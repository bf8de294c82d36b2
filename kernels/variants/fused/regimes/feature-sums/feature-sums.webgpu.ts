import { groupsFor } from '@kernels/common/webgpu/device-lanes'
import { allBindings, grid, type CompileRequest, type VariantPasses } from '@kernels/common/webgpu/passes'
import { blockFeatures, resolving } from '@kernels/common/webgpu/resolving'
import scalesSource from '@kernels/common/webgpu/scales_of_four.wgsl?raw'
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
/** Rounds of four clusters, or of eight from five on. */
const roundsOf = (k: number) => (k <= 4 ? 1 : Math.ceil(k / 8))
const roundBytes = (k: number, d: number) => 64 * (k <= 4 ? 1 : 2) * quadsOf(d)
/** Low and high words, rests, and members. */
const copyBytes = (k: number, d: number) => 4 * k * (12 * quadsOf(d) + 1)

/** Workgroup memory with a round of centroids and no sums. */
export function featureSumsBytes(k: number, d: number): number {
  return otherBytes + roundBytes(k, d) + 32
}

/** Memory of a workgroup of which a processor with 2048 lanes holds eight, so that one waits for memory while others work. */
const sharedBytes = 24 * 1024
/** Lanes with features to own below which a workgroup takes all memory for more. */
const minOwners = 64

/** Copies of the sums that fit into so much memory, up to one for every lane that has a quad of features to own. */
function copiesIn(bytes: number, rounds: number, { k, d }: CompileRequest): number {
  const fitting = Math.floor((bytes - otherBytes - rounds * roundBytes(k, d)) / copyBytes(k, d))
  return Math.max(0, Math.min(fitting, Math.floor(threads / quadsOf(d))))
}

/** Sums first, and all centroids where they fit beside a copy of them; else as many rounds as do. */
function memoryOf(request: CompileRequest): { copies: number; staged_rounds: number } {
  const { k, d, workgroupBytes } = request
  const rounds = roundsOf(k)
  const few = copiesIn(Math.min(workgroupBytes, sharedBytes), rounds, request)
  const all = copiesIn(workgroupBytes, rounds, request)
  if (all > 0) {
    const copies = few > 0 && few * quadsOf(d) >= minOwners ? few : all
    return { copies, staged_rounds: rounds }
  }
  const copies = Math.min(1, copiesIn(workgroupBytes, 1, request))
  const room = workgroupBytes - featureSumsBytes(k, d) - copies * copyBytes(k, d)
  const staged = 1 + Math.max(0, Math.floor(room / roundBytes(k, d)))
  return { copies, staged_rounds: Math.min(rounds, staged) }
}

/** Few clusters: a point a lane, then four features a lane, whose sums nobody else adds to. */
export function featureSums(request: CompileRequest): VariantPasses {
  const { d, k } = request
  const most = groupsFor(request, threads)
  const resolved = resolving(request)
  return {
    files: [d % 4 === 0 ? byFourSource : byOneSource, scalesSource, source],
    update: [],
    fused: true,
    kernels: {
      feature_sums: {
        bindings: allBindings,
        constants: { features: d, local_k: k, block_features: blockFeatures, ...memoryOf(request) },
      },
      ...resolved.kernels,
    },
    assign: [
      { kernel: 'feature_sums', groups: ({ count }) => grid(Math.min(Math.ceil(count / threads), most)) },
      resolved.pass,
    ],
    listsDoubts: true,
    pointsPerGroup: threads,
  }
}

export default { passes: featureSums } satisfies WebgpuRegime
