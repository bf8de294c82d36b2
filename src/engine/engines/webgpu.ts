import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { variants } from '@kernels/variants'
import type { VariantOnEngine } from '@shared/variant'
import type { Availability, Engine, Points, Session, SessionConfig } from './engine'
import { adapterOf, findAdapters } from './webgpu/adapters'
import { openDevice, type GpuDevice } from './webgpu/gpu-device'
import { compilePrograms } from './webgpu/programs'
import { createResources, planResources } from './webgpu/resources'
import { WebgpuSession } from './webgpu/session'

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
    const gpu = await openDevice(await adapterOf(deviceId))
    try {
      return await openSession(gpu, points, config)
    } catch (error) {
      gpu.destroy()
      throw error
    }
  },
}

async function openSession(gpu: GpuDevice, points: Points, config: SessionConfig): Promise<Session> {
  planResources(points, config.k, gpu.device)
  const countChanges = config.stop === 'labels' || config.trackChanged
  const programs = await compilePrograms(gpu, { variant: config.variant, k: config.k, d: points.d })
  const resources = await createResources(gpu, points, config, programs, countChanges)
  const session = new WebgpuSession(gpu, points, config, programs, resources)
  await session.warmUp()
  return session
}

function offered(): ({ readonly id: string } & VariantOnEngine)[] {
  return variants.flatMap(({ id, engines }) => (engines.webgpu ? [{ id, ...engines.webgpu }] : []))
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
