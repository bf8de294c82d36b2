import type { RegimeTables } from './plan'
import type { EngineId, RunShape, VariantId, VariantOnEngine } from './variant'

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
  /** On the processor it keeps to one thread. */
  readonly isSerial?: true
  /** How it is carried out, an engine at a time; absent: one way only. */
  readonly regimes?: RegimeTables
  /** Bytes it keeps besides points, labels and sums, where they grow with n k: what is not free is refused at `open`. */
  readonly workspaceBytes?: (shape: RunShape) => number
  /**
   * Time of a typical run to convergence as a share of what the short calibration foretells, which sees brute force only:
   * less than 1 where the variant leaves distances out. Absent: 1.
   */
  readonly shareOfCalibrated?: (engine: EngineId, shape: RunShape) => number
  /** Bytes that cross between host and device in an iteration; absent where the loop stays on one of them. */
  readonly hostDeviceBytesPerIteration?: (shape: RunShape) => number
}
