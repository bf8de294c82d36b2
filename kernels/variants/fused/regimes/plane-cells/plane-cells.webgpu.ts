import { groupsFor } from '@kernels/common/webgpu/device-lanes'
import type { CompileRequest } from '@kernels/common/webgpu/passes'
import type { WebgpuRegime } from '@kernels/common/webgpu/variant'
import { inPlaneOrder, type PlaneOrder } from '@kernels/methods/plane-ordering/plane-ordering.webgpu'
import source from './plane-cells.wgsl?raw'

/** Points of a leaf. */
const leafPoints = 64
const maxThreads = 512
/** Lanes that run at once for each workgroup. */
const lanesOfGroup = 1024
/** Most branches that a workgroup looks at together, and leaves that it notes at once. */
const maxTogether = 64
const maxNoted = 1024
/** Points from which branches are larger. */
const manyPoints = 2 ** 25
const copiesBytes = 16 * 1024

/** What may be tried out. */
export interface PlaneCellsShape {
  readonly fan: number
  readonly groups: number
  readonly threads: number
  readonly noted: number
}

/** Many points: branches and leaves where one centroid is nearest give their sums as they are. */
export function planeCells(request: CompileRequest, shape = shapeFor(request)): PlaneOrder {
  const { n, k } = request
  const { fan, groups, threads, noted } = shape
  const branches = Math.ceil(n / (fan * leafPoints))
  const each = branches / Math.min(groups, branches)
  const together = Math.min(maxTogether, threads, 2 ** Math.ceil(Math.log2(each)))
  const opened = Math.min(together, Math.floor(noted / fan))
  let replicas = 1
  while (replicas < 32 && 2 * replicas * 20 * k <= copiesBytes) replicas *= 2
  return {
    leaf: leafPoints,
    fan,
    kernel: 'plane_cells',
    file: source,
    constants: { threads, rows: k, team: threads / together, replicas, opened_together: opened },
    hinted: false,
    workgroupBytes: 8 * k + 20 * k * replicas + 80 * together + 8 * opened * fan + 5 * threads + 64,
    groups: (all) => Math.min(groups, all),
  }
}

function shapeFor(request: CompileRequest): PlaneCellsShape {
  const { n, workgroupThreads = 256 } = request
  const fan = n >= manyPoints ? 64 : 32
  const threads = Math.min(maxThreads, workgroupThreads)
  return { fan, groups: groupsFor(request, lanesOfGroup), threads, noted: maxNoted }
}

export default {
  ordersPoints: true,
  iterations: (request, labelling) => inPlaneOrder(labelling, request, planeCells(request)),
} satisfies WebgpuRegime
