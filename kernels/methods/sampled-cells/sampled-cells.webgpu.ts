import {
  grid,
  groupsOf,
  type Constants,
  type Kernel,
  type Pass,
  type Scratch,
} from '@kernels/common/webgpu/passes'

const samplePoints = 2048
const cellThreads = 256
const smallThreads = 64
/** Words of the cells before those of each. */
const cellsAt = 4
const centred = ['sample', 'centres', 'words']

/** Blocks of points, each filled up, of so many cells. */
export function blocksOf(points: number, block: number, cells: number): number {
  return Math.ceil(points / block) + cells
}

/** What its kernels bind. */
export const cellBindings = {
  take_sample: ['points'],
  draw_centres: [],
  move_centres: ['scales'],
  find_cells: ['points'],
  begin_cells: [],
  fill_cells: [],
} as const satisfies Record<string, Kernel['bindings']>

export function cellKernels(constants: Constants): Record<string, Kernel> {
  const entries = Object.entries(cellBindings)
  return Object.fromEntries(entries.map(([name, bindings]) => [name, { bindings, constants }]))
}

/** @param block points of a block */
export function cellScratch(d: number, cells: number, block: number): Record<string, Scratch> {
  const blocks = (points: number) => blocksOf(points, block, cells)
  return {
    sample: { bytes: () => 4 * samplePoints * (d + 1) },
    centres: { bytes: () => 4 * cells * d, keptPer: 'part' },
    words: { bytes: (points) => 4 * (cellsAt + 2 * cells + blocks(points)), keptPer: 'part' },
    pointAt: { bytes: (points) => 4 * block * blocks(points), keptPer: 'part' },
  }
}

/** Once: centres, the cell of each point, and where it goes. @param cellOfPoint scratch of a word a point */
export function cellPasses(d: number, cells: number, cellOfPoint: string): Pass[] {
  return [
    { kernel: 'take_sample', scratch: ['sample'], groups: () => grid((samplePoints * d) / smallThreads) },
    { kernel: 'draw_centres', scratch: ['sample'], groups: () => [1, 1] },
    { kernel: 'move_centres', scratch: centred, groups: () => [cells, 1] },
    { kernel: 'find_cells', scratch: [...centred, cellOfPoint], groups: groupsOf(cellThreads) },
    { kernel: 'begin_cells', scratch: centred, groups: () => [1, 1] },
    { kernel: 'fill_cells', scratch: [...centred, cellOfPoint, 'pointAt'], groups: groupsOf(cellThreads) },
  ]
}
