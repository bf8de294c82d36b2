import { grid, groupsOf, type Constants, type Kernel, type Pass, type Scratch } from './variant-passes'

const groupSize = 8
/** Points of a workgroup that counts members of groups. */
export const orderPoints = 2048
const settlePoints = 256
const movesTogether = 1024
const smallThreads = 64
const keptBytes = 16 * 1024
/** Of passes over points that are few, mostly. */
const mostGroups = 1056

export function groupsIn(k: number): number {
  return Math.ceil(k / groupSize)
}

/** Workgroups, each of which takes `points` points again and again: no more than keep a large card busy, as most find nothing. */
export function fewOf(points: number): Pass['groups'] {
  return ({ count }) => grid(Math.min(mostGroups, Math.ceil(count / points)))
}

/** Clusters whose sums a workgroup of `settle` keeps to itself: those of its first groups, as far as there is room. */
function keptSums(d: number): number {
  return [16, 8].find((clusters) => 8 * d * clusters <= keptBytes) ?? 0
}

type KernelOf = (bindings: Kernel['bindings'], more?: Constants) => Kernel

/** Lanes that share a row in the sums, and clusters whose sums a workgroup keeps. */
function sumConstants(d: number): Constants {
  return { row_lanes: Math.min(32, 2 ** Math.ceil(Math.log2(d / 4))), kept_sums: keptSums(d) }
}

/** All points are added up in every pass. */
export function settleKernels(kernel: KernelOf, d: number): Record<string, Kernel> {
  return {
    count_groups: kernel([]),
    place_points: kernel([]),
    settle: kernel(['points', 'labels', 'counts', 'sums', 'scales'], sumConstants(d)),
  }
}

export const settlePasses: readonly Pass[] = [
  { kernel: 'count_groups', scratch: ['choices', 'state'], groups: groupsOf(orderPoints) },
  { kernel: 'begin_groups', scratch: ['choices', 'state'], groups: () => [1, 1] },
  { kernel: 'place_points', scratch: ['choices', 'state', 'order'], groups: groupsOf(orderPoints) },
  { kernel: 'settle', scratch: ['tiled', 'order', 'choices'], groups: groupsOf(settlePoints) },
]

/** Sums last, and points that moved change them. */
export function moveKernels(kernel: KernelOf, d: number): Record<string, Kernel> {
  return {
    decide_rest: kernel(['points']),
    note_moves: kernel(['labels', 'counts']),
    place_moves: kernel([]),
    add_moves: kernel(['points', 'scales'], sumConstants(d)),
    publish_sums: kernel(['counts', 'sums']),
  }
}

export function movesScratch(k: number, d: number): Record<string, Scratch> {
  const lastingWords = groupSize * groupsIn(k) * (2 * d + 1)
  return {
    homes: { bytes: (points) => 4 * points, keptPer: 'part', zeroAtStart: true },
    lasting: { bytes: () => 4 * lastingWords, keptPer: 'part', zeroAtStart: true },
    // Points open and between groups, then those between two clusters.
    open: { bytes: (points) => 8 * points },
    moves: { bytes: (points) => 8 * points },
    entries: { bytes: (points) => 16 * points },
  }
}

export function movePasses(k: number, d: number): Pass[] {
  return [
    { kernel: 'decide_rest', scratch: ['tiled', 'choices'], groups: groupsOf(settlePoints) },
    {
      kernel: 'note_moves',
      scratch: ['tiled', 'choices', 'homes', 'moves', 'state'],
      groups: groupsOf(orderPoints),
    },
    { kernel: 'begin_groups', scratch: ['choices', 'state'], groups: () => [1, 1] },
    {
      kernel: 'place_moves',
      scratch: ['entries', 'state', 'homes', 'moves'],
      groups: fewOf(movesTogether),
    },
    { kernel: 'add_moves', scratch: ['entries', 'state', 'lasting'], groups: fewOf(settlePoints) },
    {
      kernel: 'publish_sums',
      scratch: ['entries', 'state', 'lasting', 'words'],
      groups: () => grid(Math.ceil((k * d) / smallThreads)),
    },
  ]
}
