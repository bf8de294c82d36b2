import type { PlanProbe, Regime, WebgpuFacts } from '@shared/plan'
import { plural } from '@shared/quantity-words'
import { bestRegime, probeOf } from '@shared/regimes'
import { scratchBytes, type CompileRequest, type VariantPasses } from '@kernels/common/webgpu/passes'
import { requestFor, type WebgpuQuestion } from '@kernels/common/webgpu/variant'
import { clusterGroupsBytes } from '@kernels/methods/cluster-groups/cluster-groups.webgpu'
import {
  inPlaneOrder,
  maxOrderedClusters,
  type PlaneOrder,
} from '@kernels/methods/plane-ordering/plane-ordering.webgpu'
import { cellTable, cellTableBytes } from './regimes/cell-table/cell-table.webgpu'
import { featureSums, featureSumsBytes, maxSummedFeatures } from './regimes/feature-sums/feature-sums.webgpu'
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
import { stagedPoints } from './regimes/staged-points/staged-points.webgpu'
import { stagedShape, workgroupMemory } from './regimes/staged-points/staged-shape'
import { tiled } from './regimes/tiled/tiled.webgpu'

/** Fewer leave lanes of the sums without a feature. */
const minGroupFeatures = 9

/** Bounds from which a regime pays, measured on an H200 (docs/performance.md). */
const bounds = {
  planeCells: { points: 1_000_000, distances: 8_000_000, pointsOfCluster: 20_000 },
  planeBoxes: { clusters: 17, pointsOfCluster: 32 },
  /** Points of a cluster up to which they go to global memory one by one, and distances up to which all are computed. */
  split: { pointsOfCluster: 160, distances: 2 ** 26 },
  cellTable: { points: 2 ** 17 },
  /** `bytes`: of both copies of the points. */
  neighbours: { points: 2 ** 17, features: 3, clusters: [24, 4096], bytes: 2 ** 31 },
  featureSums: { clusters: 32 },
  /** Multiply-adds from which ten dispatches an iteration are worth it, and kernels that compile for a second. */
  groups: { features: 33, clusters: 33, products: 2 ** 31, matrixProducts: 2 ** 33 },
  /** With fewer features boxes leave most distances out unless clusters are many. */
  matrixOfFew: { features: minGroupFeatures, clusters: 96 },
} as const
/** Looks made while a session is opened: whether the device has what a regime needs beyond what its facts tell. */
const unitsProbe = 'matrix-units'
const memoryProbe = 'memory-for-ordered-points'

/** The table: best first, the last row takes what is left. Software adapters take the three rows whose kernels compile quickly. */
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
    chosen: (question) =>
      isHardware(question, unitsProbe) && matrixFilterPays(question.shape)
        ? `The device has matrix units, and an iteration has ${productsOf(question.shape)} multiply-adds.`
        : null,
    workspaceBytes: (question) => workspaceOf(question, (request) => matrixFilter(request)),
    probe: probeFor(unitsProbe),
  },
  {
    name: 'plane-cells',
    summary:
      'Points of the plane in the order of a curve: cells where one centroid is nearest give their sums as they are.',
    refuses: (question) => refusesOrder(question, planeCells),
    chosen: (question) =>
      isHardware(question, memoryProbe) && planeCellsPay(question.shape)
        ? `So many points of the plane for ${question.shape.k} clusters that most cells have one nearest centroid.`
        : null,
    workspaceBytes: (question) => workspaceOfOrder(question, planeCells),
    probe: probeFor(memoryProbe),
  },
  {
    name: 'plane-boxes',
    summary:
      'Points of the plane in the order of a curve: boxes of them list the centroids that can be nearest.',
    refuses: (question) => refusesOrder(question, planeBoxes),
    chosen: (question) =>
      isHardware(question, memoryProbe) && planeBoxesPay(question.shape)
        ? `Boxes of points in the plane have few of the ${question.shape.k} centroids near them.`
        : null,
    workspaceBytes: (question) => workspaceOfOrder(question, planeBoxes),
    probe: probeFor(memoryProbe),
  },
  {
    name: 'private-sums',
    summary: 'Few clusters of the plane: centroids in registers, sums in 32 copies a workgroup.',
    refuses: ({ shape }) => {
      if (shape.k > maxPrivateClusters) return `It takes at most ${maxPrivateClusters} clusters.`
      return refusesPlane(shape)
    },
    chosen: (question) =>
      isHardware(question) ? `${question.shape.k} centroids of the plane fit into registers.` : null,
    workspaceBytes: (question) => workspaceOf(question, privateSums),
  },
  {
    name: 'split-centroids',
    summary:
      'Teams of lanes share the centroids for the same points of the plane, so that few points fill the device.',
    refuses: ({ shape, device }) =>
      refusesPlane(shape) ??
      refusesMemory({ device }, splitCentroidsBytes(shape.k, device.invocationsPerWorkgroup)),
    chosen: (question) =>
      isHardware(question) && splitCentroidsPay(question.shape)
        ? `${question.shape.n} points are too few to fill the device with a lane each.`
        : null,
    workspaceBytes: (question) => workspaceOf(question, splitCentroids),
  },
  {
    name: 'cell-table',
    summary: 'A table of the plane lists for each cell the centroids that can be nearest.',
    refuses: ({ shape, device }) => refusesPlane(shape) ?? refusesMemory({ device }, cellTableBytes(shape.k)),
    chosen: (question) =>
      isHardware(question) && cellTablePays(question.shape)
        ? `${question.shape.n} points of the plane pay for a table of it in every iteration.`
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
    chosen: (question) =>
      isHardware(question, memoryProbe) && neighbourBoxesPay(question.shape)
        ? `${question.shape.n} points pay for an order of their own: cells of them have few centroids near them.`
        : null,
    workspaceBytes: (question) => workspaceOf(question, neighbourBoxes),
    probe: probeFor(memoryProbe),
  },
  {
    name: 'staged-points',
    summary:
      'Tiles of points and centroids in workgroup memory; scores choose, sums change by points that moved.',
    refuses: (question) => {
      const { k, d } = question.shape
      return refusesMemory(question, workgroupMemory(stagedShape(requestFor(question)), k, d))
    },
    chosen: () => null,
    workspaceBytes: (question) => workspaceOf(question, (request) => stagedPoints(request)),
  },
  {
    name: 'staged-centroids',
    summary:
      'Centroids and the sums of a workgroup in its memory, points in registers; scores choose where clusters are many.',
    refuses: ({ shape: { d } }) =>
      d > maxStagedFeatures ? `It takes at most ${maxStagedFeatures} features.` : null,
    chosen: ({ shape }) => `Points of ${plural(shape.d, 'feature')} fit into registers.`,
    workspaceBytes: (question) => workspaceOf(question, stagedCentroids),
  },
  {
    name: 'feature-sums',
    summary:
      'A point a lane, centroids in workgroup memory; then four features a lane, added up without atomics.',
    refuses: ({ shape: { d, k }, device }) =>
      d > maxSummedFeatures
        ? `It takes at most ${maxSummedFeatures} features.`
        : refusesMemory({ device }, featureSumsBytes(k, d)),
    chosen: ({ shape: { k } }) =>
      k <= bounds.featureSums.clusters ? `Workgroup memory holds ${plural(k, 'centroid')} and sums.` : null,
    workspaceBytes: (question) => workspaceOf(question, featureSums),
  },
  {
    name: 'group-filter',
    summary: 'Scores in float32 find a group of eight clusters for each point, distances decide inside it.',
    refuses: refusesGroups,
    chosen: (question) =>
      isHardware(question) && groupsPay(question.shape)
        ? `An iteration has ${productsOf(question.shape)} multiply-adds, half of which scores spare.`
        : null,
    workspaceBytes: (question) => workspaceOf(question, (request) => groupFilter(request)),
  },
  {
    name: 'tiled',
    summary: 'Tiles of 64 points by 64 centroids, any number of features; sums in global memory.',
    refuses: () => null,
    chosen: ({ device }) =>
      device.software
        ? 'On a software adapter the regimes whose kernels compile quickly are best.'
        : 'No other regime pays for this shape.',
    workspaceBytes: (question) => workspaceOf(question, tiled),
  },
]

/** What labels points, and iterates where changes are counted, for regimes that keep points in the order of the plane. */
export function labellingRegime({ shape, device }: WebgpuQuestion): Regime<WebgpuFacts> {
  const { regime } = bestRegime(regimes, { shape, device, hints: { countsChanges: true } })
  return regime ?? regimes[regimes.length - 1]
}

function probeFor(name: string): (question: WebgpuQuestion) => PlanProbe | null {
  return (question) => probeOf(regimes, question, name)
}

/** On software the three regimes are best whose kernels compile quickly. `probe`: not known yet, or found. */
function isHardware({ device, hints }: WebgpuQuestion, probe = ''): boolean {
  return !device.software && hints.findings?.[probe] !== false
}

type Shape = WebgpuQuestion['shape']

const productsOf = ({ n, d, k }: Shape) => n * k * d

function planeCellsPay({ n, k }: Shape): boolean {
  const { points, distances, pointsOfCluster } = bounds.planeCells
  return n >= Math.max(points, pointsOfCluster * k) && n * k >= distances
}

/** Where cells pay they alone do, whether or not there is workgroup memory for them. */
function planeBoxesPay(shape: Shape): boolean {
  const { clusters, pointsOfCluster } = bounds.planeBoxes
  return !planeCellsPay(shape) && shape.k >= clusters && shape.n >= pointsOfCluster * shape.k
}

function splitCentroidsPay({ n, k }: Shape): boolean {
  return n <= bounds.split.pointsOfCluster * k && n * k <= bounds.split.distances
}

function cellTablePays({ n, k }: Shape): boolean {
  return n > bounds.split.pointsOfCluster * k && n >= bounds.cellTable.points
}

function neighbourBoxesPay({ n, d, k }: Shape): boolean {
  const { points, features, clusters, bytes } = bounds.neighbours
  const [least, most] = clusters
  return d >= features && n >= points && k >= least && k <= most && 8 * n * d <= bytes
}

function groupsPay(shape: Shape): boolean {
  const { features, clusters, products } = bounds.groups
  return shape.d >= features && shape.k >= clusters && productsOf(shape) >= products
}

function matrixFilterPays(shape: Shape): boolean {
  const { features, clusters } = bounds.matrixOfFew
  const isLarge = shape.d >= features && shape.k >= clusters
  return (isLarge || groupsPay(shape)) && productsOf(shape) >= bounds.groups.matrixProducts
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
