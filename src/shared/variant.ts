/** Where variants run. Adding an engine is one line here, one engine file and one line in engines/index.ts. */
export const engineIds = ['cpu', 'cuda', 'webgpu'] as const
export type EngineId = (typeof engineIds)[number]

/**
 * A variant's name, one name in every engine. Not a closed union: a variant is one folder under
 * kernels/variants, and the generated index there is what is checked against.
 */
export type VariantId = string

/** What became of a variant that there was in earlier versions, whose files still name it. */
export const formerVariants: Readonly<Record<VariantId, string>> = {
  pruned:
    "The variant 'pruned' became part of 'fused', which takes its kernels where they pay: choose fused.",
}

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

/** One processor an engine can use. */
export interface Device {
  /** `cpu`, `cuda:0`, `webgpu:0`, ... */
  readonly id: string
  readonly name: string
  /** Memory in bytes, or null where the platform does not say. */
  readonly memoryBytes: number | null
  /** A software adapter (SwiftShader): works everywhere, never the fast choice. */
  readonly software: boolean
  /** Ids of the devices that share the rows, where it stands for several. */
  readonly members?: readonly string[]
}

/** What `engines` reports, on the command line and to the window. */
export interface EngineReport {
  readonly id: EngineId
  readonly available: boolean
  /** One sentence: why it is not available; null when it is. */
  readonly reason: string | null
  readonly devices: readonly Device[]
  /** Where several devices can share the rows: what there is to add up their sums; `nccl` is its version, null where it is not found. */
  readonly sharing?: { readonly nccl: string | null }
  readonly variants: readonly ({
    readonly id: VariantId
    readonly title: string
    readonly summary: string
    readonly from: string
  } & VariantOnEngine)[]
}
