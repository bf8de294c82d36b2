import type { AnyPoints, Engine } from '../engines/engine'
import type { SeedingKernel, SeedingProvider } from './kernel'
import { nativeSeedingKernel, sharedSeedingKernel } from './native-kernel'
import { typescriptKernel } from './typescript-kernel'

/** The native kernel of the processor, or its TypeScript twin where the addon was not built. Both give the same bits. */
export function processorKernel(): SeedingKernel {
  return nativeSeedingKernel() ?? typescriptKernel
}

/** The kernel of the device that iterates, where it has one; else the processor's. All give the same bits. In float64 there is one only. */
export function chooseKernel(
  engine: Engine,
  deviceId: string,
  points: AnyPoints,
  k: number,
): SeedingProvider {
  if (points.part !== undefined) return sharedSeedingKernel(points.part, points.n)
  if (points.x instanceof Float64Array) return typescriptKernel
  return engine.seeding?.(points, k, deviceId) ?? processorKernel()
}
