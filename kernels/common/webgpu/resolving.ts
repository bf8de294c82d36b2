import { groupsFor } from './device-lanes'
import doubtsSource from './doubts_in_labels.wgsl?raw'
import exactSource from './exact_order.wgsl?raw'
import slotSource from './resolved_to_slot.wgsl?raw'
import resolveSource from './resolve_doubts.wgsl?raw'
import { allBindings, type CompileRequest, type Constants, type Kernel, type Pass } from './passes'

/** Points for each workgroup, of which few are in doubt, the more the more features; lanes that run at once for each at most. */
const pointsEach = (d: number) => Math.max(64, Math.ceil(4096 / d))
const lanesEach = 256
/** Clusters and features from which a workgroup has more lanes, for rows at once and for the features of a point. */
const manyClusters = 64
const manyFeatures = 128
/** Workgroup memory that so many lanes need; and a device has more yet, where lanes do wait for memory beside each other. */
const manyBytes = 24 * 1024
const manyThreads = 256

/** Features whose squares are added up by themselves, for `block_features`: with many features fewer points are in doubt. */
export const blockFeatures = 16

/** What becomes of points that computed distances leave in doubt: a kernel of its own, and the pass that it makes. */
export interface Resolving {
  readonly kernels: Readonly<Record<string, Kernel>>
  readonly pass: Pass
}

/** How a regime takes points in doubt back, where it is not by the sums of the slot. */
export interface Noted {
  readonly kernel: string
  readonly files: readonly string[]
  readonly bindings: Kernel['bindings']
  readonly scratch: readonly string[]
  readonly constants?: Constants
}

/** Points that have labels, taken back by files of which one has `add_resolved`. */
export function markedInLabels(
  files: readonly string[],
  own: Pick<Noted, 'bindings' | 'scratch' | 'constants'>,
): Noted {
  return { kernel: 'resolve_doubts', files: [doubtsSource, ...files], ...own }
}

const toSlot = markedInLabels([slotSource], { bindings: allBindings, scratch: [] })

/** Adds what was resolved to the sums of the slot. */
export const resolvedToSlot = slotSource

/**
 * Behind the assignment; `listsDoubts` goes with it, for the list. The workgroups are as many as may be of use, not as many as there are
 * doubts: a dispatch whose size the device itself tells is checked by another one before it.
 */
export function resolving(request: CompileRequest, noted: Noted = toSlot): Resolving {
  const { kernel, files, bindings, scratch, constants = {} } = noted
  const most = groupsFor(request, lanesEach)
  const own = { resolve_threads: threadsOf(request), ...constants }
  return {
    kernels: { [kernel]: { files: [exactSource, resolveSource, ...files], bindings, constants: own } },
    pass: {
      kernel,
      scratch,
      groups: ({ count, d }) => [Math.max(1, Math.min(Math.ceil(count / pointsEach(d)), most)), 1],
    },
  }
}

function threadsOf({ k, d, workgroupBytes, workgroupThreads = manyThreads }: CompileRequest): number {
  const isMany = k > manyClusters || d >= manyFeatures
  return isMany && workgroupBytes >= manyBytes && workgroupThreads > manyThreads ? manyThreads : 64
}
