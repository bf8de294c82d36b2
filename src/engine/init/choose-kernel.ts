import type { AnyPoints, Engine } from '../engines/engine'
import type { SeedingKernel, SeedingProvider } from './kernel'
import { runProcesses } from '../processes/run-processes'
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
  const processes = points.part === undefined ? null : runProcesses()
  if (processes !== null) return sharedSeedingKernel(points, processes.group)
  if (points.x instanceof Float64Array) return typescriptKernel
  return engine.seeding?.(points, k, deviceId) ?? processorKernel()
}
