import { groupsFor } from '@kernels/common/webgpu/device-lanes'
import {
  grid,
  groupsOf,
  type CompileRequest,
  type Constants,
  type Kernel,
  type Pass,
  type Scratch,
} from '@kernels/common/webgpu/passes'
import groupsSource from './cluster-groups.wgsl?raw'
import ranksSource from './group_ranks.wgsl?raw'
import orderSource from './order_by_group.wgsl?raw'
import resolveSource from './resolve_labels.wgsl?raw'
import byFourSource from './rows_by_four.wgsl?raw'
import byOneSource from './rows_by_one.wgsl?raw'
import tiledSource from './tiled_centroids.wgsl?raw'

export const groupSize = 8
/** Points and clusters of a tile of `filter_groups`, and features of a slice of it. */
export const tilePoints = 128
export const tileClusters = 128
const sliceDepth = 8
const tileBytes = 28 * 1024
/** Points of a workgroup that counts members of groups, and of one that adds runs of a cluster up. */
export const orderPoints = 2048
export const sumPoints = 256
const smallThreads = 64
const pairsTogether = 16
/** Lanes that run at once for each workgroup of passes over points that are few, mostly, and over points between two groups. */
const lanesOfCapped = 256
const lanesOfPairs = 64
/** Words of `state` before those of the groups. */
const counters = 16
const keptBytes = 16 * 1024

/** Scratch of kernels that go over tiles of points and clusters. */
export const tiling = ['tiled', 'offsets', 'extents', 'choices', 'open', 'state']
/** Scratch of kernels that decide between two groups or two clusters. */
export const deciding = ['tiled', 'choices', 'open', 'state']

export function groupsIn(k: number): number {
  return Math.ceil(k / groupSize)
}

/** Workgroup memory that the kernels need for k clusters. */
export function clusterGroupsBytes(k: number): number {
  return Math.max(tileBytes, 4 * groupsIn(k) + 2048)
}

/** Whole files of the module; `name_of`, where a cluster stands, is the regime's. */
export function groupFiles(d: number): readonly string[] {
  const rows = d % 4 === 0 ? byFourSource : byOneSource
  return [groupsSource, tiledSource, ranksSource, orderSource, rows, resolveSource]
}

/** A kernel of the module, with the constants of all of them. */
export type KernelOf = (bindings: Kernel['bindings'], more?: Constants) => Kernel

/** Kernels that every regime over groups of clusters has. */
export function groupKernels(kernel: KernelOf): Record<string, Kernel> {
  return {
    measure: kernel(['points']),
    tile_centroids: kernel(['centroids']),
    norms: kernel(['centroids']),
    filter_groups: kernel(['points']),
    decide_pairs: kernel(['points']),
    begin_groups: kernel([]),
  }
}

export function groupScratch({ k, d }: CompileRequest): Record<string, Scratch> {
  const word = (points: number) => 4 * points
  return {
    tiled: { bytes: () => 4 * (tiledValues(k, d) + tiledClusters(k)) },
    offsets: { bytes: () => 4 * tiledClusters(k) },
    state: { bytes: () => 4 * (counters + groupsIn(k)) },
    extents: { bytes: (points) => 8 * points, keptPer: 'part' },
    choices: { bytes: word },
    open: { bytes: word },
    order: { bytes: word },
  }
}

/** Once: the extents of the points. */
export const measurePass: Pass = { kernel: 'measure', scratch: ['extents'], groups: groupsOf(smallThreads) }

/** Centroids made ready for the tiles. @param more scratch beside that of the tiles */
export function readyPasses({ k, d }: CompileRequest, more: readonly string[]): Pass[] {
  const scratch = ['tiled', 'offsets', 'state', ...more]
  const values = tiledValues(k, d) + tiledClusters(k)
  return [
    { kernel: 'tile_centroids', scratch, groups: () => grid(Math.ceil(values / 4 / smallThreads)) },
    { kernel: 'norms', scratch, groups: () => grid(tiledClusters(k)) },
  ]
}

export function pairsPass(request: CompileRequest): Pass {
  return { kernel: 'decide_pairs', scratch: deciding, groups: pairGrid(request, pairsTogether) }
}

/** Workgroups that take `points` of the points between two groups again and again. */
export function pairGrid(request: CompileRequest, points: number): Pass['groups'] {
  const most = groupsFor(request, lanesOfPairs)
  return ({ count }) => grid(Math.min(most, Math.ceil(count / points)))
}

/** Workgroups that take `points` points again and again: no more than keep the device busy, as most find nothing. */
export function cappedGrid(request: CompileRequest, points: number): Pass['groups'] {
  const most = groupsFor(request, lanesOfCapped)
  return ({ count }) => grid(Math.min(most, Math.ceil(count / points)))
}

/** Lanes that share a row in the sums, and clusters whose sums a workgroup keeps. */
export function sumConstants(d: number): Constants {
  return { row_lanes: Math.min(32, 2 ** Math.ceil(Math.log2(d / 4))), kept_sums: keptSums(d) }
}

/** Clusters whose sums a workgroup keeps to itself: those of its first groups, as far as there is room. */
function keptSums(d: number): number {
  return [16, 8].find((clusters) => 8 * d * clusters <= keptBytes) ?? 0
}

/** Clusters filled up to whole tiles. */
export function tiledClusters(k: number): number {
  return tileClusters * Math.ceil(k / tileClusters)
}

/** Coordinates of all tiles. */
function tiledValues(k: number, d: number): number {
  return tiledClusters(k) * sliceDepth * Math.ceil(d / sliceDepth)
}
