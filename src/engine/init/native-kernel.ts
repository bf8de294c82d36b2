import { loadCpuAddon } from '@engine/engines/native'
import type { SeedingKernel } from './kernel'

/** The seeding primitives of the native addon (kernels/common/seeding); null where it was not built. @param threads absent: as many as there are */
export function nativeSeedingKernel(threads?: number): SeedingKernel | null {
  const { addon } = loadCpuAddon()
  if (addon === null) return null
  return { name: 'native', open: (x: Float32Array, n, d) => new addon.Seeding(x, n, d, 0, threads) }
}
