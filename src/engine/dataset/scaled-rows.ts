import type { FeatureColumn } from './feature-column'

/**
 * Scaled rows in float64, each feature short of a power of two that is applied later, so that nothing overflows:
 * `scaled value = written value * 2^powers[j]`, about an origin that moves all rows alike.
 */
export interface RowScaler {
  /** (d) largest magnitudes that are written. */
  readonly largest: Float64Array
  readonly powers: Int32Array
  /** (d) where the origin lies, in units of the file (of the unit sphere under `unit-length`). */
  readonly offset: Float64Array
  /** (d) scaled units -> those units: a multiplier, times 2^stepPowers[j]. */
  readonly step: Float64Array
  readonly stepPowers: Int32Array
  /** Where each written value is `(column value - centre) * gain`. */
  readonly linear?: {
    readonly columns: readonly FeatureColumn[]
    readonly centres: Float64Array
    readonly gains: Float64Array
  }
  /** Where each written value is one of a row on the unit sphere, less `offset`. */
  readonly sphere?: { readonly columns: readonly FeatureColumn[] }
  /** Writes the d values of a point. */
  write(point: number, out: Float64Array): void
}
