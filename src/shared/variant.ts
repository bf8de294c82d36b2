import type { RegimeTables } from './plan'

/** Where variants run. Adding an engine is one line here, one engine file and one line in engines/index.ts. */
export const engineIds = ['cpu', 'cuda', 'webgpu'] as const
export type EngineId = (typeof engineIds)[number]

/**
 * A variant's name, one name in every engine. Not a closed union: a variant is one folder under
 * kernels/variants, and the generated index there is what is checked against.
 */
export type VariantId = string

/** What a variant promises on one engine. */
export interface VariantOnEngine {
  /** Same input, configuration and device give the same bytes. False only for sums by float atomics. */
  readonly deterministic: boolean
  /** Exact in the sense of spec section 3. */
  readonly exact: boolean
}

/** Size of a problem: points, features, clusters. */
export interface RunShape {
  readonly n: number
  readonly d: number
  readonly k: number
}

/** How a variant declares itself, in its own folder (kernels/variants/<id>/variant.ts). */
export interface VariantDeclaration {
  readonly id: VariantId
  /** Short name for lists, e.g. "Shared centroids". */
  readonly title: string
  /** One sentence: what it does. */
  readonly summary: string
  /** The study it comes from, or "ours". */
  readonly from: string
  readonly engines: Partial<Record<EngineId, VariantOnEngine>>
  /** How it is carried out, an engine at a time; absent: one way only. */
  readonly regimes?: RegimeTables
  /** Bytes it keeps besides points, labels and sums, where they grow with n k: what is not free is refused at `open`. */
  readonly workspaceBytes?: (shape: RunShape) => number
  /**
   * Time of a typical run to convergence as a share of that of `fused` on the same device, where a variant's gain hangs on
   * the data and no short calibration could see it; null where it gains nothing. Figures: the variant's README.
   */
  readonly shareOfFused?: (engine: EngineId, shape: RunShape) => number | null
  /** Bytes that cross between host and device in an iteration; absent where the loop stays on one of them. */
  readonly hostDeviceBytesPerIteration?: (shape: RunShape) => number
}

/** One processor an engine can use. */
export interface Device {
  /** `cpu`, `cuda:0`, `webgpu:0`, ... */
  readonly id: string
  readonly name: string
  /** Memory in bytes, or null where the platform does not say. */
  readonly memoryBytes: number | null
  /** A software adapter (SwiftShader): works everywhere, never the fast choice. */
  readonly software: boolean
}

/** What `engines` reports, on the command line and to the window. */
export interface EngineReport {
  readonly id: EngineId
  readonly available: boolean
  /** One sentence: why it is not available; null when it is. */
  readonly reason: string | null
  readonly devices: readonly Device[]
  readonly variants: readonly ({
    readonly id: VariantId
    readonly title: string
    readonly summary: string
    readonly from: string
  } & VariantOnEngine)[]
}
