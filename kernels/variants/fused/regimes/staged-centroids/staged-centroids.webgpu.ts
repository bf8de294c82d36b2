import { groupsFor, lanesOfPersistent, threadsFor } from '@kernels/common/webgpu/device-lanes'
import {
  allBindings,
  grid,
  type CompileRequest,
  type Constants,
  type VariantPasses,
} from '@kernels/common/webgpu/passes'
import { resolving } from '@kernels/common/webgpu/resolving'
import type { WebgpuRegime } from '@kernels/common/webgpu/variant'
import { maxHalvesAdded, wholeConstants } from '@kernels/common/webgpu/whole-numbers'
import wholeSource from '@kernels/common/webgpu/whole_numbers.wgsl?raw'
import distancesSource from './by_distances.wgsl?raw'
import scoresSource from './by_scores.wgsl?raw'
import source from './staged-centroids.wgsl?raw'

const pointsPerLane = 4
/** Clusters from which choosing a group by scores pays. */
const minScored = 24
const groupSize = 8
/** Most of workgroup memory that copies of the sums may take. */
const replicaBytes = 12 * 1024

/** Features that staged-centroids.wgsl has registers for. */
export const maxStagedFeatures = 8

/** Up to eight features: centroids and a workgroup's sums in workgroup memory, four points a thread in registers. */
export function stagedCentroids(request: CompileRequest): VariantPasses {
  const constants = stagedConstants(request)
  const kernel = kernelFor(request.d)
  const pointsPerGroup = pointsPerLane * constants.threads
  const most = groupsFor(request, lanesOfPersistent)
  const { apart, maxBlocks } = halvesOf(request, constants)
  const groups = (count: number) => {
    const blocks = Math.ceil(count / pointsPerGroup)
    return Math.min(blocks, most * Math.max(1, Math.ceil(blocks / (most * maxBlocks))))
  }
  const resolved = resolving(request)
  return {
    files: [wholeSource, source, request.k < minScored ? distancesSource : scoresSource],
    update: [],
    fused: true,
    kernels: {
      [kernel]: {
        bindings: allBindings,
        constants: { ...constants, ...wholeConstants(request), halves_apart: apart ? 1 : 0 },
      },
      ...resolved.kernels,
    },
    assign: [{ kernel, groups: ({ count }) => grid(groups(count)) }, resolved.pass],
    listsDoubts: true,
    pointsPerGroup,
  }
}

/** Whether halves of numbers are added up by themselves, and how many blocks of points a workgroup may take then. */
function halvesOf(
  request: CompileRequest,
  { threads, replicas }: { readonly threads: number; readonly replicas: number },
): { readonly apart: boolean; readonly maxBlocks: number } {
  const blocks = Math.floor((maxHalvesAdded(request) * replicas) / (pointsPerLane * threads))
  return blocks > 0
    ? { apart: true, maxBlocks: blocks }
    : { apart: false, maxBlocks: Number.POSITIVE_INFINITY }
}

/** Entry point by the widest load that rows of d float32 allow. */
function kernelFor(d: number): string {
  if (d === 2) return 'staged_pairs'
  return d % 4 === 0 ? 'staged_quads' : 'staged_rows'
}

/** Shares workgroup memory between staged centroids and the workgroup's own sums, where these fit and pay. */
function stagedConstants(request: CompileRequest): Constants & { threads: number; replicas: number } {
  const { n, k, d, workgroupBytes } = request
  const budget = workgroupBytes - 64
  const rowVectors = d <= 4 ? 1 : 2
  const groupBytes = 16 * (groupSize * rowVectors + 3)
  const sumsBytes = 4 * k * (2 * d + 1)
  const threads = threadsFor(n, pointsPerLane, request)
  const groups = Math.min(groupsFor(request, lanesOfPersistent), Math.ceil(n / (pointsPerLane * threads)))
  const fits = sumsBytes + groupBytes * Math.min(Math.ceil(k / groupSize), groupSize) <= budget
  // A workgroup with fewer points than clusters would write more sums than it has points.
  const localSums = fits && n >= groups * k
  const forRows = budget - (localSums ? sumsBytes : 4 * (2 * d + 1))
  const tileGroups = Math.min(Math.ceil(k / groupSize), Math.floor(forRows / groupBytes))
  let replicas = 1
  const forReplicas = Math.min(replicaBytes, budget - groupBytes * tileGroups)
  while (localSums && replicas < 32 && 2 * replicas * sumsBytes <= forReplicas) replicas *= 2
  return {
    features: d,
    threads,
    tile_groups: tileGroups,
    row_vectors: rowVectors,
    local_sums: localSums ? 1 : 0,
    local_k: localSums ? k : 1,
    replicas,
  }
}

export default { passes: stagedCentroids } satisfies WebgpuRegime
