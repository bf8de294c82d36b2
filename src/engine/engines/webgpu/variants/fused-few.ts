import meanSource from '@kernels/common/mean.wgsl?raw'
import cellsSource from '@kernels/variants/fused/cells.wgsl?raw'
import fewSource from '@kernels/variants/fused/few.wgsl?raw'
import freshSource from '@kernels/variants/fused/fresh.wgsl?raw'
import planeSource from '@kernels/variants/fused/plane.wgsl?raw'
import { boundsPass, persistentGroups, threadsFor } from './fused-sizes'
import { allBindings, grid, type CompileRequest, type VariantPasses } from './variant-passes'

const pointsPerFewLane = 8
/** Clusters up to which the search is written without a loop. */
export const mostFew = 16
/** Points and clusters from which each workgroup makes a table of cells. */
const fewestCut = 2 ** 24
const fewestChosen = 4
/** Of the table: its side is two to this power. */
const fewCellBits = 5

/** Two features and few clusters: without a loop over these; null for all others. */
export function fewOf({ n, k, d }: CompileRequest): VariantPasses | null {
  if (d !== 2 || k > mostFew) return null
  const threads = threadsFor(n, pointsPerFewLane)
  const pointsPerGroup = pointsPerFewLane * threads
  const groups = (count: number) => Math.min(Math.ceil(count / pointsPerGroup), persistentGroups)
  const cells = n >= fewestCut && k >= fewestChosen
  const constants = cells ? { threads, rows: k, side_bits: fewCellBits } : { threads, rows: k }
  const scratch = cells ? ['bounds'] : []
  return {
    source: [
      meanSource,
      freshSource,
      planeSource,
      fewSource,
      cells ? `${cellsSource}\n${candidatesOf(k)}` : nearestOf(k),
    ].join('\n'),
    update: [],
    fused: true,
    makesMeans: true,
    kernels: {
      few: { bindings: allBindings, writes: ['centroids'], constants },
      ...(cells ? { find_bounds: { bindings: ['points'] } } : {}),
    },
    ...(cells
      ? {
          scratch: { bounds: { bytes: () => 16, keptPer: 'part' } },
          prepare: [boundsPass],
        }
      : {}),
    assign: [{ kernel: 'few', scratch, groups: ({ count }) => grid(groups(count)) }],
    pointsPerGroup,
  }
}

/** WGSL of `k` centroids in variables. */
function heldOf(k: number, name: string): string[] {
  const all = Array.from({ length: k }, (_, row) => row)
  return [
    ...all.map((row) => `var<private> c${row}: vec2f;`),
    `fn ${name} {`,
    ...all.map((row) => `  c${row} = vec2f(staged[${2 * row}], staged[${2 * row + 1}]);`),
    '}',
  ]
}

/** WGSL of the nearest of `k` centroids: one line a centroid, for a loop takes twice the time. */
function nearestOf(k: number): string {
  const others = Array.from({ length: k - 1 }, (_, before) => before + 1)
  return [
    ...heldOf(k, 'hold(lane: u32)'),
    'fn nearest(x: vec2f) -> u32 {',
    '  var closest = Closest(distance(x, c0), 0u);',
    ...others.map((row) => `  closest = nearer(closest, ${row}u, distance(x, c${row}));`),
    '  return closest.cluster;',
    '}',
  ].join('\n')
}

/** WGSL of the centroids that can be the nearest of a point in a cell, for cells.wgsl. */
function candidatesOf(k: number): string {
  const others = Array.from({ length: k - 1 }, (_, before) => before + 1)
  const canWin = [0, ...others].map(
    (row) => `select(0u, ${2 ** row}u, can_win(cell, c${row} - own, smallest, d${row}))`,
  )
  return [
    ...heldOf(k, 'hold_all()'),
    'fn candidates_of(cell: Cell) -> u32 {',
    ...[0, ...others].map((row) => `  let d${row} = distance(cell.middle, c${row});`),
    '  var own = c0;',
    '  var smallest = d0;',
    ...others.flatMap((row) => [
      `  own = select(own, c${row}, d${row} < smallest);`,
      `  smallest = min(smallest, d${row});`,
    ]),
    `  return ${canWin.join('\n    | ')};`,
    '}',
  ].join('\n')
}
