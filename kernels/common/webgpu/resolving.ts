import { groupsFor } from './device-lanes'
import doubtsSource from './doubts_in_labels.wgsl?raw'
import exactSource from './exact_order.wgsl?raw'
import slotSource from './resolved_to_slot.wgsl?raw'
import resolveSource from './resolve_doubts.wgsl?raw'
import { allBindings, type CompileRequest, type Constants, type Kernel, type Pass } from './passes'

/** Positions that a lane looks at before those found are resolved; lanes of a row from so many features on. */
const lookedAtByLane = 8
const rowLanes = 8
const minSplit = 16

/** What becomes of points that computed distances leave in doubt: a kernel of its own, and the pass that it makes. */
export interface Resolving {
  readonly kernels: Readonly<Record<string, Kernel>>
  readonly pass: Pass
}

/** How a regime notes points in doubt and takes them back, where it is not by labels and the sums of the slot. */
export interface Noted {
  readonly kernel: string
  readonly files: readonly string[]
  readonly bindings: Kernel['bindings']
  readonly scratch: readonly string[]
  readonly constants?: Constants
  /** Each is a list of points in doubt, of which a workgroup takes one at a time. */
  readonly listed?: true
}

/** Points that labels mark, taken back by a file with `add_resolved`. */
export function markedInLabels(file: string, own: Pick<Noted, 'bindings' | 'scratch' | 'constants'>): Noted {
  return { kernel: 'resolve_doubts', files: [doubtsSource, file], ...own }
}

const toSlot = markedInLabels(slotSource, { bindings: allBindings, scratch: [] })

/** Adds what was resolved to the sums of the slot. */
export const resolvedToSlot = slotSource

/** Behind the assignment; `marksDoubts` goes with it where labels have the marks. */
export function resolving(request: CompileRequest, noted: Noted = toSlot): Resolving {
  const { kernel, files, bindings, scratch, constants = {}, listed } = noted
  const { k, d } = request
  const split = d >= minSplit ? rowLanes : 1
  const resolve_threads = k * split <= 32 ? 32 : k * split <= 256 ? 64 : 256
  const looked_through = listed === true ? 1 : lookedAtByLane * resolve_threads
  const most = groupsFor(request, resolve_threads)
  const own = { resolve_threads, looked_through, split, ...constants }
  return {
    kernels: { [kernel]: { files: [exactSource, resolveSource, ...files], bindings, constants: own } },
    pass: {
      kernel,
      scratch,
      // Of a list most workgroups find nothing.
      groups: ({ count }) => [Math.max(1, Math.min(Math.ceil(count / lookedAtByLane / 32), most)), 1],
    },
  }
}
