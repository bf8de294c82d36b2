import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { variants } from '@kernels/variants'
import { LabError } from '@shared/errors'
import type { VariantOnEngine } from '@shared/variant'
import type { Availability, Engine, Points, Session, SessionConfig } from './engine'
import { loadCpuAddon } from './native'
import { adapterOf, findAdapters, type FoundAdapter } from './webgpu/adapters'
import { leaseDevice, leaseMatrixDevice } from './webgpu/device-pool'
import type { GpuDevice } from './webgpu/gpu-device'
import { preferMatrices } from './webgpu/matrix-units'
import { openSession } from './webgpu/open-session'
import { webgpuSeeding } from './webgpu/seeding'
import { hybridVariants, wantsMatrices } from './webgpu/variants'
import { matricesFit } from './webgpu/variants/fused-matrix'
import { wantsOrder } from './webgpu/variants/fused-ordered'

/**
 * Multiply-adds of a seeding from which a device is faster than the processor. Measured on one H200 beside sixteen threads: 118 against
 * 150 to 420 ms at 4 · 10⁹ (1M x 64, k = 64), the points sent there included; below, opening the device and compiling (.1 s, .5 s the
 * first time on a machine) is more than what could be saved. Integrated GPUs count as hardware too, and nothing was measured on one:
 * there a device may be the slower place above this number as well.
 */
const leastSeeding = 4e9

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

  seeding({ n, d }, k, deviceId) {
    return n * d * k < leastSeeding ? null : webgpuSeeding(deviceId, k)
  },

  async open(points, config, deviceId) {
    const found = await adapterOf(deviceId)
    return preferMatrices(
      () => openWithMatrices(found, points, config),
      () => openInOrder(found, points, config),
    )
  },
}

/** Where memory is short for points in another order beside their own, without. */
async function openInOrder(found: FoundAdapter, points: Points, config: SessionConfig): Promise<Session> {
  const { n, d } = points
  try {
    return await openOn(await leaseDevice(found), points, config)
  } catch (error) {
    const isShort = error instanceof LabError && error.code === 'webgpu.out-of-memory'
    if (!isShort || !wantsOrder(config.variant, { n, d, k: config.k })) throw error
    return openOn(await leaseDevice(found), points, config, true)
  }
}

async function openOn(
  gpu: GpuDevice,
  points: Points,
  config: SessionConfig,
  short = false,
): Promise<Session> {
  try {
    return await openSession(gpu, points, config, undefined, short)
  } catch (error) {
    gpu.destroy()
    throw error
  }
}

/** Null where the variant has no use for matrix units, or they are missing. */
async function openWithMatrices(
  found: FoundAdapter,
  points: Points,
  config: SessionConfig,
): Promise<Session | null> {
  const { n, d } = points
  if (!wantsMatrices(config.variant, { n, d, k: config.k })) return null
  const gpu = await leaseMatrixDevice(found)
  if (gpu === null) return null
  // Other kernels are slower on that device.
  const { maxComputeWorkgroupStorageSize: workgroupBytes } = gpu.device.limits
  if (matricesFit({ d, workgroupBytes })) return openOn(gpu, points, config)
  await gpu.close()
  return null
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
