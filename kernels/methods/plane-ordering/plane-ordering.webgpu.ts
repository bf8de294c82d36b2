import { groupsFor } from '@kernels/common/webgpu/device-lanes'
import {
  grid,
  type CompileRequest,
  type Constants,
  type Kernel,
  type Pass,
  type Scratch,
  type SharedBinding,
  type VariantPasses,
} from '@kernels/common/webgpu/passes'
import { resolvedToSlot, resolving } from '@kernels/common/webgpu/resolving'
import { wholeConstants } from '@kernels/common/webgpu/whole-numbers'
import wholeSource from '@kernels/common/webgpu/whole_numbers.wgsl?raw'
import candidatesSource from './box_candidates.wgsl?raw'
import doubtsSource from './doubts_in_order.wgsl?raw'
import orderSource from './plane-ordering.wgsl?raw'

/** Of plane-ordering.wgsl. */
const binsScannedTogether = 1024
const orderThreads = 256
const nodeThreads = 64
/** Lanes that run at once for each workgroup that goes over the points. */
const lanesOfOrdering = 128
/** Points of a bin that are aimed at, and limits of how often its side is halved. */
const pointsPerBin = 16
const minHalvings = 6
const maxHalvings = 11
/** Clusters that a key of box_candidates.wgsl has room for. */
export const maxOrderedClusters = 1023

/** How the points of the plane are ordered, and what iterates over them. */
export interface PlaneOrder {
  /** Points of a leaf. */
  readonly leaf: number
  /** Leaves of a branch. */
  readonly fan: number
  /** The entry point that iterates, the file that it stands in, and its constants. */
  readonly kernel: string
  readonly file: string
  readonly constants: Constants
  /** Scratch that it keeps beside the ordered points and the nodes. */
  readonly hinted: boolean
  readonly workgroupBytes: number
  groups(branches: number): number
}

const iterationBindings: readonly SharedBinding[] = ['labels', 'counts', 'sums', 'centroids', 'scales']

/** `labelling` with iterations that go over a copy of the points in the order of a curve through the plane. */
export function inPlaneOrder(
  labelling: VariantPasses,
  request: CompileRequest,
  order: PlaneOrder,
): VariantPasses {
  const { leaf, fan, kernel } = order
  const wanted = Math.ceil(Math.log2(request.n / pointsPerBin) / 2)
  const halvings = Math.min(maxHalvings, Math.max(minHalvings, wanted))
  const bins = 4 ** halvings
  const inOrder = (name: string): [string, Kernel] => {
    const constants = { ...constantsOf(name, halvings, order), ...wholeConstants(request) }
    return [name, { files: [wholeSource, orderSource], bindings: ['points', 'scales'], constants }]
  }
  const resolved = resolving(request, {
    kernel: 'resolve_in_order',
    files: [doubtsSource, resolvedToSlot],
    bindings: iterationBindings,
    scratch: ['ordered'],
  })
  return {
    ...labelling,
    kernels: {
      ...labelling.kernels,
      ...resolved.kernels,
      ...Object.fromEntries(orderKernels.map(inOrder)),
      [kernel]: {
        files: [wholeSource, candidatesSource, order.file],
        bindings: iterationBindings,
        constants: { ...order.constants, ...wholeConstants(request), leaf_points: leaf, fan },
      },
    },
    scratch: { ...labelling.scratch, ...scratchOf(order, bins) },
    prepare: [...(labelling.prepare ?? []), ...orderPasses(order, bins, request)],
    listsDoubts: true,
    // Means take so long that each workgroup should not make them anew.
    makesMeans: false,
    wholeEnd: [],
    whole: [
      {
        kernel,
        scratch: ['ordered', 'nodes', ...(order.hinted ? ['hints'] : [])],
        groups: ({ count }) => grid(order.groups(Math.ceil(count / (fan * leaf)))),
      },
      resolved.pass,
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
  'scatter_points',
  'describe_leaves',
  'describe_branches',
] as const

/** Kernels that do not hang on how points lie in leaves are the same for all. */
function constantsOf(name: string, halvings: number, { leaf, fan }: PlaneOrder): Constants {
  if (name === 'describe_leaves') return { leaf_points: leaf }
  return name === 'describe_branches' ? { leaf_points: leaf, fan } : { side_bits: halvings }
}

function orderPasses({ leaf, fan }: PlaneOrder, bins: number, request: CompileRequest): Pass[] {
  const most = groupsFor(request, lanesOfOrdering)
  const overPoints = (count: number) => Math.min(most, Math.ceil(count / orderThreads))
  const groupsOfKernel: Record<(typeof orderKernels)[number], (count: number) => number> = {
    find_extent: () => 1,
    clear_bins: () => bins / binsScannedTogether,
    count_bins: overPoints,
    sum_bins: () => bins / binsScannedTogether,
    scan_sums: () => 1,
    start_bins: () => bins / binsScannedTogether,
    scatter_points: overPoints,
    describe_leaves: (count) => Math.ceil(count / (leaf * nodeThreads)),
    describe_branches: (count) => Math.ceil(count / (leaf * fan * nodeThreads)),
  }
  return orderKernels.map((kernel) => ({
    kernel,
    scratch: ['bins', 'extent', 'ordered', 'nodes'],
    groups: ({ count }) => grid(groupsOfKernel[kernel](count)),
  }))
}

function scratchOf({ leaf, fan }: PlaneOrder, bins: number): Record<string, Scratch> {
  const leaves = (points: number) => Math.ceil(points / leaf)
  return {
    bins: { bytes: () => 4 * (bins + bins / binsScannedTogether) },
    extent: { bytes: () => 16 },
    ordered: { bytes: (points) => 8 * leaf * leaves(points), keptPer: 'part' },
    hints: { bytes: (points) => 4 * leaves(points), keptPer: 'part', zeroAtStart: true },
    nodes: { bytes: (points) => 32 * (leaves(points) + Math.ceil(leaves(points) / fan)), keptPer: 'part' },
  }
}
