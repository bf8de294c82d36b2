import type { Engine, Points } from '../engines/engine'
import type { SeedingKernel, SeedingProvider } from './kernel'
import { nativeSeedingKernel } from './native-kernel'
import { typescriptKernel } from './typescript-kernel'

/** The native kernel of the processor, or its TypeScript twin where the addon was not built. Both give the same bits. */
export function processorKernel(): SeedingKernel {
  return nativeSeedingKernel() ?? typescriptKernel
}

/** The kernel of the device that iterates, where it has one; else the processor's. All give the same bits. */
export function chooseKernel(engine: Engine, deviceId: string, points: Points, k: number): SeedingProvider {
  return engine.seeding?.(points, k, deviceId) ?? processorKernel()
}
