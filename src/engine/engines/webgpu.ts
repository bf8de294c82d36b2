import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { variants } from '@kernels/variants'
import type { VariantOnEngine } from '@shared/variant'
import type { Availability, Engine } from './engine'
import { loadCpuAddon } from './native'
import { adapterOf, findAdapters } from './webgpu/adapters'
import { leaseDevice } from './webgpu/device-pool'
import { openSession } from './webgpu/open-session'
import { hybridVariants } from './webgpu/variants'

/** WebGPU through Dawn, on the hardware adapter where there is one, else on SwiftShader. */
export const webgpuEngine: Engine = {
  id: 'webgpu',

  async availability(): Promise<Availability> {
    const { reason } = await findAdapters()
    return reason === null ? { available: true } : { available: false, reason }
  },

  async devices() {
    return (await findAdapters()).adapters.map(({ device }) => device)
  },

  variants: offered,

  async versions() {
    const { adapters } = await findAdapters()
    const drivers = adapters.map(({ device, driver }) => [`driver of ${device.id}`, driver])
    return Object.fromEntries([['webgpu (Dawn)', packageVersion()], ...drivers])
  },

  async open(points, config, deviceId) {
    const gpu = await leaseDevice(await adapterOf(deviceId))
    try {
      return await openSession(gpu, points, config)
    } catch (error) {
      gpu.destroy()
      throw error
    }
  },
}

/** Hybrid variants only where the processor's half, the CPU engine's addon, is there. */
function offered(): ({ readonly id: string } & VariantOnEngine)[] {
  const present = ({ id }: { readonly id: string }) =>
    !hybridVariants.has(id) || loadCpuAddon().addon !== null
  return variants
    .filter(present)
    .flatMap(({ id, engines }) => (engines.webgpu ? [{ id, ...engines.webgpu }] : []))
}

function packageVersion(): string {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('webgpu'))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    return version
  } catch {
    return 'unknown'
  }
}
