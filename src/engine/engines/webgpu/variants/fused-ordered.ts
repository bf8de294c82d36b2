import meanSource from '@kernels/common/mean.wgsl?raw'
import boxSource from '@kernels/variants/fused/plane/box.wgsl?raw'
import boxesSource from '@kernels/variants/fused/plane/boxes.wgsl?raw'
import orderSource from '@kernels/variants/fused/plane/order.wgsl?raw'
import regionsSource from '@kernels/variants/fused/plane/regions.wgsl?raw'
import type { VariantId } from '@shared/variant'
import { areManyForCells } from './fused-near'
import {
  grid,
  type CompileRequest,
  type Kernel,
  type Pass,
  type Scratch,
  type SharedBinding,
  type VariantPasses,
} from './variant-passes'

/** Points of a leaf of `regions`. */
const leafPoints = 64
/** Of order.wgsl. */
const binsScannedTogether = 1024
const orderThreads = 256
const nodeThreads = 64
const mostOrderGroups = 2112
/** Points of a bin that are aimed at, and limits of how often its side is halved. */
const pointsPerBin = 16
const fewestHalvings = 6
const mostHalvings = 11
/** Clusters that a key has room for. */
const mostClusters = 1023
/** Of `regions`: persistent workgroups, and most branches that one looks at together. */
const regionGroups = 264
const regionThreads = 512
const mostTogether = 64
/** Points from which branches are larger. */
const manyPoints = 2 ** 25
/** Leaves that are noted at once. */
const mostNoted = 1024
const copiesBytes = 16 * 1024
/** Of `boxes`. */
const boxThreads = 512
const boxLeaf = 16
/** Leaves of a branch, which is a workgroup's: with 50 000 points one for each processor of a large card. */
const mostBoxLeaves = 24
const fewestBoxLeaves = 8
const processors = 132
/** Points from which workgroups take several branches, and leaves of these. */
const fewestByRow = 2 ** 17
const rowFan = 8
/** Candidates that a leaf lists, and words of the sums where fewer would do. */
const mostListed = 32
const sumsRoom = 2560

/** How the points of the plane are ordered, and what iterates over them. */
export interface Ordered {
  /** Points of a leaf. */
  readonly leaf: number
  /** Leaves of a branch. */
  readonly fan: number
  readonly kernel: 'regions' | 'boxes'
  readonly constants: Readonly<Record<string, number>>
  readonly workgroupBytes: number
  groups(branches: number): number
}

const iterationBindings: readonly SharedBinding[] = ['counts', 'sums', 'centroids', 'scales']

/** `passes` with iterations that go over a copy of the points in the order of a curve through the plane. */
export function ordered(passes: VariantPasses, { n }: CompileRequest, shape: Ordered): VariantPasses {
  const { leaf, fan, kernel } = shape
  const halvings = Math.min(
    mostHalvings,
    Math.max(fewestHalvings, Math.ceil(Math.log2(n / pointsPerBin) / 2)),
  )
  const bins = 4 ** halvings
  const inOrder = (name: string): [string, Kernel] => {
    const constants = constantsOf(name, halvings, shape)
    return [name, { source: orderSource, bindings: ['points', 'scales'], constants }]
  }
  const source = [meanSource, boxSource, kernel === 'regions' ? regionsSource : boxesSource]
  return {
    ...passes,
    kernels: {
      ...passes.kernels,
      ...Object.fromEntries(orderKernels.map(inOrder)),
      [kernel]: {
        source: source.join('\n'),
        bindings: iterationBindings,
        writes: ['centroids'],
        constants: { ...shape.constants, leaf_points: leaf, fan },
      },
    },
    scratch: { ...passes.scratch, ...scratchOf(shape, bins) },
    prepare: [...(passes.prepare ?? []), ...orderPasses(shape, bins)],
    whole: [
      {
        kernel,
        scratch: kernel === 'boxes' ? ['ordered', 'nodes', 'hints'] : ['ordered', 'nodes'],
        groups: ({ count }) => grid(shape.groups(Math.ceil(count / (fan * leaf)))),
      },
    ],
  }
}

const orderKernels = [
  'find_extent',
  'clear_bins',
  'count_bins',
  'sum_bins',
  'scan_sums',
  'start_bins',
  'place_points',
  'describe_leaves',
  'describe_branches',
] as const

/** Kernels that do not hang on how points lie in leaves are the same for all. */
function constantsOf(
  name: string,
  halvings: number,
  { leaf, fan }: Ordered,
): Readonly<Record<string, number>> {
  if (name === 'describe_leaves') return { leaf_points: leaf }
  return name === 'describe_branches' ? { leaf_points: leaf, fan } : { side_bits: halvings }
}

function orderPasses({ leaf, fan }: Ordered, bins: number): Pass[] {
  const overPoints = (count: number) => Math.min(mostOrderGroups, Math.ceil(count / orderThreads))
  const groupsOfKernel: Record<(typeof orderKernels)[number], (count: number) => number> = {
    find_extent: () => 1,
    clear_bins: () => bins / binsScannedTogether,
    count_bins: overPoints,
    sum_bins: () => bins / binsScannedTogether,
    scan_sums: () => 1,
    start_bins: () => bins / binsScannedTogether,
    place_points: overPoints,
    describe_leaves: (count) => Math.ceil(count / (leaf * nodeThreads)),
    describe_branches: (count) => Math.ceil(count / (leaf * fan * nodeThreads)),
  }
  return orderKernels.map((kernel) => ({
    kernel,
    scratch: ['bins', 'extent', 'ordered', 'nodes'],
    groups: ({ count }) => grid(groupsOfKernel[kernel](count)),
  }))
}

function scratchOf({ leaf, fan }: Ordered, bins: number): Record<string, Scratch> {
  const leaves = (points: number) => Math.ceil(points / leaf)
  return {
    bins: { bytes: () => 4 * (bins + bins / binsScannedTogether) },
    extent: { bytes: () => 16 },
    ordered: { bytes: (points) => 8 * leaf * leaves(points), keptPer: 'part' },
    hints: { bytes: (points) => 4 * leaves(points), keptPer: 'part', zeroAtStart: true },
    nodes: { bytes: (points) => 32 * (leaves(points) + Math.ceil(leaves(points) / fan)), keptPer: 'part' },
  }
}

/** Many points: branches and leaves where one centroid is nearest give their sums as they are. */
export function regions(request: CompileRequest, tuned = regionsTuned(request)): Ordered {
  const { n, k } = request
  const { fan, groups, threads, noted } = tuned
  const branches = Math.ceil(n / (fan * leafPoints))
  const each = branches / Math.min(groups, branches)
  const together = Math.min(mostTogether, threads, 2 ** Math.ceil(Math.log2(each)))
  const opened = Math.min(together, Math.floor(noted / fan))
  let replicas = 1
  while (replicas < 32 && 2 * replicas * 20 * k <= copiesBytes) replicas *= 2
  return {
    leaf: leafPoints,
    fan,
    kernel: 'regions',
    constants: { threads, rows: k, team: threads / together, replicas, opened_together: opened },
    workgroupBytes: 8 * k + 20 * k * replicas + 80 * together + 8 * opened * fan + 5 * threads + 64,
    groups: (all) => Math.min(groups, all),
  }
}

function regionsTuned({ n, workgroupThreads = 256 }: CompileRequest) {
  const fan = n >= manyPoints ? 64 : 32
  const threads = Math.min(regionThreads, workgroupThreads)
  return { fan, groups: regionGroups, threads, noted: mostNoted }
}

/** Many clusters: of those of a branch, each leaf and each point looks at few. */
export function boxes(request: CompileRequest, tuned = boxesTuned(request)): Ordered {
  const { k } = request
  const { threads, leaf, fan, groups, listed, room, byRow } = tuned
  const eager = groups === Number.POSITIVE_INFINITY && fan * leaf <= threads ? 1 : 0
  const by = { eager, by_row: byRow }
  return {
    leaf,
    fan,
    kernel: 'boxes',
    constants: { threads, rows: k, ...by, most_listed: listed, room },
    workgroupBytes: 24 * k + 16 * fan * listed + 4 * fan + Math.max(4 * room, 20 * k) + 64,
    groups: (all) => Math.min(groups, all),
  }
}

function boxesTuned({ n, workgroupThreads = 256 }: CompileRequest) {
  const threads = Math.min(boxThreads, workgroupThreads)
  const common = { threads, listed: mostListed, room: sumsRoom }
  if (n >= fewestByRow) return { ...common, leaf: leafPoints, fan: rowFan, groups: regionGroups, byRow: 1 }
  const fan = Math.max(fewestBoxLeaves, Math.min(mostBoxLeaves, Math.ceil(n / (processors * boxLeaf))))
  return { ...common, leaf: boxLeaf, fan, groups: Number.POSITIVE_INFINITY, byRow: 0 }
}

/** Points, multiply-adds, and points of a cluster, from which leaves that lie where one centroid is nearest pay. */
const fewestPoints = 1_000_000
const fewestProducts = 8_000_000
const fewestOfCluster = 20_000
/** Clusters, and points of one, from which lists of a branch pay. */
const fewestBoxClusters = 17
const fewestOfBoxCluster = 32

/** What is to iterate over points in order; null where this does not pay, or does not fit. */
export function orderOf(request: CompileRequest): Ordered | null {
  const { k, d, software, countsChanges, short } = request
  if (d !== 2 || software === true || countsChanges === true || short === true || k > mostClusters)
    return null
  const shape = paying(request)
  return shape !== null && shape.workgroupBytes <= request.workgroupBytes ? shape : null
}

function paying(request: CompileRequest): Ordered | null {
  const { n, k } = request
  const areMany = n >= Math.max(fewestPoints, fewestOfCluster * k)
  if (areMany && n * k >= fewestProducts) return regions(request)
  return k >= fewestBoxClusters && n >= fewestOfBoxCluster * k ? boxes(request) : null
}

/** Whether a variant would keep a second copy of such points, which another attempt may do without. */
export function wantsOrder(variant: VariantId, shape: Pick<CompileRequest, 'n' | 'd' | 'k'>): boolean {
  const { d, k } = shape
  return variant === 'fused' && ((d === 2 && k <= mostClusters) || areManyForCells(shape))
}
