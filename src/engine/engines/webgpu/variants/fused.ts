import highSource from '@kernels/variants/fused/fused.wgsl?raw'
import directSource from '@kernels/variants/fused/direct.wgsl?raw'
import lowSource from '@kernels/variants/fused/low.wgsl?raw'
import scoredSource from '@kernels/variants/fused/scored.wgsl?raw'
import {
  allBindings,
  grid,
  groupsOf,
  type CompileRequest,
  type Constants,
  type VariantPasses,
} from './variant-passes'

const mostLowFeatures = 8
const pointsPerHighGroup = 64
const pointsPerLane = 4
/** Of the low-dimensional kernel, which loops: enough to fill large cards, few enough to flush little. */
const persistentGroups = 528
/** Workgroups that keep a large card busy; smaller data are cut into smaller workgroups. */
const enoughGroups = 264
const workgroupSizes = [256, 128, 64] as const
/** Clusters from which choosing a group of eight by scores pays. */
const fewestScored = 24
const groupSize = 8
/** Most of workgroup memory that copies of the sums may take. */
const replicaBytes = 12 * 1024

/** One kernel for everything: which of the two depends on the number of features. */
export function fused(request: CompileRequest): VariantPasses {
  return request.d <= mostLowFeatures ? low(request) : high(request.d)
}

function high(d: number): VariantPasses {
  return {
    source: highSource,
    update: [],
    fused: true,
    kernels: { high: { bindings: allBindings, constants: { features: d } } },
    assign: [{ kernel: 'high', groups: groupsOf(pointsPerHighGroup) }],
    pointsPerGroup: pointsPerHighGroup,
  }
}

function low(request: CompileRequest): VariantPasses {
  const constants = lowConstants(request)
  const kernel = lowKernel(request.d)
  const pointsPerGroup = pointsPerLane * constants.threads
  const groups = (count: number) => Math.min(Math.ceil(count / pointsPerGroup), persistentGroups)
  return {
    source: `${lowSource}\n${request.k < fewestScored ? directSource : scoredSource}`,
    update: [],
    fused: true,
    kernels: { [kernel]: { bindings: allBindings, constants } },
    assign: [{ kernel, groups: ({ count }) => grid(groups(count)) }],
    pointsPerGroup,
  }
}

/** Entry point by the widest load that rows of d float32 allow. */
function lowKernel(d: number): string {
  if (d === 2) return 'low_pairs'
  return d % 4 === 0 ? 'low_quads' : 'low'
}

/** Shares workgroup memory between staged centroids and the workgroup's own sums, where these fit and pay. */
export function lowConstants({ n, k, d, workgroupBytes }: CompileRequest): Constants & { threads: number } {
  const budget = workgroupBytes - 64
  const rowVectors = d <= 4 ? 1 : 2
  const groupBytes = 16 * (groupSize * rowVectors + 3)
  const sumsBytes = 4 * k * (2 * d + 1)
  const threads = workgroupSizes.find((size) => n >= enoughGroups * pointsPerLane * size) ?? 64
  const groups = Math.min(persistentGroups, Math.ceil(n / (pointsPerLane * threads)))
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
