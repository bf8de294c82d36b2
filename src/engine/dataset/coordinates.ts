import type { Precision } from '@shared/precision'
import type { Coordinates } from '../engines/engine'

/** Zeros. */
export function coordinates(precision: Precision, length: number): Coordinates {
  return precision === 'float64' ? new Float64Array(length) : new Float32Array(length)
}

/** Zeros in the precision of others. */
export function emptyLike(others: Coordinates, length: number): Coordinates {
  return coordinates(precisionOfArray(others), length)
}

/** Numbers, rounded to the precision of others. */
export function inPrecisionOf(others: Coordinates, values: ArrayLike<number>): Coordinates {
  const copy = emptyLike(others, values.length)
  copy.set(values)
  return copy
}

/** What coordinates are held in. */
export function precisionOfArray(values: Coordinates): Precision {
  return values instanceof Float64Array ? 'float64' : 'float32'
}

export function bytesOfCoordinate(precision: Precision): number {
  return precision === 'float64' ? Float64Array.BYTES_PER_ELEMENT : Float32Array.BYTES_PER_ELEMENT
}
