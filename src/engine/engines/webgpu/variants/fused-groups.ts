import groupsSource from '@kernels/variants/fused/high/groups.wgsl?raw'
import orderSource from '@kernels/variants/fused/high/order.wgsl?raw'
import readySource from '@kernels/variants/fused/high/ready.wgsl?raw'
import rowsByFourSource from '@kernels/variants/fused/high/rows_by_four.wgsl?raw'
import rowsByOneSource from '@kernels/variants/fused/high/rows_by_one.wgsl?raw'
import settleSource from '@kernels/variants/fused/high/settle.wgsl?raw'
import tileSource from '@kernels/variants/fused/high/tile.wgsl?raw'
import {
  grid,
  groupsOf,
  type CompileRequest,
  type Kernel,
  type Pass,
  type Scratch,
  type VariantPasses,
} from './variant-passes'

const groupSize = 8
const tilePoints = 128
const tileClusters = 128
const sliceDepth = 8
const tileBytes = 28 * 1024
const orderPoints = 2048
const settlePoints = 256
const smallThreads = 64
/** Words of `state` before those of the groups. */
const counters = 4
/** Multiply-adds of an iteration from which its ten dispatches are worth it. */
const fewestProducts = 2 ** 31
/** Below these the one-pass kernel is as fast. */
const fewestFeatures = 33
const fewestClusters = 33

/** Whether data are many enough, and workgroup memory large enough, for the passes over groups of clusters. */
export function groupsPay({ n, k, d, workgroupBytes, software }: CompileRequest): boolean {
  const fits = workgroupBytes >= tileBytes && 4 * groupsIn(k) + 2048 <= workgroupBytes
  const areMany = d >= fewestFeatures && k >= fewestClusters && n * k * d >= fewestProducts
  return fits && areMany && software !== true
}

/** More than 8 features: scores find a group of eight clusters for each point, distances decide inside it. */
export function fusedGroups({ k, d }: CompileRequest): VariantPasses {
  const constants = { features: d, all_groups: groupsIn(k) }
  const rowLanes = Math.min(32, 2 ** Math.ceil(Math.log2(d / 4)))
  const kernel = (bindings: Kernel['bindings'], more = {}): Kernel => ({
    bindings,
    constants: { ...constants, ...more },
  })
  return {
    source: [
      groupsSource,
      readySource,
      tileSource,
      orderSource,
      d % 4 === 0 ? rowsByFourSource : rowsByOneSource,
      settleSource,
    ].join('\n'),
    kernels: {
      clear_state: { bindings: [] },
      measure: kernel(['points']),
      tile_centroids: kernel(['centroids']),
      norms: kernel(['centroids']),
      filter_groups: kernel(['points']),
      decide_pairs: kernel(['points']),
      search_groups: kernel(['points']),
      count_groups: kernel([]),
      begin_groups: kernel([]),
      place_points: kernel([]),
      settle: kernel(['points', 'labels', 'counts', 'sums', 'scales'], { row_lanes: rowLanes }),
    },
    scratch: scratchOf(k, d),
    prepare: [{ kernel: 'measure', scratch: ['extents'], groups: groupsOf(smallThreads) }],
    assign: passesOver(k, d),
    update: [],
    pointsPerGroup: orderPoints,
    fused: true,
  }
}

function groupsIn(k: number): number {
  return Math.ceil(k / groupSize)
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
    tiled: { bytes: () => 4 * tiledValues(k, d) },
    offsets: { bytes: () => 8 * tiledClusters(k) },
    state: { bytes: () => 4 * (counters + groupsIn(k)) },
    extents: { bytes: (points) => 8 * points, keptPer: 'part' },
    choices: { bytes: word },
    open: { bytes: word },
    order: { bytes: word },
  }
}

function passesOver(k: number, d: number): Pass[] {
  const tiling = ['tiled', 'offsets', 'extents', 'choices', 'open', 'state']
  return [
    { kernel: 'clear_state', scratch: ['state'], groups: () => [1, 1] },
    {
      kernel: 'tile_centroids',
      scratch: ['tiled'],
      groups: () => grid(Math.ceil(tiledValues(k, d) / 4 / smallThreads)),
    },
    { kernel: 'norms', scratch: ['tiled', 'offsets', 'state'], groups: () => grid(tiledClusters(k)) },
    { kernel: 'filter_groups', scratch: tiling, groups: groupsOf(tilePoints) },
    {
      kernel: 'decide_pairs',
      scratch: ['tiled', 'choices', 'open', 'state'],
      groups: groupsOf(smallThreads),
    },
    { kernel: 'search_groups', scratch: tiling, groups: groupsOf(tilePoints) },
    { kernel: 'count_groups', scratch: ['choices', 'state'], groups: groupsOf(orderPoints) },
    { kernel: 'begin_groups', scratch: ['choices', 'state'], groups: () => [1, 1] },
    { kernel: 'place_points', scratch: ['choices', 'state', 'order'], groups: groupsOf(orderPoints) },
    { kernel: 'settle', scratch: ['tiled', 'order', 'choices'], groups: groupsOf(settlePoints) },
  ]
}
