import freshSource from '@kernels/common/webgpu/fresh_centroids.wgsl?raw'
import { groupsFor, threadsFor } from '@kernels/common/webgpu/device-lanes'
import meanSource from '@kernels/common/webgpu/mean.wgsl?raw'
import {
  allBindings,
  grid,
  type CompileRequest,
  type Constants,
  type VariantPasses,
} from '@kernels/common/webgpu/passes'
import type { WebgpuRegime } from '@kernels/common/webgpu/variant'
import planeSource from '@kernels/methods/plane-cutting/plane-cutting.wgsl?raw'
import { boundsPass, boundsScratch } from '@kernels/methods/plane-cutting/plane-cutting.webgpu'
import source from './cell-table.wgsl?raw'

const pointsPerLane = 4
/** Of the table of cells: its side is two to this power. */
const cellBits = 5
const cells = 4 ** cellBits
/** Of one workgroup of `make_table`. */
const cellsPerGroup = 32
/** Workgroup memory of `make_table` beside the centroids. */
const makingBytes = 17 * 1024
/** Lanes that run at once for each workgroup that reads the whole table. */
const lanesOfReader = 1024
/** So few that the sums of a workgroup do not overflow. */
const maxPointsPerGroup = 60 * 1024
/** Most of workgroup memory that copies of the sums may take. */
const copiesBytes = 12 * 1024

/** Workgroup memory that the table's kernels need for k clusters. */
export function cellTableBytes(k: number): number {
  return Math.max(bytesOfReader(k), 16 * k + makingBytes)
}

/** Two features and many clusters: by a table of the plane. */
export function cellTable(request: CompileRequest): VariantPasses {
  const { k } = request
  const { constants, groups } = readersFor(request)
  const own = { side_bits: cellBits, max_rows: k }
  const scratch = ['bounds', 'table']
  return {
    files: [meanSource, freshSource, planeSource, source],
    update: [],
    fused: true,
    makesMeans: true,
    scratch: { ...boundsScratch, table: { bytes: () => 4 * 16 * cells } },
    prepare: [boundsPass(request)],
    kernels: {
      find_bounds: { bindings: ['points'] },
      make_table: {
        bindings: ['counts', 'sums', 'centroids', 'scales'],
        writes: ['centroids'],
        constants: { ...own, table_threads: Math.min(1024, request.workgroupThreads ?? 256) },
      },
      by_table: { bindings: allBindings, constants: { ...own, ...constants } },
    },
    assign: [
      { kernel: 'make_table', scratch, groups: () => grid(cells / cellsPerGroup) },
      { kernel: 'by_table', scratch, groups: ({ count }) => grid(groups(count)) },
    ],
    pointsPerGroup: pointsPerLane * constants.threads,
  }
}

/** Workgroups of `by_table`, each with a table and sums of its own. */
function readersFor(request: CompileRequest): {
  readonly constants: Constants & { threads: number }
  groups(count: number): number
} {
  const { n, k, workgroupBytes } = request
  const threads = threadsFor(n, pointsPerLane, request)
  const copyBytes = 20 * k
  const forCopies = Math.min(copiesBytes, workgroupBytes - bytesOfReader(k) + copyBytes)
  let replicas = 1
  while (replicas < 32 && 2 * replicas * copyBytes <= forCopies) replicas *= 2
  const readers = groupsFor(request, lanesOfReader)
  const groups = (count: number) =>
    Math.min(
      Math.ceil(count / (pointsPerLane * threads)),
      readers * Math.ceil(count / (readers * maxPointsPerGroup)),
    )
  return { constants: { threads, replicas }, groups }
}

/** Workgroup memory of `by_table`: the beginnings of all cells, centroids, one copy of the sums. */
function bytesOfReader(k: number): number {
  return 8 * cells + 28 * k + 128
}

export default { passes: cellTable } satisfies WebgpuRegime
