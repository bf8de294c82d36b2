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
import { featureSums, featureSumsBytes, maxSummedFeatures } from './regimes/feature-sums/feature-sums.webgpu'
import { matrixFilter } from './regimes/matrix-filter/matrix-filter.webgpu'
import { matrixFilterBytes, maxMatrixFeatures } from './regimes/matrix-filter/matrix-images'
import {
  maxNeighbourFeatures,
  neighbourBoxes,
  neighbourBoxesBytes,
} from './regimes/neighbour-boxes/neighbour-boxes.webgpu'
import { planeBoxes } from './regimes/plane-boxes/plane-boxes.webgpu'
import { planeCells } from './regimes/plane-cells/plane-cells.webgpu'
import { maxStagedFeatures, stagedCentroids } from './regimes/staged-centroids/staged-centroids.webgpu'
import { stagedPoints } from './regimes/staged-points/staged-points.webgpu'

/** Of the order of the clusters, by groups of eight, that matrix units want. */
const minGroupFeatures = 9

/** Bounds from which a regime pays, measured on an H200 and an H100 (docs/performance.md). */
const bounds = {
  planeCells: { points: 1_000_000, distances: 8_000_000, pointsOfCluster: 20_000 },
  planeBoxes: { clusters: 17, pointsOfCluster: 32 },
  /**
   * `bytes`: of both copies of the points. `clusters`: of few features, and of as many as matrix units take; of these up to `single` too,
   * whose sums lanes hardly meet in.
   */
  neighbours: {
    points: 2 ** 17,
    features: 3,
    clusters: { few: 24, single: 12, many: 48, most: 4096 },
    bytes: 2 ** 31,
  },
  /** `planeClusters`: so few in the plane that points never are too few. */
  stagedCentroids: { points: 2 ** 17, planeClusters: 16 },
  /**
   * Multiply-adds from which a dozen dispatches an iteration are worth it, and kernels that compile for a second. The fewer features
   * the more clusters: boxes leave most distances out.
   */
  matrices: [
    { features: minGroupFeatures, clusters: 512, products: 2 ** 33 },
    { features: 17, clusters: 96, products: 2 ** 33 },
    { features: 33, clusters: 33, products: 2 ** 33 },
    { features: 129, clusters: 96, products: 2 ** 32 },
  ],
} as const
/** Looks made while a session is opened: whether the device has what a regime needs beyond what its facts tell. */
const unitsProbe = 'matrix-units'
const memoryProbe = 'memory-for-ordered-points'

/** The table: best first, the last row takes what is left. Software adapters take the last three, whose kernels compile quickly. */
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
    name: 'staged-centroids',
    summary:
      'Centroids and the sums of a workgroup in its memory, points in registers; scores choose where clusters are many.',
    refuses: ({ shape: { d } }) =>
      d > maxStagedFeatures ? `It takes at most ${maxStagedFeatures} features.` : null,
    chosen: ({ shape, device }) =>
      device.software || stagedCentroidsPay(shape)
        ? `Points of ${plural(shape.d, 'feature')} fit into registers.`
        : null,
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
    chosen: ({ device }) =>
      device.software ? 'On a software adapter lanes cost more than they save beside each other.' : null,
    workspaceBytes: (question) => workspaceOf(question, featureSums),
  },
  {
    name: 'staged-points',
    summary:
      'Tiles of points and centroids in workgroup memory; scores choose, sums change by points that moved.',
    refuses: () => null,
    chosen: () => 'No other regime pays for this shape.',
    workspaceBytes: (question) => workspaceOf(question, (request) => stagedPoints(request)),
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

function stagedCentroidsPay({ n, d, k }: Shape): boolean {
  const { points, planeClusters } = bounds.stagedCentroids
  return n >= points || (d === 2 && k <= planeClusters)
}

/** Where cells pay they alone do, whether or not there is workgroup memory for them. */
function planeBoxesPay(shape: Shape): boolean {
  const { clusters, pointsOfCluster } = bounds.planeBoxes
  return !planeCellsPay(shape) && shape.k >= clusters && shape.n >= pointsOfCluster * shape.k
}

function neighbourBoxesPay({ n, d, k }: Shape): boolean {
  const { points, features, clusters, bytes } = bounds.neighbours
  const isFew = d < minGroupFeatures
  const pays = k >= (isFew ? clusters.few : clusters.many) || (!isFew && k <= clusters.single)
  return d >= features && n >= points && pays && k <= clusters.most && 8 * n * d <= bytes
}

function matrixFilterPays(shape: Shape): boolean {
  return bounds.matrices.some(
    ({ features, clusters, products }) =>
      shape.d >= features && shape.k >= clusters && productsOf(shape) >= products,
  )
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
  const labelling: VariantPasses = { ...stagedPoints(request), scratch: {} }
  return scratchBytes(inPlaneOrder(labelling, request, order(request)), question.shape.n)
}
