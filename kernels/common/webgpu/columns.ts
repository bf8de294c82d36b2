import { grid, type Pass, type Scratch } from './passes'

const threads = 256

/** The points once more as columns, (d, points of the part); see columns.wgsl. */
export function columnBytes(d: number): Scratch {
  return { keptPer: 'part', bytes: (points) => 4 * d * points }
}

/** Rows to columns, one thread a value. */
export const transposition: Pass = {
  kernel: 'transpose',
  scratch: ['columns'],
  groups: ({ count, d }) => grid(Math.ceil((count * d) / threads)),
}
