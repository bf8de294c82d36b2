import { markedInLabels, resolving } from '@kernels/common/webgpu/resolving'
import {
  grid,
  groupsOf,
  type CompileRequest,
  type Kernel,
  type Pass,
  type Scratch,
} from '@kernels/common/webgpu/passes'
import {
  cappedGrid,
  groupSize,
  groupsIn,
  orderPoints,
  sumConstants,
  sumPoints,
  type KernelOf,
} from '@kernels/methods/cluster-groups/cluster-groups.webgpu'
import resolvedSource from './resolved_to_lasting.wgsl?raw'

const movesTogether = 1024
const smallThreads = 64

/** Sums last, and points that moved change them. */
export function lastingKernels(kernel: KernelOf, d: number): Record<string, Kernel> {
  return {
    decide_rest: kernel(['points']),
    note_moves: kernel(['labels', 'counts']),
    scatter_moves: kernel([]),
    add_moves: kernel(['points', 'scales'], sumConstants(d)),
    publish_sums: kernel(['counts', 'sums']),
  }
}

/** Points that no distance decides change the sums that last. */
export function lastingResolving(request: CompileRequest) {
  const clusters = groupSize * groupsIn(request.k)
  const counts = 2 * clusters * request.d
  return resolving(
    request,
    markedInLabels([resolvedSource], {
      bindings: ['points', 'labels', 'counts', 'centroids', 'scales'],
      scratch: ['lasting', 'homes', 'order'],
      constants: { lasting_counts_at: counts, lasting_rests_at: counts + clusters },
    }),
  )
}

export function lastingScratch({ k, d }: CompileRequest): Record<string, Scratch> {
  const words = groupSize * groupsIn(k) * (3 * d + 1)
  return {
    homes: { bytes: (points) => 4 * points, keptPer: 'part', zeroAtStart: true },
    lasting: { bytes: () => 4 * words, keptPer: 'part', zeroAtStart: true },
    // Points open and between groups, then those between two clusters.
    open: { bytes: (points) => 8 * points },
    moves: { bytes: (points) => 8 * points },
    entries: { bytes: (points) => 16 * points },
  }
}

export function lastingPasses(request: CompileRequest): Pass[] {
  const { k, d } = request
  return [
    { kernel: 'decide_rest', scratch: ['tiled', 'choices'], groups: groupsOf(sumPoints) },
    {
      kernel: 'note_moves',
      scratch: ['tiled', 'choices', 'homes', 'moves', 'state', 'order'],
      groups: groupsOf(orderPoints),
    },
    { kernel: 'begin_groups', scratch: ['choices', 'state'], groups: () => [1, 1] },
    {
      kernel: 'scatter_moves',
      scratch: ['entries', 'state', 'homes', 'moves'],
      groups: cappedGrid(request, movesTogether),
    },
    {
      kernel: 'add_moves',
      scratch: ['entries', 'state', 'lasting'],
      groups: cappedGrid(request, sumPoints),
    },
    lastingResolving(request).pass,
    {
      kernel: 'publish_sums',
      scratch: ['entries', 'state', 'lasting', 'words'],
      groups: () => grid(Math.ceil((k * d) / smallThreads)),
    },
  ]
}
