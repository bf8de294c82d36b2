import { LabError } from '@shared/errors'
import { processorKernel } from '../../../init/choose-kernel'
import { candidatesFor } from '../../../init/k-means-plus-plus'
import type { SeedingPlace } from '../../../init/kernel'
import { adapterOf, type FoundAdapter } from '../adapters'
import { leaseSeedingDevice } from '../device-pool'
import { mostCandidates } from './buffers'
import { WebgpuSeeding } from './state'

/**
 * Seedings of k rows on a WebGPU device. The processor seeds in its place, with the same bits, where the device is software,
 * which is slower, or cannot take the points.
 */
export function webgpuSeeding(deviceId: string, k: number): SeedingPlace {
  return {
    name: 'webgpu',
    async open(x, n, d) {
      const found = await adapterOf(deviceId)
      const candidates = candidatesFor(k)
      if (found.device.software || candidates > mostCandidates) return processorKernel().open(x, n, d)
      try {
        return await openOn(found, x, n, d, candidates)
      } catch (error) {
        if (error instanceof LabError) return processorKernel().open(x, n, d)
        throw error
      }
    },
  }
}

async function openOn(
  found: FoundAdapter,
  x: Float32Array,
  n: number,
  d: number,
  candidates: number,
): Promise<WebgpuSeeding> {
  const gpu = await leaseSeedingDevice(found)
  try {
    return await WebgpuSeeding.open(gpu, x, { n, d, candidates })
  } catch (error) {
    gpu.destroy()
    throw error
  }
}
