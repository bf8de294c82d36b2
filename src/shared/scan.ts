import type { ErrorReport } from './errors'
import type { FileFacts } from './dataset'
import type { RunConfig, StopRule } from './run-config'
import type { RecordedFeature } from './run-record'
import type { MeanSilhouette, SilhouetteExtent } from './silhouettes'
import type { EngineId, VariantId } from './variant'

/** What a scan says of a clustering; the inertia stands beside them always. */
export const scanIndices = ['silhouette', 'calinski-harabasz', 'davies-bouldin', 'gap'] as const
export type ScanIndex = (typeof scanIndices)[number]

/** Those of a scan that names none: the gap statistic clusters ten datasets more. */
export const defaultScanIndices: readonly ScanIndex[] = ['silhouette', 'calinski-harabasz', 'davies-bouldin']

export const defaultScanRestarts = 10

/** Largest k of a range. */
export const maxScannedK = 10_000

/** What a scan is saved as. */
export const scanFileName = 'scan.csv'

/** Everything a person chooses for one scan. Plain data: it is stored, shown and repeated. */
export interface ScanConfig {
  /**
   * How each k is clustered. `k` and `nInit` are not read (the range and `restarts` stand in their place), no
   * history is kept.
   */
  readonly run: RunConfig
  /** Both ends included; 1 <= kMin <= kMax <= 10 000. */
  readonly kMin: number
  readonly kMax: number
  /** Of each k, from seeds seed, seed + 1, ... */
  readonly restarts: number
  readonly indices: readonly ScanIndex[]
  /** `exact`: over every pair at any size. */
  readonly silhouette: SilhouetteExtent
}

/** One restart of one k. Indices are null where they were not asked for or not defined (fewer than two clusters). */
export interface ScanRestart {
  readonly k: number
  /** 0-based. */
  readonly restart: number
  readonly seed: number
  /** Units of the scaled data. */
  readonly inertia: number
  readonly calinskiHarabasz: number | null
  readonly daviesBouldin: number | null
  readonly iterations: number
  readonly stopped: StopRule | 'max-iterations'
  /** Seeding, iterations and final assignment. */
  readonly seconds: number
}

/** Tibshirani, Walther and Hastie 2001, with W the inertia and ten uniform references over the scaled box. */
export interface GapStatistic {
  readonly gap: number
  /** The standard error s(k) = sd sqrt(1 + 1/references). */
  readonly standardError: number
}

/** A k whose restarts are finished. */
export interface ScannedK {
  readonly k: number
  /** In order. */
  readonly restarts: readonly ScanRestart[]
  /** The restart of the smallest inertia, ties to the earlier. */
  readonly best: number
  /** Of the best restart; null where not asked for or not defined. */
  readonly silhouette: MeanSilhouette | null
  readonly gap: GapStatistic | null
  /** (k) of the best restart. */
  readonly sizes: readonly number[]
}

/** What the rules say of the k that are finished; each null where its rule finds none. Never one hidden verdict. */
export interface ScanSuggestions {
  /** Knee of the smallest inertias by Kneedle (Satopää et al. 2011), S = 1. */
  readonly knee: number | null
  /** The largest mean silhouette. */
  readonly silhouette: number | null
  readonly calinskiHarabasz: number | null
  /** The smallest. */
  readonly daviesBouldin: number | null
  /** The smallest k with gap(k) >= gap(k + 1) - s(k + 1). */
  readonly gap: number | null
}

/** A scan as far as it has come. */
export interface ScanRecord {
  readonly id: string
  readonly startedAt: string
  readonly file: FileFacts
  /** As asked. */
  readonly config: ScanConfig
  readonly features: readonly RecordedFeature[]
  readonly n: number
  readonly d: number
  /** Of the last k that ran; null before. */
  readonly ran: {
    readonly engine: EngineId
    readonly device: string
    readonly deviceName: string
    readonly variant: VariantId
  } | null
  /** Finished ones, ascending. */
  readonly rows: readonly ScannedK[]
  /** Restarts of a k that is not finished: the scan goes on after them. */
  readonly pending: readonly ScanRestart[]
  readonly suggestions: ScanSuggestions
  /** Every k of the range is finished. */
  readonly isComplete: boolean
  /** Working time of all parts, reading the file not included. */
  readonly seconds: number
  /** In which points were sent to the engine, or laid out for it, of all k together: once for a device that shares them. */
  readonly uploadSeconds: number
  readonly warnings: readonly string[]
}

/** `done`, `cancelled` and `failed` end a part; after the last two `scan.resume` goes on with what is missing. */
export type ScanEvent =
  /** A restart is finished; `done` of `total` restarts of the whole scan. */
  | {
      readonly kind: 'restart'
      readonly scanId: string
      readonly restart: ScanRestart
      readonly done: number
      readonly total: number
    }
  /** A k is finished: its indices are there. */
  | {
      readonly kind: 'k'
      readonly scanId: string
      readonly row: ScannedK
      readonly suggestions: ScanSuggestions
    }
  | { readonly kind: 'done'; readonly scanId: string; readonly record: ScanRecord }
  | { readonly kind: 'cancelled'; readonly scanId: string; readonly record: ScanRecord }
  | {
      readonly kind: 'failed'
      readonly scanId: string
      readonly error: ErrorReport
      readonly record: ScanRecord
    }
