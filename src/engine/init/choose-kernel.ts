import type { Engine, Points } from '../engines/engine'
import type { SeedingKernel } from './kernel'
import { nativeSeedingKernel } from './native-kernel'
import { typescriptKernel } from './typescript-kernel'

/**
 * The kernel of the device that iterates, where it has one; else the native one of the processor, or its TypeScript twin
 * where the addon was not built. All give the same bits.
 */
export function chooseKernel(engine: Engine, deviceId: string, points: Points, k: number): SeedingKernel {
  return engine.seeding?.(points, k, deviceId) ?? nativeSeedingKernel() ?? typescriptKernel
}
