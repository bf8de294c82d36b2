import arrangeSource from '@kernels/variants/fused/high/arrange.wgsl?raw'
import cellsSource from '@kernels/variants/fused/high/cells.wgsl?raw'
import halvesSource from '@kernels/variants/fused/high/halves.wgsl?raw'
import directives from '@kernels/variants/fused/high/matrix_directives.wgsl?raw'
import matrixSource from '@kernels/variants/fused/high/matrix.wgsl?raw'
import { blockPoints, groupsATile, matrixBytes, matrixKernel, type MatrixShape } from './matrix-kernel'
import {
  grid,
  groupsOf,
  type CompileRequest,
  type Constants,
  type Kernel,
  type Pass,
  type Scratch,
} from './variant-passes'

/** How a variant finds the groups of its points, and what it needs for it. */
export interface Filter {
  readonly directives: string
  readonly source: string
  readonly constants: Constants
  readonly kernels: Readonly<Record<string, Kernel['bindings']>>
  readonly scratch: Readonly<Record<string, Scratch>>
  readonly prepare: readonly Pass[]
  /** Before centroids are made ready. */
  readonly arrange: readonly Pass[]
  readonly assign: readonly Pass[]
}

const images = ['images', 'starts', 'state']
/** A multiple of eight. */
const cells = 64
/** Of points of which a subgroup holds whole ones. */
export const mostMatrixFeatures = 256
const samplePoints = 2048
const cellThreads = 256
const smallThreads = 64
const imageRows = 8
const cellsAt = 4
const tileClusters = 128
const side = 16

/** Points of four matrices of up to 128 features fill the registers of a subgroup, or of two of up to 256. */
function shapeOf(d: number): MatrixShape {
  return { subgroups: 4, rows: d <= mostMatrixFeatures / 2 ? 4 : 2, columns: 1, regions: 2 }
}

/** Whether matrix units can take `d` features in the workgroup memory there is. */
export function matricesFit({ d, workgroupBytes }: Pick<CompileRequest, 'd' | 'workgroupBytes'>): boolean {
  return d <= mostMatrixFeatures && matrixBytes(shapeOf(d), d) + 1024 <= workgroupBytes
}

/** Groups by scores from matrix units. @param kernel WGSL of another `filter_by_matrices`, and what begins the module. */
export function filterByMatrices(
  { k, d }: Pick<CompileRequest, 'k' | 'd'>,
  kernel = { directives, source: matrixKernel(shapeOf(d), d) },
): Filter {
  const shape = shapeOf(d)
  const block = blockPoints(shape)
  const rowBytes = 2 * side * Math.ceil(d / side)
  const clusters = tileClusters * Math.ceil(k / tileClusters)
  const places = (points: number) => block * (Math.ceil(points / block) + cells)
  const placesOf =
    (perGroup: number): Pass['groups'] =>
    ({ count }) =>
      grid(Math.ceil(places(count) / perGroup))
  return {
    directives: kernel.directives,
    source: [cellsSource, halvesSource, arrangeSource, matrixSource, kernel.source].join('\n'),
    constants: { cells, block_points: block, groups_a_tile: groupsATile(shape) },
    kernels: {
      clear_for_matrices: [],
      take_sample: ['points'],
      draw_centres: [],
      move_centres: ['scales'],
      find_cells: ['points'],
      begin_cells: [],
      fill_cells: [],
      round_points: ['points'],
      find_cluster_cells: ['centroids'],
      arrange: [],
      round_centroids: ['centroids'],
      list_tiles: [],
      filter_by_matrices: [],
    },
    scratch: {
      sample: { bytes: () => 4 * samplePoints * (d + 1) },
      centres: { bytes: () => 4 * cells * d, keptPer: 'part' },
      words: { bytes: (points) => 4 * (cellsAt + 2 * cells + places(points) / block), keptPer: 'part' },
      pointAt: { bytes: (points) => 4 * places(points), keptPer: 'part' },
      records: { bytes: (points) => 16 * places(points), keptPer: 'part' },
      pointHalves: { bytes: (points) => rowBytes * (places(points) + side), keptPer: 'part' },
      images: { bytes: () => rowBytes * cells * clusters + 16 * cells * (clusters / 8 + 1) },
      starts: { bytes: () => 4 * cells * (clusters + clusters / 8) },
      names: { bytes: () => 4 * clusters },
      clusterCells: { bytes: () => 4 * k },
    },
    prepare: [
      { kernel: 'take_sample', scratch: ['sample'], groups: () => grid((samplePoints * d) / smallThreads) },
      { kernel: 'draw_centres', scratch: ['sample'], groups: () => [1, 1] },
      { kernel: 'move_centres', scratch: ['sample', 'centres', 'words'], groups: () => [cells, 1] },
      {
        kernel: 'find_cells',
        scratch: ['sample', 'centres', 'words', 'order'],
        groups: groupsOf(cellThreads),
      },
      { kernel: 'begin_cells', scratch: ['sample', 'centres', 'words'], groups: () => [1, 1] },
      {
        kernel: 'fill_cells',
        scratch: ['sample', 'centres', 'words', 'order', 'pointAt'],
        groups: groupsOf(cellThreads),
      },
      {
        kernel: 'round_points',
        scratch: ['pointHalves', 'pointAt', 'records', 'names', 'centres', 'words'],
        groups: placesOf(smallThreads),
      },
    ],
    arrange: [
      {
        kernel: 'find_cluster_cells',
        scratch: [...images, 'names', 'centres', 'clusterCells'],
        groups: () => grid(k),
      },
      {
        kernel: 'arrange',
        scratch: [...images, 'names', 'centres', 'clusterCells'],
        groups: () => grid(clusters / smallThreads),
      },
    ],
    assign: [
      {
        kernel: 'round_centroids',
        scratch: [...images, 'names', 'centres', 'words'],
        groups: () => grid((cells * clusters) / imageRows),
      },
      {
        kernel: 'list_tiles',
        scratch: [...images, 'names', 'centres', 'words'],
        groups: () => [cells, 1],
      },
      {
        kernel: 'filter_by_matrices',
        scratch: ['images', 'starts', 'records', 'choices', 'open', 'state', 'pointHalves', 'words'],
        groups: placesOf(block),
      },
    ],
  }
}
