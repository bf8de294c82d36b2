import {
  grid,
  type CompileRequest,
  type Constants,
  type Kernel,
  type Pass,
  type Scratch,
} from '@kernels/common/webgpu/passes'
import { tiledClusters, type KernelOf } from '@kernels/methods/cluster-groups/cluster-groups.webgpu'
import {
  blocksOf,
  cellBindings,
  cellPasses,
  cellScratch,
} from '@kernels/methods/sampled-cells/sampled-cells.webgpu'

/** A multiple of eight. */
const cells = 64
const smallThreads = 64
const imageRows = 8
const side = 16
/** Of a workgroup of the filter, each of which holds some matrices of sixteen points. */
const subgroups = 4
/** Vectors at the end of an array that Dawn's check of the last row of a matrix wants to be there. */
const slack = 32
/** Tiles of sixteen clusters whose starts are kept, and regions of scores a subgroup. */
const keptStarts = 4
const regions = 2
const otherBytes = 1024
/** Of points of which a subgroup holds whole ones. */
export const maxMatrixFeatures = 256
const images = ['images', 'starts', 'state']

/** Points of four matrices of up to 128 features fill the registers of a subgroup, or of two of up to 256. */
function pointRows(d: number): number {
  return d <= maxMatrixFeatures / 2 ? 4 : 2
}

function stepsOf(d: number): number {
  return Math.ceil(d / side)
}

/** Points of a workgroup of the filter. */
function blockPoints(d: number): number {
  return subgroups * side * pointRows(d)
}

/** Workgroup memory of the filter, as matrix-filter.wgsl lays it out. */
export function matrixFilterBytes(d: number): number {
  const tile = side * (2 * stepsOf(d) + 1)
  const scores = subgroups * regions * side * (4 * pointRows(d) + 1)
  return 16 * (2 * tile + keptStarts * (side / 4) + scores + 2 * slack) + otherBytes
}

/** What types and sizes of arrays need, by the names of matrix-filter.wgsl. */
export function matrixNames(d: number): Constants {
  return { point_rows: pointRows(d), matrix_steps: stepsOf(d) }
}

export function imageConstants(d: number): Constants {
  return { cells, block_points: blockPoints(d), groups_a_tile: side / 8 }
}

export function imageKernels(kernel: KernelOf): Record<string, Kernel> {
  const bindings = {
    clear_for_matrices: [],
    ...cellBindings,
    round_points: ['points'],
    find_cluster_cells: ['centroids'],
    arrange: [],
    round_centroids: ['centroids'],
    list_tiles: [],
    filter_by_matrices: [],
  } satisfies Record<string, Kernel['bindings']>
  return Object.fromEntries(Object.entries(bindings).map(([name, list]) => [name, kernel(list)]))
}

export function imageScratch({ k, d }: CompileRequest): Record<string, Scratch> {
  const block = blockPoints(d)
  const positions = (points: number) => block * blocksOf(points, block, cells)
  const rowBytes = 2 * side * stepsOf(d)
  const clusters = tiledClusters(k)
  return {
    ...cellScratch(d, cells, block),
    records: { bytes: (points) => 16 * positions(points), keptPer: 'part' },
    pointHalves: { bytes: (points) => rowBytes * (positions(points) + side), keptPer: 'part' },
    images: { bytes: () => rowBytes * cells * clusters + 16 * cells * (clusters / 8 + 1) },
    starts: { bytes: () => 4 * cells * (clusters + clusters / 8) },
    names: { bytes: () => 4 * clusters },
    clusterCells: { bytes: () => 4 * k },
  }
}

/** Once: points cell by cell in 16 bits. */
export function imagePreparation(d: number): Pass[] {
  const scratch = ['pointHalves', 'pointAt', 'records', 'names', 'centres', 'words']
  return [
    ...cellPasses(d, cells, 'order'),
    { kernel: 'round_points', scratch, groups: overPositions(d, smallThreads) },
  ]
}

/** Before centroids are made ready: clusters in the order of their cells. */
export function arrangePasses({ k }: CompileRequest): Pass[] {
  const scratch = [...images, 'names', 'centres', 'clusterCells']
  return [
    { kernel: 'find_cluster_cells', scratch, groups: () => grid(k) },
    { kernel: 'arrange', scratch, groups: () => grid(tiledClusters(k) / smallThreads) },
  ]
}

/** Images of the centroids, the tiles of each cell, and the filter. */
export function filterPasses({ k, d }: CompileRequest): Pass[] {
  const scratch = [...images, 'names', 'centres', 'words']
  return [
    { kernel: 'round_centroids', scratch, groups: () => grid((cells * tiledClusters(k)) / imageRows) },
    { kernel: 'list_tiles', scratch, groups: () => [cells, 1] },
    {
      kernel: 'filter_by_matrices',
      scratch: ['images', 'starts', 'records', 'choices', 'open', 'state', 'pointHalves', 'words'],
      groups: overPositions(d, blockPoints(d)),
    },
  ]
}

/** Workgroups that take `each` of the places of the points, cells being filled up. */
function overPositions(d: number, each: number): Pass['groups'] {
  const block = blockPoints(d)
  return ({ count }) => grid(Math.ceil((block * blocksOf(count, block, cells)) / each))
}
