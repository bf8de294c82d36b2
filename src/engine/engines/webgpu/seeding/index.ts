import { LabError } from '@shared/errors'
import { processorKernel } from '../../../init/choose-kernel'
import { candidatesFor } from '../../../init/k-means-plus-plus'
import type { SeedingProvider } from '../../../init/kernel'
import { adapterOf, type FoundAdapter } from '../adapters'
import type { SeedingSize } from './buffers'
import { maxCandidates } from './max-candidates'
import type { WebgpuSeeding } from './state'

/**
 * Seedings of k rows on a WebGPU device. The processor seeds in its place, with the same bits, where the device is software,
 * which is slower, or cannot take the points; from then on `name` says so, and the device is not asked again.
 */
export function webgpuSeeding(
  deviceId: string,
  k: number,
  adapter: (deviceId: string) => Promise<FoundAdapter> = adapterOf,
): SeedingProvider {
  const candidates = candidatesFor(k)
  let instead = candidates > maxCandidates ? processorKernel() : null
  return {
    get name() {
      return instead?.name ?? 'webgpu'
    },
    async open(x: Float32Array, n, d) {
      const state = instead === null ? await openOn(await adapter(deviceId), x, { n, d, candidates }) : null
      if (state !== null) return state
      instead ??= processorKernel()
      return instead.open(x, n, d)
    },
  }
}

/** Null where the device is software or cannot take the points. @throws LabError `engine-lost`. */
async function openOn(
  found: FoundAdapter,
  x: Float32Array,
  size: SeedingSize,
): Promise<WebgpuSeeding | null> {
  if (found.device.software) return null
  const [{ leaseSeedingDevice }, { WebgpuSeeding }] = await Promise.all([
    import('../device-pool'),
    import('./state'),
  ])
  const gpu = await leaseSeedingDevice(found)
  try {
    return await WebgpuSeeding.open(gpu, x, size)
  } catch (error) {
    const isRefusal = error instanceof LabError && error.kind === 'input'
    if (!isRefusal) {
      gpu.destroy()
      throw error
    }
    // What refused before anything was reserved on it may serve again.
    await gpu.close()
    return null
  }
}
