import type { PlanHints, PlanProbe, Regime, WebgpuFacts } from '@shared/plan'
import { scratchBytes, type CompileRequest, type VariantPasses } from '@kernels/common/webgpu/passes'
import { requestFor, type WebgpuQuestion } from '@kernels/common/webgpu/variant'
import { clusterGroupsBytes } from '@kernels/methods/cluster-groups/cluster-groups.webgpu'
import {
  inPlaneOrder,
  maxOrderedClusters,
  type PlaneOrder,
} from '@kernels/methods/plane-ordering/plane-ordering.webgpu'
import { cellTable, cellTableBytes } from './regimes/cell-table/cell-table.webgpu'
import { groupFilter } from './regimes/group-filter/group-filter.webgpu'
import { matrixFilter } from './regimes/matrix-filter/matrix-filter.webgpu'
import { matrixFilterBytes, maxMatrixFeatures } from './regimes/matrix-filter/matrix-images'
import {
  maxNeighbourFeatures,
  neighbourBoxes,
  neighbourBoxesBytes,
} from './regimes/neighbour-boxes/neighbour-boxes.webgpu'
import { planeBoxes } from './regimes/plane-boxes/plane-boxes.webgpu'
import { planeCells } from './regimes/plane-cells/plane-cells.webgpu'
import { maxPrivateClusters, privateSums } from './regimes/private-sums/private-sums.webgpu'
import { splitCentroids, splitCentroidsBytes } from './regimes/split-centroids/split-centroids.webgpu'
import { maxStagedFeatures, stagedCentroids } from './regimes/staged-centroids/staged-centroids.webgpu'
import { tiled } from './regimes/tiled/tiled.webgpu'

// Bounds from which a regime pays, measured on an H200 (docs/performance.md).
const planeCellsPays = { points: 1_000_000, distances: 8_000_000, pointsOfCluster: 20_000 }
const planeBoxesPays = { clusters: 17, pointsOfCluster: 32 }
/** Points of a cluster up to which they go to global memory one by one, and distances up to which all of them are computed. */
const splitPays = { pointsOfCluster: 160, distances: 2 ** 26 }
const cellTablePays = { points: 2 ** 17 }
const neighbourPays = {
  points: 2 ** 17,
  features: 3,
  clusters: [24, 4096],
  /** Of both copies of the points. */
  bytes: 2 ** 31,
} as const
/** Multiply-adds of an iteration: from the first its ten dispatches are worth it, from the second kernels that compile for a second. */
const groupsPay = { features: 33, clusters: 33, products: 2 ** 31, matrixProducts: 2 ** 33 }
/** Fewer leave lanes of the sums without a feature. */
const minGroupFeatures = 9

/** Of the question asked without hints or units that a regime needs: what is carried out where these are missing. */
type Without = (question: WebgpuQuestion) => WebgpuQuestion

const withHints = (question: WebgpuQuestion, hints: PlanHints): WebgpuQuestion => ({
  ...question,
  hints: { ...question.hints, ...hints },
})
const memoryShort: Without = (question) => withHints(question, { memoryShort: true })
const withoutUnits: Without = (question) => ({
  ...question,
  device: { ...question.device, matrixUnits: false },
})

/** The table: best first, the last row takes what is left. Software adapters take the two rows whose kernels compile quickly. */
export const regimes: readonly Regime<WebgpuFacts>[] = [
  {
    name: 'matrix-filter',
    summary:
      'A filter on matrix units with a proven margin leaves few distances; sums follow points that moved.',
    refuses: (question) => {
      const { d } = question.shape
      if (!question.device.matrixUnits) return 'The device has no matrix units that WebGPU can use.'
      if (d > maxMatrixFeatures) return `It takes at most ${maxMatrixFeatures} features.`
      return refusesGroups(question) ?? refusesMemory(question, matrixFilterBytes(d))
    },
    chosen: ({ shape, device }) =>
      !device.software && areManyGroups(shape) && productsOf(shape) >= groupsPay.matrixProducts
        ? `The device has matrix units, and an iteration has ${productsOf(shape)} multiply-adds.`
        : null,
    workspaceBytes: (question) => workspaceOf(question, (request) => matrixFilter(request)),
    probe: probeFor('matrix-units', withoutUnits),
  },
  {
    name: 'plane-cells',
    summary:
      'Points of the plane in the order of a curve: cells where one centroid is nearest give their sums as they are.',
    refuses: (question) => refusesOrder(question, planeCells),
    chosen: ({ shape, device }) =>
      !device.software && paysForCells(shape)
        ? `In the plane ${shape.n} points for ${shape.k} clusters are so many that most cells have one nearest centroid.`
        : null,
    workspaceBytes: (question) => workspaceOfOrder(question, planeCells),
    probe: probeFor('memory-for-ordered-points', memoryShort),
  },
  {
    name: 'plane-boxes',
    summary:
      'Points of the plane in the order of a curve: boxes of them list the centroids that can be nearest.',
    refuses: (question) => refusesOrder(question, planeBoxes),
    chosen: ({ shape, device }) =>
      !device.software && !paysForCells(shape) && paysForBoxes(shape)
        ? `In the plane boxes of points have few of the ${shape.k} centroids near them.`
        : null,
    workspaceBytes: (question) => workspaceOfOrder(question, planeBoxes),
    probe: probeFor('memory-for-ordered-points', memoryShort),
  },
  {
    name: 'private-sums',
    summary: 'Few clusters of the plane: centroids in registers, sums in 32 copies a workgroup.',
    refuses: ({ shape }) => {
      if (shape.k > maxPrivateClusters) return `It takes at most ${maxPrivateClusters} clusters.`
      return refusesPlane(shape)
    },
    chosen: ({ shape, device }) =>
      device.software ? null : `${shape.k} centroids of the plane fit into registers.`,
    workspaceBytes: (question) => workspaceOf(question, privateSums),
  },
  {
    name: 'split-centroids',
    summary:
      'Teams of lanes share the centroids for the same points of the plane, so that few points fill the device.',
    refuses: ({ shape, device }) =>
      refusesPlane(shape) ??
      refusesMemory({ device }, splitCentroidsBytes(shape.k, device.invocationsPerWorkgroup)),
    chosen: ({ shape: { n, k }, device }) =>
      !device.software && isFewPerCluster(n, k) && n * k <= splitPays.distances
        ? `${n} points are too few to fill the device with one lane each.`
        : null,
    workspaceBytes: (question) => workspaceOf(question, splitCentroids),
  },
  {
    name: 'cell-table',
    summary: 'A table of the plane lists for each cell the centroids that can be nearest.',
    refuses: ({ shape, device }) => refusesPlane(shape) ?? refusesMemory({ device }, cellTableBytes(shape.k)),
    chosen: ({ shape: { n, k }, device }) =>
      !device.software && !isFewPerCluster(n, k) && n >= cellTablePays.points
        ? `${n} points of the plane pay for a table of it in every iteration.`
        : null,
    workspaceBytes: (question) => workspaceOf(question, cellTable),
  },
  {
    name: 'neighbour-boxes',
    summary: 'Points cell by cell: distances to the centroids alone that can be the nearest in a cell.',
    refuses: ({ shape: { d }, device, hints }) => {
      if (d > maxNeighbourFeatures) return `It takes at most ${maxNeighbourFeatures} features.`
      if (hints.memoryShort === true) return 'There is no memory for a second copy of the points.'
      return refusesMemory({ device }, neighbourBoxesBytes(d))
    },
    chosen: ({ shape, device }) =>
      !device.software && paysForNeighbours(shape)
        ? `${shape.n} points of ${shape.d} features pay for an order of their own: cells have few centroids near them.`
        : null,
    workspaceBytes: (question) => workspaceOf(question, neighbourBoxes),
    probe: probeFor('memory-for-ordered-points', memoryShort),
  },
  {
    name: 'staged-centroids',
    summary:
      'Centroids and the sums of a workgroup in its memory, points in registers; scores choose where clusters are many.',
    refuses: ({ shape: { d } }) =>
      d > maxStagedFeatures ? `It takes at most ${maxStagedFeatures} features.` : null,
    chosen: ({ shape }) => `Points of ${shape.d} features fit into registers.`,
    workspaceBytes: (question) => workspaceOf(question, stagedCentroids),
  },
  {
    name: 'group-filter',
    summary: 'Scores in float32 find a group of eight clusters for each point, distances decide inside it.',
    refuses: refusesGroups,
    chosen: ({ shape, device }) =>
      !device.software && areManyGroups(shape)
        ? `An iteration has ${productsOf(shape)} multiply-adds, half of which scores spare.`
        : null,
    workspaceBytes: (question) => workspaceOf(question, (request) => groupFilter(request)),
  },
  {
    name: 'tiled',
    summary: 'Tiles of 64 points by 64 centroids, any number of features; sums in global memory.',
    refuses: () => null,
    chosen: () => 'No other regime pays for this shape.',
    workspaceBytes: (question) => workspaceOf(question, tiled),
  },
]

/** What labels points, and iterates where changes are counted, for regimes that keep points in the order of the plane. */
export function labellingRegime(question: WebgpuQuestion): Regime<WebgpuFacts> {
  return firstOf(withHints(question, { countsChanges: true }))
}

/** The first row that can run and is chosen; the last always is. */
function firstOf(question: WebgpuQuestion): Regime<WebgpuFacts> {
  const found = regimes.find((row) => row.refuses(question) === null && row.chosen(question) !== null)
  return found ?? regimes[regimes.length - 1]
}

function probeFor(name: string, without: Without): (question: WebgpuQuestion) => PlanProbe {
  return (question) => ({ name, otherwise: firstOf(without(question)).name })
}

type Shape = WebgpuQuestion['shape']

const productsOf = ({ n, d, k }: Shape) => n * k * d

function paysForCells({ n, k }: Shape): boolean {
  const { points, distances, pointsOfCluster } = planeCellsPays
  return n >= Math.max(points, pointsOfCluster * k) && n * k >= distances
}

function paysForBoxes({ n, k }: Shape): boolean {
  return k >= planeBoxesPays.clusters && n >= planeBoxesPays.pointsOfCluster * k
}

function isFewPerCluster(n: number, k: number): boolean {
  return n <= splitPays.pointsOfCluster * k
}

function paysForNeighbours({ n, d, k }: Shape): boolean {
  const { points, features, clusters, bytes } = neighbourPays
  const [least, most] = clusters
  return d >= features && n >= points && k >= least && k <= most && 8 * n * d <= bytes
}

function areManyGroups(shape: Shape): boolean {
  const { features, clusters, products } = groupsPay
  return shape.d >= features && shape.k >= clusters && productsOf(shape) >= products
}

function refusesPlane({ d }: Shape): string | null {
  return d === 2 ? null : 'It is for two features.'
}

function refusesMemory({ device }: Pick<WebgpuQuestion, 'device'>, bytes: number): string | null {
  if (bytes <= device.workgroupBytes) return null
  return `It needs ${bytes} bytes of workgroup memory, and the device has ${device.workgroupBytes}.`
}

function refusesGroups({ shape: { d, k }, device }: WebgpuQuestion): string | null {
  if (d < minGroupFeatures) return `It takes at least ${minGroupFeatures} features.`
  return refusesMemory({ device }, clusterGroupsBytes(k))
}

function refusesOrder(
  question: WebgpuQuestion,
  order: (request: CompileRequest) => PlaneOrder,
): string | null {
  const { shape, hints } = question
  if (shape.d !== 2) return refusesPlane(shape)
  if (shape.k > maxOrderedClusters) return `It takes at most ${maxOrderedClusters} clusters.`
  if (hints.countsChanges === true)
    return 'It writes no labels, and changed labels are counted in every iteration.'
  if (hints.memoryShort === true) return 'There is no memory for a second copy of the points.'
  return refusesMemory(question, order(requestFor(question)).workgroupBytes)
}

function workspaceOf(question: WebgpuQuestion, passes: (request: CompileRequest) => VariantPasses): number {
  return scratchBytes(passes(requestFor(question)), question.shape.n)
}

/** Of the ordered points alone: what the labelling regime keeps is small beside them. */
function workspaceOfOrder(question: WebgpuQuestion, order: (request: CompileRequest) => PlaneOrder): number {
  const request = requestFor(question)
  const labelling: VariantPasses = { ...tiled(request), scratch: {} }
  return scratchBytes(inPlaneOrder(labelling, request, order(request)), question.shape.n)
}
