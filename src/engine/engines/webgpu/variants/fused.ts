import highSource from '@kernels/variants/fused/fused.wgsl?raw'
import meanSource from '@kernels/common/mean.wgsl?raw'
import directSource from '@kernels/variants/fused/direct.wgsl?raw'
import fewSource from '@kernels/variants/fused/few.wgsl?raw'
import freshSource from '@kernels/variants/fused/fresh.wgsl?raw'
import lowSource from '@kernels/variants/fused/low.wgsl?raw'
import planeSource from '@kernels/variants/fused/plane.wgsl?raw'
import scoredSource from '@kernels/variants/fused/scored.wgsl?raw'
import tableSource from '@kernels/variants/fused/table.wgsl?raw'
import { fusedGroups, groupsPay } from './fused-groups'
import {
  allBindings,
  grid,
  groupsOf,
  type CompileRequest,
  type Constants,
  type Pass,
  type VariantPasses,
} from './variant-passes'

const mostLowFeatures = 8
const pointsPerHighGroup = 64
const pointsPerLane = 4
const pointsPerFewLane = 8
/** Clusters up to which the search is written without a loop. */
const mostFew = 16
/** So few that each of the 32 copies of a workgroup's sums takes fewer than 2048, whole blocks of 1024 threads each. */
const mostPointsPerFew = 7 * 8 * 1024
/** So few that the sums of a workgroup do not overflow. */
const mostPointsPerLow = 60 * 1024
/** Of the low-dimensional kernel, which loops: enough to fill large cards, few enough to flush little. */
const persistentGroups = 528
/** Workgroups that keep a large card busy; smaller data are cut into smaller workgroups. */
const enoughGroups = 264
const workgroupSizes = [256, 128, 64] as const
/** Of the table of cells: its side is two to this power. */
const cellBits = 6
/** Of one workgroup of `make_table`. */
const cellsPerTableGroup = 32
/** Workgroup memory of `make_table` beside the centroids. */
const tableGroupBytes = 17 * 1024
/** Points from which a table of the plane pays. */
const fewestTabled = 2 ** 15
/** Points from which workgroups take more than one a lane. */
const fewestPersistent = 2 ** 20
/** Clusters from which choosing a group of eight by scores pays. */
const fewestScored = 24
const groupSize = 8
/** Most of workgroup memory that copies of the sums may take. */
const replicaBytes = 12 * 1024

/** One kernel for everything, but for large data of many features. */
export function fused(request: CompileRequest): VariantPasses {
  const few = request.software === true ? null : fewOf(request)
  if (few !== null) return few
  if (tablePays(request)) return table(request)
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
      persistentGroups * Math.ceil(count / (persistentGroups * mostPointsPerFew)),
    )
  return {
    source: [meanSource, freshSource, planeSource, fewSource, nearestOf(k)].join('\n'),
    update: [],
    fused: true,
    makesMeans: true,
    kernels: { few: { bindings: allBindings, writes: ['centroids'], constants: { threads, rows: k } } },
    assign: [{ kernel: 'few', groups: ({ count }) => grid(groups(count)) }],
    pointsPerGroup,
  }
}

/** Whether there are so many points that a table of the plane for each iteration pays. */
function tablePays({ n, k, d, software, workgroupBytes }: CompileRequest): boolean {
  const fits = 16 * k + tableGroupBytes <= workgroupBytes
  return d === 2 && k > mostFew && fits && n >= fewestTabled && software !== true
}

/** WGSL of the nearest of `k` centroids, held in variables: one line a centroid, for a loop takes twice the time. */
function nearestOf(k: number): string {
  const all = Array.from({ length: k }, (_, row) => row)
  return [
    ...all.map((row) => `var<private> c${row}: vec2f;`),
    'fn hold(lane: u32) {',
    ...all.map((row) => `  c${row} = vec2f(staged[${2 * row}], staged[${2 * row + 1}]);`),
    '}',
    'fn nearest(x: vec2f) -> u32 {',
    '  var closest = Closest(distance(x, c0), 0u);',
    ...all.slice(1).map((row) => `  closest = nearer(closest, ${row}u, distance(x, c${row}));`),
    '  return closest.cluster;',
    '}',
  ].join('\n')
}

/** Up to eight features. */
export function low(request: CompileRequest): VariantPasses {
  const constants = lowConstants(request)
  const kernel = lowKernel(request.d)
  const pointsPerGroup = pointsPerLane * constants.threads
  const groups = (count: number) =>
    Math.min(
      Math.ceil(count / pointsPerGroup),
      persistentGroups * Math.ceil(count / (persistentGroups * mostPointsPerLow)),
    )
  return {
    source: `${lowSource}\n${request.k < fewestScored ? directSource : scoredSource}`,
    update: [],
    fused: true,
    kernels: { [kernel]: { bindings: allBindings, constants } },
    assign: [{ kernel, groups: ({ count }) => grid(groups(count)) }],
    pointsPerGroup,
  }
}

/** Two features and many clusters: by a table of the plane. */
export function table(request: CompileRequest): VariantPasses {
  const { k } = request
  const { constants, pointsPerGroup, groups } = tableShape(request)
  const cells = 4 ** cellBits
  const tableThreads = Math.min(1024, request.workgroupThreads ?? 256)
  const own = { side_bits: cellBits, most_rows: k }
  const scratch = ['bounds', 'table']
  return {
    source: [meanSource, freshSource, planeSource, tableSource].join('\n'),
    update: [],
    fused: true,
    makesMeans: true,
    scratch: {
      bounds: { bytes: () => 16, keptPer: 'part' },
      table: { bytes: () => 4 * 16 * cells },
    },
    prepare: [boundsPass],
    kernels: {
      find_bounds: { bindings: ['points'] },
      make_table: {
        bindings: ['counts', 'sums', 'centroids', 'scales'],
        writes: ['centroids'],
        constants: { ...own, table_threads: tableThreads },
      },
      by_table: { bindings: allBindings, constants: { ...own, ...constants } },
    },
    assign: [
      { kernel: 'make_table', scratch, groups: () => grid(cells / cellsPerTableGroup) },
      { kernel: 'by_table', scratch, groups: ({ count }) => grid(groups(count)) },
    ],
    pointsPerGroup,
  }
}

const boundsPass: Pass = {
  kernel: 'find_bounds',
  scratch: ['bounds'],
  groups: ({ count }) => grid(Math.min(persistentGroups, Math.ceil(count / 512))),
}

interface TableShape {
  readonly constants: Constants
  readonly pointsPerGroup: number
  /** Workgroups for a number of points. */
  groups(count: number): number
}

/** Many points: persistent workgroups with a table and sums of their own; few: as many lanes as points. */
function tableShape({ n, k, workgroupBytes }: CompileRequest): TableShape {
  if (n < fewestPersistent) {
    const constants = { threads: 128, by_one: 1, local_table: 0, local_sums: 0 }
    return { constants, pointsPerGroup: 128, groups: (count) => Math.ceil(count / 128) }
  }
  const threads = 256
  const pointsPerGroup = 4 * threads
  const budget = workgroupBytes - 8 * k - 256
  const localSums = 20 * k <= budget && n >= persistentGroups * k
  const afterSums = budget - (localSums ? 20 * k : 0)
  const localTable = 8 * 4 ** cellBits <= afterSums
  const forReplicas = afterSums - (localTable ? 8 * 4 ** cellBits : 0)
  let replicas = 1
  while (localSums && replicas < 32 && (2 * replicas - 1) * 20 * k <= Math.min(replicaBytes, forReplicas))
    replicas *= 2
  const constants = {
    threads,
    local_table: localTable ? 1 : 0,
    local_sums: localSums ? 1 : 0,
    local_rows: localSums ? k : 1,
    replicas,
  }
  const most = persistentGroups * mostPointsPerLow
  const groups = (count: number) =>
    Math.min(Math.ceil(count / pointsPerGroup), persistentGroups * Math.ceil(count / most))
  return { constants, pointsPerGroup, groups }
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
