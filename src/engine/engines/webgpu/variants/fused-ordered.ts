import meanSource from '@kernels/common/mean.wgsl?raw'
import boxSource from '@kernels/variants/fused/plane/box.wgsl?raw'
import boxesSource from '@kernels/variants/fused/plane/boxes.wgsl?raw'
import orderSource from '@kernels/variants/fused/plane/order.wgsl?raw'
import regionsSource from '@kernels/variants/fused/plane/regions.wgsl?raw'
import type { VariantId } from '@shared/variant'
import {
  grid,
  type CompileRequest,
  type Kernel,
  type Pass,
  type Scratch,
  type SharedBinding,
  type VariantPasses,
} from './variant-passes'

/** Of order.wgsl. */
const leafPoints = 64
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
const regionThreads = 256
const mostTogether = 64
/** Leaves that are noted at once. */
const mostNoted = 1024
const copiesBytes = 16 * 1024
/** Of `boxes`. */
const boxThreads = 512
const boxLeaves = 6

/** How the points of the plane are ordered, and what iterates over them. */
export interface Ordered {
  /** Leaves of a branch. */
  readonly fan: number
  readonly kernel: 'regions' | 'boxes'
  readonly constants: Readonly<Record<string, number>>
  groups(branches: number): number
}

const iterationBindings: readonly SharedBinding[] = ['counts', 'sums', 'centroids', 'scales']

/** `passes` with iterations that go over a copy of the points in the order of a curve through the plane. */
export function ordered(passes: VariantPasses, { n }: CompileRequest, shape: Ordered): VariantPasses {
  const { fan, kernel } = shape
  const halvings = Math.min(
    mostHalvings,
    Math.max(fewestHalvings, Math.ceil(Math.log2(n / pointsPerBin) / 2)),
  )
  const bins = 4 ** halvings
  const inOrder = (name: string): [string, Kernel] => {
    const constants = name === 'describe_branches' ? { fan } : { side_bits: halvings }
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
        constants: { ...shape.constants, fan },
      },
    },
    scratch: { ...passes.scratch, ...scratchOf(fan, bins) },
    prepare: [...(passes.prepare ?? []), ...orderPasses(fan, bins)],
    whole: [
      {
        kernel,
        scratch: ['ordered', 'nodes'],
        groups: ({ count }) => grid(shape.groups(Math.ceil(count / (fan * leafPoints)))),
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

function orderPasses(fan: number, bins: number): Pass[] {
  const overPoints = (count: number) => Math.min(mostOrderGroups, Math.ceil(count / orderThreads))
  const groupsOfKernel: Record<(typeof orderKernels)[number], (count: number) => number> = {
    find_extent: () => 1,
    clear_bins: () => bins / binsScannedTogether,
    count_bins: overPoints,
    sum_bins: () => bins / binsScannedTogether,
    scan_sums: () => 1,
    start_bins: () => bins / binsScannedTogether,
    place_points: overPoints,
    describe_leaves: (count) => Math.ceil(count / (leafPoints * nodeThreads)),
    describe_branches: (count) => Math.ceil(count / (leafPoints * fan * nodeThreads)),
  }
  return orderKernels.map((kernel) => ({
    kernel,
    scratch: ['bins', 'extent', 'ordered', 'nodes'],
    groups: ({ count }) => grid(groupsOfKernel[kernel](count)),
  }))
}

function scratchOf(fan: number, bins: number): Record<string, Scratch> {
  const leaves = (points: number) => Math.ceil(points / leafPoints)
  return {
    bins: { bytes: () => 4 * (bins + bins / binsScannedTogether) },
    extent: { bytes: () => 16 },
    ordered: { bytes: (points) => 8 * leafPoints * leaves(points), keptPer: 'part' },
    nodes: { bytes: (points) => 32 * (leaves(points) + Math.ceil(leaves(points) / fan)), keptPer: 'part' },
  }
}

/** Many points: branches and leaves where one centroid is nearest give their sums as they are. */
export function regions({ n, k }: CompileRequest, tuned = regionsTuned(n)): Ordered {
  const { fan, groups, threads, noted } = tuned
  const branches = Math.ceil(n / (fan * leafPoints))
  const each = branches / Math.min(groups, branches)
  const together = Math.min(mostTogether, threads, 2 ** Math.ceil(Math.log2(each)))
  let replicas = 1
  while (replicas < 32 && 2 * replicas * 20 * k <= copiesBytes) replicas *= 2
  const opened = { opened_together: Math.min(together, Math.floor(noted / fan)) }
  return {
    fan,
    kernel: 'regions',
    constants: { threads, rows: k, team: threads / together, replicas, ...opened },
    groups: (all) => Math.min(groups, all),
  }
}

function regionsTuned(n: number) {
  const fan = n >= 2 ** 21 ? 64 : n >= 2 ** 19 ? 32 : 16
  return { fan, groups: regionGroups, threads: regionThreads, noted: mostNoted }
}

/** Few points and many clusters: a workgroup for each branch, whose box leaves few centroids. */
export function boxes(
  { k, workgroupThreads = 256 }: CompileRequest,
  tuned = { threads: Math.min(boxThreads, workgroupThreads), fan: boxLeaves, replicas: 4 },
): Ordered {
  const { threads, fan, replicas } = tuned
  return {
    fan: Math.min(fan, threads / leafPoints),
    kernel: 'boxes',
    constants: { threads, rows: k, replicas },
    groups: (all) => all,
  }
}

/** Whether a variant would keep a second copy of such points, which another attempt may do without. */
export function wantsOrder(variant: VariantId, { d, k }: Pick<CompileRequest, 'd' | 'k'>): boolean {
  return variant === 'fused' && d === 2 && k <= mostClusters
}

/** Whether memory has room for the copy, the last bits of a key for so many clusters, workgroup memory for their centroids. */
export function orderFits({ k, workgroupBytes, countsChanges, short }: CompileRequest): boolean {
  if (countsChanges === true || short === true) return false
  return k <= mostClusters && 8 * k + copiesBytes + 14 * 1024 <= workgroupBytes
}
