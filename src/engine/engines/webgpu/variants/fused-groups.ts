import groupsSource from '@kernels/variants/fused/high/groups.wgsl?raw'
import listedSource from '@kernels/variants/fused/high/listed.wgsl?raw'
import movesSource from '@kernels/variants/fused/high/moves.wgsl?raw'
import namesByCellSource from '@kernels/variants/fused/high/names_by_cell.wgsl?raw'
import namesByIndexSource from '@kernels/variants/fused/high/names_by_index.wgsl?raw'
import orderSource from '@kernels/variants/fused/high/order.wgsl?raw'
import readySource from '@kernels/variants/fused/high/ready.wgsl?raw'
import rowsByFourSource from '@kernels/variants/fused/high/rows_by_four.wgsl?raw'
import rowsByOneSource from '@kernels/variants/fused/high/rows_by_one.wgsl?raw'
import searchSource from '@kernels/variants/fused/high/search.wgsl?raw'
import settleSource from '@kernels/variants/fused/high/settle.wgsl?raw'
import tileSource from '@kernels/variants/fused/high/tile.wgsl?raw'
import { filterByMatrices, matricesFit, type Filter } from './fused-matrix'
import {
  fewOf,
  groupsIn,
  movePasses,
  moveKernels,
  movesScratch,
  orderPoints,
  settleKernels,
  settlePasses,
} from './fused-sums'
import {
  grid,
  groupsOf,
  type CompileRequest,
  type DispatchShape,
  type Kernel,
  type Pass,
  type Scratch,
  type VariantPasses,
} from './variant-passes'

const tilePoints = 128
const tileClusters = 128
const sliceDepth = 8
const tileBytes = 28 * 1024
const smallThreads = 64
const pairsTogether = 16
const duelsTogether = 32
/** Of passes over points between two groups. */
const mostPairGroups = 4224
/** Open points of a workgroup of `search_few`, and up to how many it takes. */
const searchedTogether = 8
const fewPoints = 8192
/** Words of `state` before those of the groups. */
const counters = 16
/** Multiply-adds of an iteration from which its ten dispatches are worth it. */
const fewestProducts = 2 ** 31
const fewestMatrixProducts = 2 ** 33
const mostPartProducts = 2 ** 38
/** Below these the one-pass kernel is as fast. */
const fewestFeatures = 33
const fewestClusters = 33

/** Whether data are many enough, and workgroup memory large enough, for the passes over groups of clusters. */
export function groupsPay(request: CompileRequest): boolean {
  const { k, workgroupBytes, software } = request
  const fits = workgroupBytes >= tileBytes && 4 * groupsIn(k) + 2048 <= workgroupBytes
  return fits && areMany(request) && software !== true
}

function areMany({ n, k, d }: Pick<CompileRequest, 'n' | 'k' | 'd'>): boolean {
  return d >= fewestFeatures && k >= fewestClusters && n * k * d >= fewestProducts
}

/** Whether data are worth a device with matrix units, whose kernels take a second to compile. */
export function areManyForMatrices(shape: Pick<CompileRequest, 'n' | 'k' | 'd'>): boolean {
  return areMany(shape) && shape.n * shape.k * shape.d >= fewestMatrixProducts
}

/**
 * More than 8 features: scores find a group of eight clusters for each point, distances decide inside it.
 * @param few open points up to which each has many lanes.
 */
export function fusedGroups(
  request: CompileRequest,
  matrices = matricesOf(request),
  few = fewPoints,
): VariantPasses {
  const { k, d } = request
  const placesWanted = matrices === null ? 0 : 1
  const constants = {
    features: d,
    all_groups: groupsIn(k),
    places_wanted: placesWanted,
    ...matrices?.constants,
  }
  const kernel = (bindings: Kernel['bindings'], more = {}): Kernel => ({
    bindings,
    constants: { ...constants, ...more },
  })
  return {
    directives: matrices?.directives ?? '',
    source: [
      groupsSource,
      matrices === null ? namesByIndexSource : namesByCellSource,
      readySource,
      tileSource,
      matrices?.source ?? '',
      orderSource,
      d % 4 === 0 ? rowsByFourSource : rowsByOneSource,
      settleSource,
      searchSource,
      ...(matrices === null ? [] : [listedSource, movesSource]),
    ].join('\n'),
    kernels: {
      ...(matrices === null ? { clear_state: { bindings: [] } } : {}),
      measure: kernel(['points']),
      tile_centroids: kernel(['centroids']),
      norms: kernel(['centroids']),
      filter_groups: kernel(['points']),
      ...mapped(matrices?.kernels ?? {}, (list) => kernel(list)),
      decide_pairs: kernel(['points']),
      ...(matrices === null
        ? {
            search_groups: kernel(['points'], { few_points: few }),
            search_few: kernel(['points'], { few_points: few }),
          }
        : { search_listed: kernel(['points']), decide_duels: kernel(['points', 'centroids']) }),
      begin_groups: kernel([]),
      ...(matrices === null ? settleKernels(kernel, d) : moveKernels(kernel, d)),
    },
    scratch: {
      ...scratchOf(k, d),
      ...(matrices === null ? {} : movesScratch(k, d)),
      ...matrices?.scratch,
    },
    prepare: [
      { kernel: 'measure', scratch: ['extents'], groups: groupsOf(smallThreads) },
      ...(matrices?.prepare ?? []),
    ],
    assign: passesOver(k, d, matrices, few),
    update: [],
    ...(matrices === null ? {} : { pointsPerPart: pointsPerPart(request) }),
    pointsPerGroup: orderPoints,
    fused: true,
  }
}

/** Matrix units take whole parts: equal ones that a slow card with such units goes through in a tenth of a second. */
function pointsPerPart({ n, k, d }: Pick<CompileRequest, 'n' | 'k' | 'd'>): number {
  return Math.ceil(n / Math.ceil((n * k * d) / mostPartProducts))
}

/** Scores from matrix units where the device has them; float32 follows for points that these do not take. */
function matricesOf(request: CompileRequest): Filter | null {
  return request.matrices === true && matricesFit(request) ? filterByMatrices(request) : null
}

function mapped<From, To>(
  record: Readonly<Record<string, From>>,
  by: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, by(value)]))
}

/** Clusters filled up to whole tiles. */
function tiledClusters(k: number): number {
  return tileClusters * Math.ceil(k / tileClusters)
}

/** Coordinates of all tiles. */
function tiledValues(k: number, d: number): number {
  return tiledClusters(k) * sliceDepth * Math.ceil(d / sliceDepth)
}

function scratchOf(k: number, d: number): Record<string, Scratch> {
  const word = (points: number) => 4 * points
  return {
    tiled: { bytes: () => 4 * (tiledValues(k, d) + tiledClusters(k)) },
    offsets: { bytes: () => 8 * tiledClusters(k) },
    state: { bytes: () => 4 * (counters + groupsIn(k)) },
    extents: { bytes: (points) => 8 * points, keptPer: 'part' },
    choices: { bytes: word },
    open: { bytes: word },
    order: { bytes: word },
  }
}

function passesOver(k: number, d: number, matrices: Filter | null, few: number): Pass[] {
  const ready = ['tiled', 'offsets', 'state', ...(matrices === null ? [] : ['names'])]
  const tiling = ['tiled', 'offsets', 'extents', 'choices', 'open', 'state']
  return [
    matrices === null
      ? { kernel: 'clear_state', scratch: ['state'], groups: () => [1, 1] }
      : { kernel: 'clear_for_matrices', scratch: ['state', 'words'], groups: () => [1, 1] },
    ...(matrices?.arrange ?? []),
    {
      kernel: 'tile_centroids',
      scratch: ready,
      groups: () => grid(Math.ceil((tiledValues(k, d) + tiledClusters(k)) / 4 / smallThreads)),
    },
    { kernel: 'norms', scratch: ready, groups: () => grid(tiledClusters(k)) },
    ...(matrices?.assign ?? []),
    {
      kernel: 'filter_groups',
      scratch: tiling,
      groups: matrices === null ? groupsOf(tilePoints) : fewOf(tilePoints),
    },
    {
      kernel: 'decide_pairs',
      scratch: ['tiled', 'choices', 'open', 'state'],
      groups: ({ count }) => grid(Math.min(mostPairGroups, Math.ceil(count / pairsTogether))),
    },
    ...(matrices === null
      ? searchPasses(tiling, few)
      : [
          {
            kernel: 'decide_duels',
            scratch: ['tiled', 'choices', 'open', 'state'],
            groups: ({ count }: DispatchShape) =>
              grid(Math.min(mostPairGroups, Math.ceil(count / duelsTogether))),
          },
          {
            kernel: 'search_listed',
            scratch: ['tiled', 'choices', 'open', 'state', 'images'],
            groups: ({ count }: DispatchShape) =>
              grid(Math.min(mostPairGroups, Math.ceil(count / searchedTogether))),
          },
        ]),
    ...(matrices === null ? settlePasses : movePasses(k, d)),
  ]
}

function searchPasses(tiling: readonly string[], few: number): Pass[] {
  return [
    {
      kernel: 'search_few',
      scratch: ['tiled', 'choices', 'open', 'state'],
      groups: ({ count }) => grid(Math.max(1, Math.ceil(Math.min(count, few) / searchedTogether))),
    },
    { kernel: 'search_groups', scratch: tiling, groups: fewOf(tilePoints) },
  ]
}
