import { loadCpuAddon } from '@engine/engines/native'
import type { HeldPart } from '@engine/engines/engine'
import { LabError } from '@shared/errors'
import type { SeedingKernel } from './kernel'

/** The seeding primitives of the native addon (kernels/common/seeding); null where it was not built. @param threads absent: as many as there are */
export function nativeSeedingKernel(threads?: number): SeedingKernel | null {
  const { addon } = loadCpuAddon()
  if (addon === null) return null
  return { name: 'native', open: (x: Float32Array, n, d) => new addon.Seeding(x, n, d, 0, threads) }
}

/** The same over points that several processes hold. @throws LabError where the addon was not built */
export function sharedSeedingKernel({ first, count, processes }: HeldPart, all: number): SeedingKernel {
  const { addon, reason } = loadCpuAddon()
  if (addon === null) throw new LabError('engine-missing', 'cpu.addon', reason)
  const { group: processGroup } = processes
  return {
    name: 'native',
    open: (x: Float32Array, _, d) =>
      new addon.Seeding(x, count, d, 0, undefined, { processGroup, all, first }),
  }
}
