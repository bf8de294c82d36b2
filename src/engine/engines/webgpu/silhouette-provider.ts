import type { SilhouetteProvider } from '../engine'
import { adapterOf } from './adapters'

/** Of pairs times features: a few milliseconds on a card. */
const trialWork = 2 ** 33

/**
 * Silhouettes on a WebGPU device.
 * @param instead computes them where the device is software, which is slower, or cannot hold the points
 */
export function webgpuSilhouettes(deviceId: string, instead: SilhouetteProvider | null): SilhouetteProvider {
  const controller = new AbortController()
  let done: number | null = null
  return {
    trialWork,
    share: () => done ?? instead?.share() ?? 0,
    cancel() {
      controller.abort()
      instead?.cancel()
    },
    async compute(x, d, labels, k, values) {
      const found = await adapterOf(deviceId)
      if (found.device.software && instead !== null) return instead.compute(x, d, labels, k, values)
      const [{ leaseSeedingDevice }, { silhouetteBytes, silhouettesOnDevice }, { bindingLimit }] =
        await Promise.all([import('./device-pool'), import('./silhouettes'), import('./resources')])
      const gpu = await leaseSeedingDevice(found)
      try {
        if (silhouetteBytes(labels.length, d) > bindingLimit(gpu.device) && instead !== null)
          return await instead.compute(x, d, labels, k, values)
        const report = (share: number) => (done = share)
        const input = { x, d, labels, k }
        return (await silhouettesOnDevice(gpu, input, values, report, controller.signal)) ? true : null
      } finally {
        done = null
        await gpu.close()
      }
    },
  }
}
