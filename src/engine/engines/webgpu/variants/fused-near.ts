import cellsSource from '@kernels/variants/fused/high/cells.wgsl?raw'
import readySource from '@kernels/variants/fused/near/ready.wgsl?raw'
import scoresSource from '@kernels/variants/fused/near/scores.wgsl?raw'
import searchSource from '@kernels/variants/fused/near/search.wgsl?raw'
import { nearKernel } from './near-kernel'
import {
  grid,
  groupsOf,
  type CompileRequest,
  type Constants,
  type Pass,
  type VariantPasses,
} from './variant-passes'

const pointsPerLane = 4
const samplePoints = 2048
const cellThreads = 256
const smallThreads = 64
/** Words of the cells before those of each. */
const cellsAt = 4
const fewestFeatures = 3
const mostFeatures = 32
const fewestClusters = 24
const mostClusters = 4096
/** Points from which their order pays. */
const fewestPoints = 2 ** 17
/** Of the second copy of the points. */
const mostBytes = 2 ** 31
/** Points of a cell, on average, and how many cells there are at least and at most. */
const pointsOfCell = 8192
const fewestCells = 16
const mostCells = 128
/** Most blocks of points that a workgroup takes, and workgroups below which it takes fewer, so that a large card is busy. */
const mostTogether = 4
const enoughGroups = 264
/** Workgroup memory that sums get at least, and that of all things but sums and candidates. */
const sumBytes = 10 * 1024
const otherBytes = 2 * 1024
/** Candidates up to which distances to all of them are faster than scores. */
const mostDirect = 48
/** Of the sums of a workgroup. */
const copies = 8
const groupSize = 8

/** What may be tried out. */
interface NearShape {
  readonly cells: number
  readonly threads: number
  readonly together: number
  readonly sumBytes: number
  readonly mostDirect: number
  readonly copies: number
}

/** Whether so many points are given that their order pays for itself, and workgroup memory is large enough. */
export function nearPays(request: CompileRequest): boolean {
  const { d, software, workgroupBytes, short } = request
  const fits = sumBytes + groupBytes(d) + otherBytes <= workgroupBytes && short !== true
  return fits && areManyForCells(request) && software !== true
}

/** Whether data are worth a second copy of the points, cell by cell. */
export function areManyForCells({ n, k, d }: Pick<CompileRequest, 'n' | 'k' | 'd'>): boolean {
  const isWide = d >= fewestFeatures && d <= mostFeatures
  return isWide && n >= fewestPoints && k >= fewestClusters && k <= mostClusters && 8 * n * d <= mostBytes
}

/** 3 to 32 features: points cell by cell, and distances to the centroids that can be the nearest in a cell. */
export function near(request: CompileRequest, shape: NearShape = shapeFor(request)): VariantPasses {
  const { k, d } = request
  const { cells, threads, together } = shape
  const block = pointsPerLane * threads
  const blocks = (points: number) => Math.ceil(points / block) + cells
  const listBytes = 16 + groupBytes(d) * groupsIn(k) + 16 * Math.ceil(k / 4)
  const kernel = { features: d, cells, block_points: block }
  const own = { ...kernel, threads, most_clusters: k }
  return {
    source: [cellsSource, readySource, searchSource, scoresSource, nearKernel(d)].join('\n'),
    update: [],
    fused: true,
    kernels: {
      take_sample: { bindings: ['points'], constants: kernel },
      draw_centres: { bindings: [], constants: kernel },
      move_centres: { bindings: ['scales'], constants: kernel },
      find_cells: { bindings: ['points'], constants: kernel },
      begin_cells: { bindings: [], constants: kernel },
      fill_cells: { bindings: [], constants: kernel },
      order_points: { bindings: ['points'], constants: own },
      list_candidates: { bindings: ['centroids'], constants: own },
      near: {
        bindings: ['labels', 'counts', 'sums', 'scales'],
        constants: {
          ...own,
          most_direct: shape.mostDirect,
          most_copies: shape.copies,
          together,
          ...workgroupMemory(request, shape),
        },
      },
    },
    scratch: {
      sample: { bytes: () => 4 * samplePoints * (d + 1) },
      centres: { bytes: () => 4 * cells * d, keptPer: 'part' },
      words: { bytes: (points) => 4 * (cellsAt + 2 * cells + blocks(points)), keptPer: 'part' },
      cellOfPoint: { bytes: (points) => 4 * points },
      pointAt: { bytes: (points) => 4 * block * blocks(points), keptPer: 'part' },
      ordered: { bytes: (points) => 4 * d * block * blocks(points), keptPer: 'part' },
      blocks: { bytes: (points) => 8 * blocks(points), keptPer: 'part' },
      boxes: { bytes: () => 4 * cells * (2 * d + 1), keptPer: 'part' },
      lists: { bytes: () => cells * listBytes },
    },
    prepare: prepared(cells, d, (count) => blocks(count)),
    assign: [
      { kernel: 'list_candidates', scratch: ['boxes', 'lists', 'centres'], groups: () => [cells, 1] },
      {
        kernel: 'near',
        scratch: ['blocks', 'lists', 'ordered', 'pointAt'],
        groups: ({ count }) => [Math.min(65535, Math.ceil(blocks(count) / together)), 1],
      },
    ],
    pointsPerGroup: block,
  }
}

/** What is done once with the points: cells, and the points in their order. */
function prepared(cells: number, d: number, blocks: (points: number) => number): Pass[] {
  const centred = ['sample', 'centres', 'words']
  return [
    { kernel: 'take_sample', scratch: ['sample'], groups: () => grid((samplePoints * d) / smallThreads) },
    { kernel: 'draw_centres', scratch: ['sample'], groups: () => [1, 1] },
    { kernel: 'move_centres', scratch: centred, groups: () => [cells, 1] },
    { kernel: 'find_cells', scratch: [...centred, 'cellOfPoint'], groups: groupsOf(cellThreads) },
    { kernel: 'begin_cells', scratch: centred, groups: () => [1, 1] },
    { kernel: 'fill_cells', scratch: [...centred, 'cellOfPoint', 'pointAt'], groups: groupsOf(cellThreads) },
    {
      kernel: 'order_points',
      scratch: ['words', 'ordered', 'boxes', 'pointAt', 'blocks', 'centres'],
      groups: ({ count }) => grid(blocks(count)),
    },
  ]
}

/** Of eight candidates, with room between them. */
function groupBytes(d: number): number {
  return 16 * (groupSize * Math.ceil(d / 4) + 3)
}

function groupsIn(k: number): number {
  return Math.ceil(k / groupSize)
}

/** Room for candidates and for the sums of all clusters, as far as it goes; lists are mostly short. */
function workgroupMemory({ k, d, workgroupBytes }: CompileRequest, shape: NearShape): Constants {
  const room = workgroupBytes - otherBytes
  const groups = Math.min(groupsIn(k), Math.floor((room - shape.sumBytes) / groupBytes(d)))
  const wanted = Math.max(shape.sumBytes, 4 * (2 * d + 1) * (k + 1))
  return {
    tile_groups: groups,
    partial_words: Math.floor(Math.min(room - groups * groupBytes(d), wanted) / 4),
  }
}

function shapeFor({ n, d }: CompileRequest): NearShape {
  const wanted = 2 ** Math.round(Math.log2(n / pointsOfCell))
  const cells = Math.min(mostCells, Math.max(fewestCells, wanted))
  const threads = d <= 16 ? 256 : 128
  const shared = Math.round(n / (pointsPerLane * threads * enoughGroups))
  const together = Math.min(mostTogether, Math.max(1, shared))
  return { cells, threads, together, sumBytes, mostDirect, copies }
}
