import { loadCpuAddon } from '@engine/engines/native'
import { streams } from '@engine/init/philox'
import type { GeneratorSpec } from '@shared/generator'
import { powersOfTen } from '@shared/generator-text'
import type { GeneratedPoints } from './points'
import { uniformScales } from './shapes'

/** Fills `out (rows, d)` with the rows from `first` on, units of the file. */
export type NativeRows = (first: number, out: Float64Array) => Promise<void>

/** The addon's rows, the same to the last bit; null where it was not built, and for what it does not make. */
export function nativeRows(spec: GeneratorSpec, { decimals }: GeneratedPoints): NativeRows | null {
  const uniformRows = loadCpuAddon().addon?.uniformRows
  // Noise lies anywhere too, so that it changes nothing here.
  if (uniformRows === undefined || spec.shape !== 'uniform' || spec.duplicates > 0) return null
  const scales = uniformScales(spec)
  const units = Float64Array.from(decimals, (digits) => powersOfTen[digits])
  return (first, out) => uniformRows(spec.seed, streams.generatedCoordinates, first, scales, units, out)
}
