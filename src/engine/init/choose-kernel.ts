import type { SeedingKernel } from './kernel'
import { nativeSeedingKernel } from './native-kernel'
import { typescriptKernel } from './typescript-kernel'

/** The native kernel where the addon was built, else its TypeScript twin: both give the same bits. */
export function chooseKernel(): SeedingKernel {
  return nativeSeedingKernel() ?? typescriptKernel
}
