import { groupsFor, lanesOfProcessor } from '@kernels/common/webgpu/device-lanes'
import type { CompileRequest } from '@kernels/common/webgpu/passes'
import type { WebgpuRegime } from '@kernels/common/webgpu/variant'
import { inPlaneOrder, type PlaneOrder } from '@kernels/methods/plane-ordering/plane-ordering.webgpu'
import source from './plane-boxes.wgsl?raw'

const maxThreads = 512
/** Points of a leaf where a workgroup takes one branch, and leaves of the branch: one branch for each processor, about. */
const leafPoints = 16
const maxLeaves = 24
const minLeaves = 8
/** Points from which workgroups take several branches; points of their leaves, leaves of such a branch. */
const minByRow = 2 ** 17
const rowLeafPoints = 64
const rowLeaves = 8
/** Lanes that run at once for each of these workgroups. */
const lanesOfGroup = 1024
/** Candidates that a leaf lists, and words of the sums where fewer would do. */
const maxListed = 32
const sumsRoom = 2560

/** What may be tried out. */
export interface PlaneBoxesShape {
  readonly threads: number
  readonly leaf: number
  readonly fan: number
  readonly groups: number
  readonly listed: number
  readonly room: number
  readonly byRow: 0 | 1
}

/** Many clusters: of those of a branch, each leaf and each point looks at few. */
export function planeBoxes(request: CompileRequest, shape = shapeFor(request)): PlaneOrder {
  const { k } = request
  const { threads, leaf, fan, groups, listed, room, byRow } = shape
  const eager = groups === Number.POSITIVE_INFINITY && fan * leaf <= threads ? 1 : 0
  return {
    leaf,
    fan,
    kernel: 'plane_boxes',
    file: source,
    constants: { threads, rows: k, eager, by_row: byRow, max_listed: listed, room },
    hinted: true,
    workgroupBytes: 24 * k + 16 * fan * listed + 4 * fan + Math.max(4 * room, 20 * k) + 64,
    groups: (all) => Math.min(groups, all),
  }
}

function shapeFor(request: CompileRequest): PlaneBoxesShape {
  const { n, workgroupThreads = 256 } = request
  const threads = Math.min(maxThreads, workgroupThreads)
  const common = { threads, listed: maxListed, room: sumsRoom }
  if (n >= minByRow) {
    const groups = groupsFor(request, lanesOfGroup)
    return { ...common, leaf: rowLeafPoints, fan: rowLeaves, groups, byRow: 1 }
  }
  const processors = groupsFor(request, lanesOfProcessor)
  const fan = Math.max(minLeaves, Math.min(maxLeaves, Math.ceil(n / (processors * leafPoints))))
  return { ...common, leaf: leafPoints, fan, groups: Number.POSITIVE_INFINITY, byRow: 0 }
}

export default {
  ordersPoints: true,
  iterations: (request, labelling) => inPlaneOrder(labelling, request, planeBoxes(request)),
} satisfies WebgpuRegime
