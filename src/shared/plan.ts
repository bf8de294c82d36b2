import type { EngineId, RunShape, VariantId } from './variant'

/**
 * What plans depend on in a device: plain numbers, so that a file can describe a device that is not here
 * (`engines --regimes --device-facts FILE`).
 */
export type DeviceFacts = CpuFacts | CudaFacts | WebgpuFacts

export interface CpuFacts {
  readonly engine: 'cpu'
  readonly name: string
  readonly threads: number
  /** Widest vectors that the kernels use. */
  readonly isa: 'baseline' | 'avx2' | 'avx512'
}

export interface CudaFacts {
  readonly engine: 'cuda'
  readonly name: string
  /** 9.0 is `[9, 0]`. */
  readonly computeCapability: readonly [number, number]
  readonly multiprocessors: number
  readonly threadsPerMultiprocessor: number
  readonly registersPerMultiprocessor: number
  /** Of one block, when it asks for it. */
  readonly sharedBytesPerBlock: number
  readonly sharedBytesPerMultiprocessor: number
  readonly l2Bytes: number
  readonly memoryBytes: number
  readonly cooperativeLaunch: boolean
}

export interface WebgpuFacts {
  readonly engine: 'webgpu'
  readonly name: string
  /** SwiftShader and the like. */
  readonly software: boolean
  readonly workgroupBytes: number
  readonly invocationsPerWorkgroup: number
  readonly storageBindingBytes: number
  /** Invocations that run at once, measured: how many workgroups keep the device busy. Results do not depend on it. */
  readonly lanesAtOnce: number
  /** Float16 matrix units with float32 sums, 16 x 16 x 16. */
  readonly matrixUnits: boolean
}

/** What is known beyond shape and device. */
export interface PlanHints {
  /** The points do not fit on the device and pass through it in every iteration. */
  readonly streamed?: boolean
  /** Iterations are timed one by one, so that none can share a launch with others. */
  readonly timed?: boolean
  /** Changed labels are counted in every iteration. */
  readonly countsChanges?: boolean
  /** Iterations of the session, at most; absent: nobody knows. */
  readonly iterations?: number
  /** Devices that share the rows; absent: one has them all. */
  readonly split?: number
  /** Workers of `partial-sums`; absent: the study's number. */
  readonly workers?: number
  /** Points in an order of their own are not kept, because memory is short. */
  readonly memoryShort?: boolean
  /** Bytes of the device's memory that are free beside the points; absent: enough. */
  readonly freeBytes?: number
  /** A probe's finding: its name and what it found, e.g. `clustered: true`. Absent: not probed. */
  readonly findings?: Readonly<Record<string, boolean>>
}

/** What carries out a run: made once, before anything is opened, and said wherever the run is reported. */
export interface Plan {
  readonly variant: VariantId
  /** The kernels' method, one name in every engine. */
  readonly regime: string
  /** One sentence: why this regime for this shape, device and finding. */
  readonly reason: string
  /** What the regime keeps on the device beside points, labels and sums. */
  readonly workspaceBytes: number
  /** Of it, what is there before the first centroids are chosen; absent: all. */
  readonly openBytes?: number
  /** Of an iteration, told where plans are listed; null where nothing could be tried. */
  readonly predictedMs: number | null
  /** A probe of the data that decides between this regime and `otherwise`; null where nothing hangs on the data. */
  readonly probe: PlanProbe | null
}

/** A named look at the data, made while a session is opened. */
export interface PlanProbe {
  readonly name: string
  /** The regime where the finding is false; the plan's own holds where it is true. */
  readonly otherwise: string
}

/** What a table of regimes is asked. */
export interface PlanQuestion<Facts extends DeviceFacts = DeviceFacts> {
  readonly shape: RunShape
  readonly device: Facts
  readonly hints: PlanHints
}

/** One way in which a variant is carried out on an engine; a row of the variant's table. */
export interface Regime<Facts extends DeviceFacts = DeviceFacts> {
  readonly name: string
  /** One sentence: what the kernels do. */
  readonly summary: string
  /** Null where it can run; else one sentence that says why it cannot. */
  refuses(question: PlanQuestion<Facts>): string | null
  /** Why it is chosen here; null where a later row of the table is better. Asked only where it can run. */
  chosen(question: PlanQuestion<Facts>): string | null
  workspaceBytes?(question: PlanQuestion<Facts>): number
  /** Of it, what is there before the first centroids are chosen; absent: all. */
  openBytes?(question: PlanQuestion<Facts>): number
  /** The probe of the data that it hangs on, where it does and the finding is not known. */
  probe?(question: PlanQuestion<Facts>): PlanProbe | null
  /**
   * Names of the regimes that carry out what this one leaves to others (labels, passes by brute force), in the order in which
   * probes of the data are asked; none where it carries out everything.
   */
  otherPasses?(question: PlanQuestion<Facts>): readonly string[]
}

/** The regimes of a variant, an engine at a time, best first; the last row takes what is left. */
export interface RegimeTables {
  readonly cpu?: readonly Regime<CpuFacts>[]
  readonly cuda?: readonly Regime<CudaFacts>[]
  readonly webgpu?: readonly Regime<WebgpuFacts>[]
}

/** The regime of variants that are kept as their study has them. */
export const asStudied = 'as-studied'

/** Engine of facts, closed over the union. */
export type FactsOf<E extends EngineId> = Extract<DeviceFacts, { engine: E }>
