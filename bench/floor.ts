import type { DeviceFloors } from '@engine/engines/engine'
import type { RunShape } from '@shared/variant'

/** From how many features on matrix units can do the products. */
const matrixFeatures = 16
const bytesPerCoordinate = 4

/**
 * What one iteration can never be faster than, in milliseconds: the largest of n k d multiply-adds at the device's rate, the bytes of the
 * points at its bandwidth (where they outgrow its caches), and the start of any work. Null where the rates are not known.
 */
export function floorMs({ n, d, k }: RunShape, floors: DeviceFloors | null): number | null {
  if (floors === null) return null
  const matrixRate = d >= matrixFeatures ? (floors.matrixProductsPerMs ?? 0) : 0
  const rate = Math.max(floors.productsPerMs, matrixRate)
  const bytes = n * d * bytesPerCoordinate
  const reading = bytes > floors.cacheBytes ? bytes / floors.bytesPerMs : 0
  return Math.max((n * k * d) / rate, reading, floors.minMs)
}
