import meanSource from '@kernels/common/mean.wgsl?raw'
import freshSource from '@kernels/variants/fused/fresh.wgsl?raw'
import planeSource from '@kernels/variants/fused/plane.wgsl?raw'
import spreadSource from '@kernels/variants/fused/spread.wgsl?raw'
import tableSource from '@kernels/variants/fused/table.wgsl?raw'
import { mostFew } from './fused-few'
import { boundsPass, threadsFor } from './fused-sizes'
import {
  allBindings,
  grid,
  groupsOf,
  type CompileRequest,
  type Constants,
  type VariantPasses,
} from './variant-passes'

const pointsPerLane = 4
/** Of the table of cells: its side is two to this power. */
const cellBits = 5
/** Of one workgroup of `make_table`. */
const cellsPerTableGroup = 32
/** Workgroup memory of `make_table` beside the centroids. */
const tableGroupBytes = 17 * 1024
/** Points from which a table of the plane pays. */
const fewestTabled = 2 ** 17
/** Persistent workgroups with a table: each reads all of it. */
const tableGroups = 264
/** So few that the sums of a workgroup do not overflow. */
const mostPointsPerGroup = 60 * 1024
/** Most of workgroup memory that copies of the sums may take. */
const copiesBytes = 12 * 1024
/** Lanes that share points and centroids, and points of such a team. */
const teamLanes = 32
const pointsOfTeam = 128
/** Workgroups that a large card runs at once when they take all that one may. */
const processors = 132
/** Distances up to which teams pay. */
const mostSpread = 2 ** 26
/** Points of a cluster up to which these go to global memory one by one. */
const mostPerCluster = 160

/** Whether so few points and clusters are given that one dispatch over all distances is best. */
export function spreadPays({
  n,
  k,
  d,
  software,
  workgroupBytes,
  workgroupThreads = 256,
}: CompileRequest): boolean {
  const bytes = 8 * pointsOfTeam * (Math.min(1024, workgroupThreads) / teamLanes) + 16 * (k + 4) + 64
  const areFew = n <= mostPerCluster * k && n * k <= mostSpread
  return d === 2 && k > mostFew && areFew && bytes <= workgroupBytes && software !== true
}

/** Whether there are so many points that a table of the plane for each iteration pays. */
export function tablePays({ n, k, d, software, workgroupBytes }: CompileRequest): boolean {
  const fits = Math.max(bytesOfTable(k), 16 * k + tableGroupBytes) <= workgroupBytes
  const areMany = n > mostPerCluster * k && n >= fewestTabled
  return d === 2 && k > mostFew && fits && areMany && software !== true
}

/** Two features and many clusters: by a table of the plane. */
export function table(request: CompileRequest): VariantPasses {
  const { k } = request
  const { constants, groups } = tableShape(request)
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
    pointsPerGroup: pointsPerLane * constants.threads,
  }
}

/** Two features, many clusters and few points: all lanes of a large card at once, by teams. */
export function spread({ n, k, workgroupThreads = 256 }: CompileRequest): VariantPasses {
  const threads = Math.min(1024, workgroupThreads)
  const teams = threads / teamLanes
  const sets = Math.max(1, Math.min(teams, Math.ceil(n / (processors * pointsOfTeam))))
  const slices = Math.floor(teams / sets)
  const pointsPerGroup = Math.floor(teams / slices) * pointsOfTeam
  return {
    source: [meanSource, freshSource, spreadSource].join('\n'),
    update: [],
    fused: true,
    makesMeans: true,
    kernels: {
      spread: {
        bindings: allBindings,
        writes: ['centroids'],
        constants: { threads, most_rows: 4 * Math.ceil(k / 4), slices },
      },
    },
    assign: [{ kernel: 'spread', groups: groupsOf(pointsPerGroup) }],
    pointsPerGroup,
  }
}

/** Workgroups of `by_table`, each with a table and sums of its own. */
function tableShape({ n, k, workgroupBytes }: CompileRequest): {
  readonly constants: Constants & { threads: number }
  groups(count: number): number
} {
  const threads = threadsFor(n, pointsPerLane)
  const copyBytes = 20 * k
  const forCopies = Math.min(copiesBytes, workgroupBytes - bytesOfTable(k) + copyBytes)
  let replicas = 1
  while (replicas < 32 && 2 * replicas * copyBytes <= forCopies) replicas *= 2
  const most = tableGroups * mostPointsPerGroup
  const groups = (count: number) =>
    Math.min(Math.ceil(count / (pointsPerLane * threads)), tableGroups * Math.ceil(count / most))
  return { constants: { threads, replicas }, groups }
}

/** Workgroup memory of `by_table`: the beginnings of all cells, centroids, one copy of the sums. */
function bytesOfTable(k: number): number {
  return 8 * 4 ** cellBits + 28 * k + 128
}
