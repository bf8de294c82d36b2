import source from './partial-sums.wgsl?raw'
import { defaultWorkers } from '@shared/workers'
import { heldPoints } from '@kernels/common/webgpu/held-points'
import {
  grid,
  largerPieces,
  type CompileRequest,
  type Pass,
  type VariantPasses,
} from '@kernels/common/webgpu/passes'
import { keptAsStudied } from '@kernels/common/webgpu/variant'

const threadsPerGroup = 64
const sumBytes = 8
/** Sums of all workers in one round: 128 MiB, which every device can bind. */
const roundBytes = 2 ** 27
/** One after the other within a slice, through the second-level cache. */
const msPerAddition = 1e-3

/**
 * Assignment, then rounds of sums by workers and the reduction over these.
 * @param maxAtOnce sums of one round.
 */
export function partialSums(
  request: CompileRequest,
  maxAtOnce = Math.floor(roundBytes / (sumBytes * workersOf(request))),
): VariantPasses {
  const { n, k, d } = request
  const held = heldPoints(request)
  const workers = workersOf(request)
  const sums = k * (d + 1)
  const tile = Math.min(sums, maxAtOnce)
  const constants = { ...held.constants, tile, max_workers: workers }
  const rounds = Array.from({ length: Math.ceil(sums / tile) }, (_, step) => roundOf(step, tile, workers))
  return {
    files: [held.file, source],
    kernels: {
      assign: { bindings: ['points', 'labels', 'counts', 'centroids'], constants },
      sum_slices: { bindings: ['points', 'labels', 'scales'], constants },
      reduce_workers: { bindings: ['counts', 'sums'], constants },
    },
    scratch: { partials: { bytes: (points) => sumBytes * tile * Math.min(workers, points) } },
    assign: [{ kernel: 'assign', groups: held.groups }],
    update: rounds.flat(),
    pointsPerGroup: largerPieces(Math.max(defaultWorkers, workers), request),
    minMs: (rounds.length * n * msPerAddition) / workers,
    fused: false,
  }
}

/** Fewer where there are fewer points. */
function workersOf({ n, workers = defaultWorkers }: CompileRequest): number {
  return Math.min(workers, n)
}

/** The sums from `step * tile` on, of the k (d + 1) there are. */
function roundOf(step: number, tile: number, workers: number): Pass[] {
  const scratch = ['partials']
  const threads = (count: number, d: number) => Math.min(workers, count) * (d + 1)
  // Never none: under `drop` the last rounds may be left without a cluster.
  const left = (k: number, d: number) => Math.max(1, Math.min(tile, k * (d + 1) - step * tile))
  return [
    {
      kernel: 'sum_slices',
      scratch,
      step,
      groups: ({ count, d }) => grid(Math.ceil(threads(count, d) / threadsPerGroup)),
    },
    { kernel: 'reduce_workers', scratch, step, groups: ({ k, d }) => grid(left(k, d)) },
  ]
}

export default keptAsStudied(partialSums)
