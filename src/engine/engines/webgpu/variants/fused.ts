import highSource from '@kernels/variants/fused/fused.wgsl?raw'
import directSource from '@kernels/variants/fused/direct.wgsl?raw'
import fewSource from '@kernels/variants/fused/few.wgsl?raw'
import lowSource from '@kernels/variants/fused/low.wgsl?raw'
import scoredSource from '@kernels/variants/fused/scored.wgsl?raw'
import { fusedGroups, groupsPay } from './fused-groups'
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
const pointsPerFewLane = 8
/** Clusters up to which the search is written without a loop. */
const mostFew = 16
/** So few that the halves of 16 bits of which a workgroup makes its sums do not overflow. */
const mostPointsPerFew = 60 * 1024
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

/** One kernel for everything, but for large data of many features. */
export function fused(request: CompileRequest): VariantPasses {
  const few = request.software === true ? null : fewOf(request)
  if (few !== null) return few
  if (request.d <= mostLowFeatures) return low(request)
  return groupsPay(request) ? fusedGroups(request) : high(request.d)
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

/** Two features and few clusters: without a loop over these; null for all others. */
export function fewOf({ n, k, d }: CompileRequest): VariantPasses | null {
  if (d !== 2 || k > mostFew) return null
  const threads =
    workgroupSizes.find((size) => n >= enoughGroups * pointsPerFewLane * size) ?? workgroupSizes[2]
  const pointsPerGroup = pointsPerFewLane * threads
  const groups = (count: number) =>
    Math.min(
      Math.ceil(count / pointsPerGroup),
      Math.max(persistentGroups, Math.ceil(count / mostPointsPerFew)),
    )
  return {
    source: `${fewSource}\n${nearestOf(k)}`,
    update: [],
    fused: true,
    kernels: { few: { bindings: allBindings, constants: { threads, rows: k } } },
    assign: [{ kernel: 'few', groups: ({ count }) => grid(groups(count)) }],
    pointsPerGroup,
  }
}

/** WGSL of the nearest of `k` staged centroids: one line a centroid, for a loop takes twice the time. */
function nearestOf(k: number): string {
  const others = Array.from(
    { length: k - 1 },
    (_, before) => `  closest = nearer(closest, ${before + 1}u, distance_to(x, ${before + 1}u));`,
  )
  return [
    'fn nearest(x: vec2f) -> u32 {',
    '  var closest = Closest(distance_to(x, 0u), 0u);',
    ...others,
    '  return closest.cluster;',
    '}',
  ].join('\n')
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
