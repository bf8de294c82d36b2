import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CudaFacts } from '@shared/plan'
import type {
  Coordinates,
  DeviceFloors,
  ProcessGroupHandle,
  RowPart,
  SessionConfig,
  SilhouetteProvider,
} from './engine'
import type { NumberArray } from '../formats/column-cells'
import type { ProcessTraffic } from '../processes/run-processes'
import type { NativeColumns } from './native-addon/columns'
import type { NativeFileHashClass } from './native-addon/file-hash'
import type { ReadFloatTable } from './native-addon/float-table'
import type { NativeTableReaderClass } from './native-addon/table-reader'

/** What a native session's `advance` answers; see kernels/binding/answers.hpp. */
export interface NativeAdvance {
  readonly stats: Float64Array
  readonly stopped: boolean
  readonly centroids: Coordinates
}

export interface NativeRead {
  readonly labels: Int32Array
  readonly centroids: Coordinates
  /** Negative when cancelled. */
  readonly inertia: number
  /** Of the labels, from the device; absent in addons built before it was reported. */
  readonly downloadMs?: number
}

/** What a native session was built as. */
export interface NativePlan {
  /** Empty where the variant has one way only. */
  readonly regime: string
  /** What probes of the data found. */
  readonly findings: Readonly<Record<string, boolean>>
  /** Who adds up the sums of several devices (DeviceSums); empty: one has all rows, or the host; absent in addons built before. */
  readonly exchange?: string
}

/** One call at a time; `cancel` at any moment. */
export interface NativeSession {
  start(centroids: Coordinates): void
  /** Small amounts of work are done before it returns. */
  advance(iterations: number, milliseconds: number): NativeAdvance | Promise<NativeAdvance>
  /** (k, d) after the last call; absent in addons built before it was there. */
  centroids?(): Coordinates
  /** A sentence without its end for each device that was lost; absent in addons built before it was there. */
  losses?(): readonly string[]
  /** Absent in addons built before it was there. */
  plan?(): NativePlan
  read(): Promise<NativeRead>
  cancel(): void
  close(): void
}

/** As SeedingState of init/kernel.ts; one call at a time. */
export interface NativeSeeding {
  potentials(candidates: Int32Array): Promise<Float64Array>
  commit(rows: Int32Array): Promise<number>
  pick(targets: Float64Array): Promise<Int32Array>
  distances(start: number, count: number): Promise<Float64Array>
  nearestCounts(rows: Int32Array): Promise<Float64Array>
  greedy(first: number, uniforms: Float64Array, candidates: number): Promise<Int32Array>
  close(): void
}

/** Points on a device for many sessions; `close` after the upload has ended. */
export interface NativeHeldPoints {
  upload(): Promise<void>
  close(): void
}

export type NativeSeedingClass = new (
  x: Float32Array,
  n: number,
  d: number,
  deviceIndex: number,
  /** Of the CPU engine; absent: as many as there are. */
  threads?: number,
  /** Of the CPU engine: the processes that hold all rows, `all` of them, and the first row of this one. */
  shared?: { readonly processGroup: ProcessGroupHandle; readonly all: number; readonly first: number },
) => NativeSeeding

/** What the members of each cluster add up to. */
export interface NativeMemberSums {
  /** (k, d) engine units. */
  readonly sums: Float64Array
  /** (k) */
  readonly counts: Uint32Array
}

/** The processor's half of the hybrid variants. One call at a time; `cancel` at any moment. */
export interface NativeMemberSummer {
  /**
   * @param labels (n), the cluster of each point plus `first`; not to be changed until the answer is there.
   * @returns null when cancelled.
   */
  sum(labels: Int32Array, first: number, k: number): Promise<NativeMemberSums | null>
  cancel(): void
  close(): void
}

/** (k) each, see ClusterTotals in engine/cluster-totals.ts. */
export interface NativeTotals {
  readonly sizes: Float64Array
  readonly inertias: Float64Array
  /** Sum of the distances; where asked for, absent in addons built before it was there. */
  readonly distances?: Float64Array
}

/**
 * A referee's looks at labels and centroids in float64 on all threads (kernels/common/verification.hpp). One call at a time;
 * none of its arrays may be changed until the answer is there, which is null when cancelled. `rows` null: all points.
 */
export interface NativeVerification {
  /** (d) largest minus smallest value. */
  ranges(): Promise<Float64Array | null>
  /** Fills `distances` and `labels`, one for each row. @param centroids (k, d) */
  nearest(
    centroids: Float64Array,
    k: number,
    rows: Int32Array | null,
    distances: Float64Array,
    labels: Int32Array,
  ): Promise<true | null>
  /** How many of the rows are farther than `distance * factor + least`, or in no cluster. @param labels (n) */
  inexact(
    centroids: Float64Array,
    k: number,
    rows: Int32Array | null,
    distances: Float64Array,
    labels: Int32Array,
    factor: number,
    least: number,
  ): Promise<number | null>
  /** How many of `labels (n)` are farther than those of `others (n)`, by more than the same bound. */
  farther(
    centroids: Float64Array,
    k: number,
    labels: Int32Array,
    others: Int32Array,
    factor: number,
    least: number,
  ): Promise<number | null>
  /** Fills `open (k)`: points as near to two centroids, within `factor` and `least`. */
  openMembers(
    centroids: Float64Array,
    k: number,
    open: Float64Array,
    factor: number,
    least: number,
  ): Promise<true | null>
  /** Fills `sums (k, d)` and `counts (k)`. */
  sums(labels: Int32Array, k: number, sums: Float64Array, counts: Float64Array): Promise<true | null>
  /** How many of n are the same. */
  same(labels: Int32Array, others: Int32Array): Promise<number | null>
  cancel(): void
  close(): void
}

/** See kernels/methods/silhouette. */
export type NativeSilhouettes = Omit<SilhouetteProvider, 'trialWork'>

export type NativeSilhouettesClass = new (deviceIndex: number) => NativeSilhouettes

/** Points that rows of a table became. No array may change while its writer is used. */
export interface NativeLabelledRows {
  /** (n, d) engine units. */
  readonly x: Coordinates
  readonly d: number
  /** (n) */
  readonly labels: Int32Array
  /** (k, d) engine units. */
  readonly centroids: Float64Array
  /** (k) the cell of each cluster's name, as it is written; null for no such column. */
  readonly names: readonly string[] | null
  /** Units of the scaled data in one engine unit. */
  readonly scale: number
  /** Record numbers that are no rows, ascending. */
  readonly leftOut: Uint32Array
  /** (n) the row of each point, ascending; null where every row is a point. */
  readonly pointRows: Uint32Array | null
}

/** How lines are cut, and written with their labels. */
export interface NativeLabelForm {
  /** `' '` for runs of blanks and tabs. */
  readonly delimiter: string
  /** Empty for none. */
  readonly quote: string
  readonly separator: string
  /** Decimal mark of the distance. */
  readonly mark: string
  readonly width: number
  /** A last column holds what a record has beyond `width` cells. */
  readonly surplus: boolean
  /** Of the text, that one thread takes at a time. */
  readonly chunkBytes: number
}

export interface NativeLabelledText {
  /** Bytes of the text that were read: all, or those before a line that only a reader of the whole text understands. */
  readonly read: number
  /** Records met, blank lines apart. */
  readonly records: number
  /** Bytes in `out`; more than it has room for: nothing was written. */
  readonly written: number
  /** Of the next line. */
  readonly record: number
  readonly row: number
}

/** Writes lines of a table with label and distance, on all threads (kernels/common/lines). One call at a time. */
export interface NativeLabelWriter {
  /**
   * @param text whole lines in UTF-8, which the last may lack its end; may not change until the answer is there
   * @param record number of its first line in the file @param row of the dataset, the next one
   */
  write(text: Uint8Array, record: number, row: number, out: Uint8Array): Promise<NativeLabelledText>
}

/** One column of some rows: the cell of a row is `String(values[first + row * step])`, or the text up to `ends[row]`. */
export type NativeCellColumn =
  | {
      readonly values: NumberArray
      readonly first: number
      readonly step: number
      /** (rows) not 0 where the cell is missing; null where none is. */
      readonly missing: Uint8Array | null
    }
  | {
      /** UTF-8, one behind the other. */
      readonly texts: Uint8Array
      readonly ends: Uint32Array
    }

/** Writes rows that lie in columns with label and distance, on all threads (kernels/common/lines). One call at a time. */
export interface NativeLabelColumnWriter {
  /**
   * @param columns may not change until the answer is there
   * @param record number of the first row in the file @param row of the dataset, the next one
   * @returns bytes in `out`, which must have room for them
   */
  write(
    columns: readonly NativeCellColumn[],
    count: number,
    record: number,
    row: number,
    out: Uint8Array,
  ): Promise<number>
}

/** How such rows are written. */
export interface NativeLabelColumnForm extends Pick<NativeLabelForm, 'separator' | 'mark'> {
  /** That one thread takes at a time. */
  readonly chunkRows: number
}

/** Memory that lies in a file without a name (kernels/scratch); one for a process. */
export interface NativeScratch {
  /** Zeros, freed when nothing reaches them. @throws an error with the code ENOSPC, ENOMEM or EIO */
  allocate(bytes: number): ArrayBuffer
  /** Whether large arrays that the engine makes from now on lie there. */
  lend(whether: boolean): void
  /** Bytes of it that stay in memory now. */
  resident(): number
}

/** What every engine's addon exports. */
export interface EngineAddon {
  variants(): readonly string[]
  openSession(
    points: { readonly x: Coordinates; readonly n: number; readonly d: number; readonly part?: RowPart },
    config: SessionConfig & { readonly deviceIndex: number; readonly deviceIndices?: readonly number[] },
  ): Promise<NativeSession>
}

/** The exports of kernels/binding/addon.cpp. */
export interface CpuAddon extends EngineAddon, Partial<NativeColumns> {
  versions(): {
    readonly compiler: string
    readonly flags: string
    /** baseline, avx2 or avx512: what the vector kernels use here. */
    readonly isa: 'baseline' | 'avx2' | 'avx512'
    readonly threads: number
  }
  /** Names of the ways in which a variant can be carried out. */
  regimes(variant: string): readonly string[]
  /** `parallel`: on all threads; else one thread in one pass. */
  readonly MemberSums: new (
    x: Float32Array,
    n: number,
    d: number,
    maxAbs: Float32Array,
    parallel: boolean,
  ) => NativeMemberSummer
  readonly Seeding: NativeSeedingClass
  /**
   * @param labels (n) @param centroids (k, d); no array may change until the answer is there.
   * @returns null where a label is none of 0..k-1. Absent in addons built before it was there.
   */
  clusterTotals?(
    x: Float32Array,
    d: number,
    labels: Int32Array,
    centroids: Float64Array,
    withDistances?: boolean,
    /** Of all rows, of which each process gives its own, in the order of the ranks. */
    processGroup?: ProcessGroupHandle,
  ): Promise<NativeTotals | null>
  /**
   * Rows of uniform data from row `first` on, as generate/points.ts makes them, on all threads.
   * @param scales (d) extent over 2^32 @param units (d) steps in a unit @param out (rows, d), filled; absent in addons built
   * before it was there.
   */
  uniformRows?(
    seed: number,
    stream: number,
    first: number,
    scales: Float64Array,
    units: Float64Array,
    out: Float64Array | Float32Array,
    origin?: number,
  ): Promise<void>
  /** Absent in addons built before it was there. */
  readonly LabelWriter?: new (rows: NativeLabelledRows, form: NativeLabelForm) => NativeLabelWriter
  /** Absent in addons built before it was there. */
  readonly LabelColumnWriter?: new (
    rows: NativeLabelledRows,
    form: NativeLabelColumnForm,
  ) => NativeLabelColumnWriter
  /** Absent in addons built before it was there. */
  readonly TableReader?: NativeTableReaderClass
  /** Absent in addons built before it was there. */
  readonly readFloatTable?: ReadFloatTable
  /** Null where the process has no SHA-256 to lend; absent in addons built before it was there. */
  readonly FileHash?: NativeFileHashClass | null
  /** Absent in addons built before it was there. */
  readonly Verification?: new (x: Float32Array, n: number, d: number) => NativeVerification
  /** Absent in addons built before it was there. */
  readonly Silhouettes?: NativeSilhouettesClass
  /** Zeros, as quick to fill as they can be (kernels/binding/large_array.hpp); absent in addons built before it was there. */
  largeBuffer?(bytes: number): ArrayBuffer
  /** @param residentBytes that may stay in memory; absent in addons built before it was there */
  readonly Scratch?: new (folder: string, residentBytes: number) => NativeScratch
  /** See Engine.floors. */
  floors(): Promise<DeviceFloors>
}

/** The exports of kernels/binding/cuda_addon.cpp. */
export interface CudaAddon extends EngineAddon {
  versions(): {
    readonly compiler: string
    readonly flags: string
    readonly runtime: string
    /** Newest CUDA the driver knows; empty where there is none. */
    readonly driver: string
  }
  devices(): {
    readonly devices: readonly {
      readonly name: string
      readonly memoryBytes: number
      readonly computeCapability: string
    }[]
    /** Why there are none, as the beginning of a sentence; empty where there are some. */
    readonly reason: string
  }
  /** What plans depend on. */
  deviceFacts(deviceIndex: number): CudaFacts
  /** Names of a variant's regimes; none where it has one way only. */
  regimes(variant: string): readonly string[]
  /** Memory that could still be taken on a device. */
  freeBytes(deviceIndex: number): number
  /** The points do not fit on the device, whatever variant. */
  mustStream(n: number, d: number, k: number, deviceIndex: number): boolean
  /** The points do not fit on the device: they are sent there in every iteration. */
  streams(variant: string, n: number, d: number, k: number, deviceIndex: number): boolean
  readonly Seeding: NativeSeedingClass
  /** Absent in addons built before it was there. */
  readonly HeldPoints?: new (x: Float32Array, n: number, d: number, deviceIndex: number) => NativeHeldPoints
  /** Absent in addons built before it was there. */
  readonly Silhouettes?: NativeSilhouettesClass
  /** See Engine.floors; absent in addons that cannot measure it. */
  floors?(deviceIndex: number): Promise<DeviceFloors>
  /** Empty where NCCL is not found; absent in addons built before it was used. */
  ncclVersion?(): string
}

/** The exports of kernels/binding/mpi_addon.cpp. */
export interface MpiAddon {
  /** @param lost said where a process gives no sign for that many seconds */
  begin(
    deadlineSeconds: number,
    lost: string,
  ): { readonly rank: number; readonly size: number; readonly group: ProcessGroupHandle }
  /** Bytes for each process -> those of each, by rank. */
  exchange(parts: readonly Uint8Array[]): Promise<readonly Uint8Array[]>
  traffic(): ProcessTraffic
  /** How long a sum of so many whole numbers over all processes takes on average; every process must call it. */
  sumMs(numbers: number, rounds: number): number
  /** This process is being ended: it has nothing to say any more. */
  hush(): void
  end(): void
  abort(status: number): void
}

export type Loaded<Addon> =
  { readonly addon: Addon; readonly reason: null } | { readonly addon: null; readonly reason: string }

interface AddonFile {
  readonly fileName: string
  /** Subject of a sentence. */
  readonly title: string
  /** What to do where it is broken. */
  readonly remedy: string
  /** The whole sentence where it is missing. */
  readonly missing: string
}

const cpuFile: AddonFile = {
  fileName: 'centroid_cpu.node',
  title: 'The CPU engine',
  remedy: 'choose webgpu, or build it with npm run setup',
  missing: 'The CPU engine is not installed: choose webgpu, or build it with npm run setup.',
}

const cudaFile: AddonFile = {
  fileName: 'centroid_cuda.node',
  title: 'NVIDIA support',
  remedy: 'choose cpu or webgpu',
  missing: 'NVIDIA support is not installed: choose cpu or webgpu.',
}

const mpiFile: AddonFile = {
  fileName: 'centroid_mpi.node',
  title: 'Sharing rows among processes (MPI)',
  remedy: 'start without mpirun, or install libopenmpi-dev and run npm run setup',
  missing:
    'Sharing rows among processes (MPI) is not installed: start without mpirun, or install libopenmpi-dev and run npm run setup.',
}

const loaded = new Map<string, Loaded<unknown>>()

/** The CPU engine's addon, loaded once; or one sentence that says why it is not there. Never throws. */
export function loadCpuAddon(): Loaded<CpuAddon> {
  return loadOnce<CpuAddon>(cpuFile)
}

/** The CUDA engine's addon, as `loadCpuAddon`. It loads where there is no driver. */
export function loadCudaAddon(): Loaded<CudaAddon> {
  return loadOnce<CudaAddon>(cudaFile)
}

/** The addon for runs that mpirun starts, as `loadCpuAddon`; of no use elsewhere. */
export function loadMpiAddon(): Loaded<MpiAddon> {
  return loadOnce<MpiAddon>(mpiFile)
}

function loadOnce<Addon>(file: AddonFile): Loaded<Addon> {
  const known = loaded.get(file.fileName) ?? load<Addon>(file)
  loaded.set(file.fileName, known)
  return known as Loaded<Addon>
}

function load<Addon>({ fileName, title, remedy, missing }: AddonFile): Loaded<Addon> {
  const path = findAddon(fileName)
  if (path === null) return { addon: null, reason: missing }
  try {
    return { addon: createRequire(import.meta.url)(path) as Addon, reason: null }
  } catch (error) {
    const cause = error instanceof Error ? error.message.split('\n')[0] : String(error)
    return { addon: null, reason: `${title} cannot be loaded (${cause}): ${remedy}.` }
  }
}

/**
 * CENTROID_LAB_ADDON_DIR where set; else `.native` in the nearest folder above this module, which is the
 * checkout for sources and for out/main alike.
 */
function findAddon(fileName: string): string | null {
  const override = process.env.CENTROID_LAB_ADDON_DIR
  if (override !== undefined && override !== '') return existing(join(override, fileName))
  let folder = dirname(fileURLToPath(import.meta.url))
  for (;;) {
    const found = existing(join(folder, '.native', fileName))
    if (found !== null) return found
    const parent = dirname(folder)
    if (parent === folder) return null
    folder = parent
  }
}

function existing(path: string): string | null {
  return existsSync(path) ? path : null
}
