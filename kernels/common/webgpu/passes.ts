/** Storage buffers that every kernel may bind; task.wgsl declares them under these names. */
export type SharedBinding = 'points' | 'labels' | 'counts' | 'sums' | 'centroids' | 'scales'

/** Override constants of a kernel. */
export type Constants = Readonly<Record<string, number>>

/** Workgroups of a dispatch in x and y. */
export type Grid = readonly [number, number]

/** What a variant is compiled for. */
export interface CompileRequest {
  /** Points of all parts. */
  readonly n: number
  readonly k: number
  readonly d: number
  /** Workgroup memory of the device. */
  readonly workgroupBytes: number
  /** Most threads of a workgroup in one dimension; absent: 256. */
  readonly workgroupThreads?: number
  /** Workers of `partial-sums`. Absent: as many as the study has. */
  readonly workers?: number
  /** Lanes that the device runs at once: how many workgroups keep it busy. Absent: as many as a large card's. */
  readonly lanesAtOnce?: number
}

/** What a dispatch runs over: `count` points of one part, and the clusters in play, of which `drop` leaves fewer than k. */
export interface DispatchShape {
  readonly count: number
  readonly k: number
  readonly d: number
}

/** One entry point of the variant's module. A stage holds 8 storage buffers, scratch included. */
export interface Kernel {
  /** Whole files that take the place of the variant's. */
  readonly files?: readonly string[]
  readonly constants?: Constants
  /** Bound in group 0 at the numbers of task.wgsl. */
  readonly bindings: readonly SharedBinding[]
  /** Of the bindings that others only read. */
  readonly writes?: readonly SharedBinding[]
}

/** Memory of a variant's own, read and written by its kernels. */
export interface Scratch {
  /** For dispatches over `points` points; never falls as they grow. Parts are cut so that it fits one binding. */
  bytes(points: number): number
  /**
   * Absent: one buffer serves every part; what it holds lasts for one phase of one dispatch range.
   * `part`: a buffer of its own for each part, sized by the part, which lasts as long as the session.
   */
  readonly keptPer?: 'part'
  /** Zero again when a run starts, as it was when it was reserved; so that every run does the same work. */
  readonly zeroAtStart?: true
}

/** One dispatch of an entry point. */
export interface Pass {
  readonly kernel: string
  /** Scratch by name, bound in this order at 7, 8, ... of group 0. */
  readonly scratch?: readonly string[]
  /** Told to the kernel as `task.step`: the round of a pass that is run several times. */
  readonly step?: number
  groups(shape: DispatchShape): Grid
}

/** How the processor sums the clusters of a hybrid variant: one thread in one pass, or all threads. */
export type HostUpdate = 'one-pass' | 'parallel'

/**
 * How a variant carries out an iteration. Passes run in order over a range of points of one part: all points of the
 * part, or a piece of them where the device is slow. First `assign` over every range, then `update` over every range,
 * then the engine's own means of counts and sums: passes must only add to these.
 */
export interface VariantPasses {
  /** Text of a file that the module begins with. */
  readonly directives?: string
  /**
   * Texts of whole WGSL files. They follow task.wgsl in one module, in this order, and nothing in them is replaced: what differs
   * from shape to shape is an `override` constant.
   */
  readonly files: readonly string[]
  /** Lines `const name = value;` before the files, for the few places where WGSL wants more than an override. */
  readonly named?: Constants
  /** By entry point. */
  readonly kernels: Readonly<Record<string, Kernel>>
  readonly scratch?: Readonly<Record<string, Scratch>>
  /** Once for each part, when its points have been uploaded. */
  readonly prepare?: readonly Pass[]
  /** Writes labels where its task says so; labelling runs these passes without `accumulate`. */
  readonly assign: readonly Pass[]
  /** In place of `assign` for an iteration over whole parts that only adds up: no label is written, no change counted. */
  readonly whole?: readonly Pass[]
  /**
   * Points that are one part: `whole` leaves counts and sums of an iteration to that of the next one, where its task says so, and
   * these passes follow the last one of a submit. More parts go by `assign`.
   */
  readonly wholeEnd?: readonly Pass[]
  /** Reads labels: where there are such passes, the assignment always writes them. */
  readonly update: readonly Pass[]
  /** The labels go to the host, which updates: there are no update passes, and the assignment adds to no sums. */
  readonly hostUpdate?: HostUpdate
  /**
   * The assignment itself makes the centroids of its slot, where its task says so, from the counts and sums of the slot
   * before: a dispatch less for each iteration.
   */
  readonly makesMeans?: boolean
  /** Parts hold at most this many points, and a piece is a whole part: for passes that are slow over less. */
  readonly pointsPerPart?: number
  /** Points in doubt are listed behind the labels, which are kept for it. */
  readonly listsDoubts?: true
  /** Pieces are multiples of this many points. */
  readonly pointsPerGroup: number
  /** What an iteration over all points is expected to last where it is not multiplications that take the time. */
  readonly minMs?: number
  /** Assignment and sums are one kernel, whose time cannot be parted. */
  readonly fused: boolean
}

const maxGroupsPerDimension = 65535

/** Workgroups in two dimensions, as one dimension holds 65 535; kernels look past the end. */
export function grid(groups: number): Grid {
  if (groups <= maxGroupsPerDimension) return [groups, 1]
  const rows = Math.ceil(groups / maxGroupsPerDimension)
  return [Math.ceil(groups / rows), rows]
}

/** Workgroups that take `points` points each. */
export function groupsOf(points: number): (shape: DispatchShape) => Grid {
  return ({ count }) => grid(Math.ceil(count / points))
}

const pieceWork = 2 ** 21
const maxGroupsAPiece = 64

/**
 * Points of the smallest piece where every piece costs an update of all clusters beside its points: as many groups of
 * `points` as do about two million multiply-adds, so that slow devices do not spend their time on that.
 */
export function largerPieces(points: number, { k, d }: { readonly k: number; readonly d: number }): number {
  const groups = Math.floor(pieceWork / (points * k * d))
  return points * Math.max(1, Math.min(maxGroupsAPiece, groups))
}

export const allBindings: readonly SharedBinding[] = [
  'points',
  'labels',
  'counts',
  'sums',
  'centroids',
  'scales',
]

/** Bytes that passes keep beside points, labels and sums, for points that are not cut into parts. */
export function scratchBytes({ scratch = {} }: VariantPasses, points: number): number {
  return Object.values(scratch).reduce((sum, { bytes }) => sum + bytes(points), 0)
}
