import { groupsFor, lanesOfBusy } from '@kernels/common/webgpu/device-lanes'
import { grid, type CompileRequest, type Constants, type VariantPasses } from '@kernels/common/webgpu/passes'
import { resolving } from '@kernels/common/webgpu/resolving'
import type { WebgpuRegime } from '@kernels/common/webgpu/variant'
import { maxHalvesAdded, wholeConstants } from '@kernels/common/webgpu/whole-numbers'
import wholeSource from '@kernels/common/webgpu/whole_numbers.wgsl?raw'
import cellsSource from '@kernels/methods/sampled-cells/sampled-cells.wgsl?raw'
import {
  blocksOf,
  cellKernels,
  cellPasses,
  cellScratch,
} from '@kernels/methods/sampled-cells/sampled-cells.webgpu'
import scoresSource from './by_scores.wgsl?raw'
import listsSource from './candidate_lists.wgsl?raw'
import centroidSource from './centroid_in_registers.wgsl?raw'
import fourSource from './four_points.wgsl?raw'
import source from './neighbour-boxes.wgsl?raw'

const pointsPerLane = 4
/** Features that four_points.wgsl has registers for. */
export const maxNeighbourFeatures = 32
/** Points of a cell, on average, and how many cells there are at least and at most. */
const pointsOfCell = 8192
const minCells = 16
const maxCells = 128
/** Most blocks of points that a workgroup takes; fewer where that would leave the device idle. */
const maxTogether = 4
/** Workgroup memory that sums get at least, and that of all things but sums and candidates. */
const sumBytes = 10 * 1024
const otherBytes = 2 * 1024 + 256
/** Of candidates that are staged at a time. */
const minTileBytes = 2 * 1024
/** Candidates up to which distances to all of them are faster than scores. */
const maxDirect = 48
/** Of the sums of a workgroup. */
const copies = 8
const groupSize = 8

/** What may be tried out. */
export interface NeighbourBoxesShape {
  readonly cells: number
  readonly threads: number
  readonly together: number
  readonly sumBytes: number
  readonly maxDirect: number
  readonly copies: number
}

/** Workgroup memory without which there is no room for a group of candidates. */
export function neighbourBoxesBytes(d: number): number {
  return sumBytes + groupBytes(d) + otherBytes
}

/** 3 to 32 features: points cell by cell, and distances to the centroids that can be the nearest in a cell. */
export function neighbourBoxes(request: CompileRequest, shape = shapeFor(request)): VariantPasses {
  const { k, d } = request
  const { cells, threads, together } = shape
  const block = pointsPerLane * threads
  const blocks = (points: number) => blocksOf(points, block, cells)
  const listBytes = 16 + groupBytes(d) * groupsIn(k) + 16 * Math.ceil(k / 4)
  const common = { features: d, cells, block_points: block }
  const own = { ...common, threads, max_clusters: k }
  const resolved = resolving(request)
  const ordering = ['words', 'ordered', 'boxes', 'pointAt', 'blocks', 'centres']
  return {
    files: [cellsSource, listsSource, centroidSource, wholeSource, source, scoresSource, fourSource],
    update: [],
    fused: true,
    kernels: {
      ...cellKernels(common),
      order_points: { bindings: ['points'], constants: own },
      list_candidates: { bindings: ['centroids'], constants: own },
      neighbour_boxes: {
        bindings: ['labels', 'counts', 'sums', 'scales'],
        constants: {
          ...own,
          max_direct: shape.maxDirect,
          max_copies: shape.copies,
          together,
          max_halves: maxHalvesAdded(request),
          ...wholeConstants(request),
          ...workgroupMemory(request, shape),
        },
      },
      ...resolved.kernels,
    },
    scratch: {
      ...cellScratch(d, cells, block),
      cellOfPoint: { bytes: (points) => 4 * points },
      ordered: { bytes: (points) => 4 * d * block * blocks(points), keptPer: 'part' },
      blocks: { bytes: (points) => 8 * blocks(points), keptPer: 'part' },
      boxes: { bytes: () => 4 * cells * (2 * d + 1), keptPer: 'part' },
      lists: { bytes: () => cells * listBytes },
    },
    prepare: [
      ...cellPasses(d, cells, 'cellOfPoint'),
      { kernel: 'order_points', scratch: ordering, groups: ({ count }) => grid(blocks(count)) },
    ],
    assign: [
      { kernel: 'list_candidates', scratch: ['boxes', 'lists', 'centres'], groups: () => [cells, 1] },
      {
        kernel: 'neighbour_boxes',
        scratch: ['blocks', 'lists', 'ordered', 'pointAt'],
        groups: ({ count }) => [Math.min(65535, Math.ceil(blocks(count) / together)), 1],
      },
      resolved.pass,
    ],
    listsDoubts: true,
    pointsPerGroup: block,
  }
}

/** Of eight candidates, with room between them. */
function groupBytes(d: number): number {
  return 16 * (groupSize * Math.ceil(d / 4) + 3)
}

function groupsIn(k: number): number {
  return Math.ceil(k / groupSize)
}

/**
 * Room for candidates and for the sums of all clusters; where there is not enough for both, sums come first, and candidates are staged
 * tile by tile. Sums that would leave no room for a tile go to global memory anyway where all clusters are candidates; where lists are
 * short, as many rows of either find room.
 */
function workgroupMemory({ k, d, workgroupBytes }: CompileRequest, shape: NeighbourBoxesShape): Constants {
  const room = workgroupBytes - otherBytes
  const rowBytes = 4 * (2 * d + 1)
  const least = Math.max(groupBytes(d), minTileBytes)
  const all = Math.max(shape.sumBytes, rowBytes * (k + 1))
  const shared = (room * rowBytes) / (rowBytes + groupBytes(d) / groupSize)
  const sums =
    all + least <= room ? all : Math.max(shape.sumBytes, Math.min(all, shared, room - groupBytes(d)))
  const groups = Math.min(groupsIn(k), Math.floor((room - sums) / groupBytes(d)))
  return { tile_groups: groups, partial_words: Math.floor(sums / 4) }
}

function shapeFor(request: CompileRequest): NeighbourBoxesShape {
  const { n, d } = request
  const wanted = 2 ** Math.round(Math.log2(n / pointsOfCell))
  const cells = Math.min(maxCells, Math.max(minCells, wanted))
  const threads = d <= 16 ? 256 : 128
  const shared = Math.round(n / (pointsPerLane * threads * groupsFor(request, lanesOfBusy)))
  const together = Math.min(maxTogether, Math.max(1, shared))
  return { cells, threads, together, sumBytes, maxDirect, copies }
}

export default { passes: neighbourBoxes, ordersPoints: true } satisfies WebgpuRegime
