import { LabError } from '@shared/errors'
import { float64VariantNames } from '@shared/precision'
import type { EngineId, VariantId } from '@shared/variant'
import type { AnyPoints, Points } from './engine'

/** For what has kernels in float32 only. @throws LabError `engine.precision` for points in float64. */
export function float32Points({ x, ...rest }: AnyPoints, engine: EngineId, variant: VariantId): Points {
  if (x instanceof Float32Array) return { ...rest, x }
  throw new LabError(
    'input',
    'engine.precision',
    `The variant ${variant} of the ${engine} engine works in float32 only: choose float32, or ${float64VariantNames} of the cpu engine.`,
  )
}
