import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { variants } from '@kernels/variants'
import { LabError } from '@shared/errors'
import type { WebgpuFacts } from '@shared/plan'
import type { VariantOnEngine } from '@shared/variant'
import type { WebgpuRegime } from '@kernels/common/webgpu/variant'
import { webgpuVariants } from '@kernels/variants/webgpu'
import type { Availability, Engine, Points, Session, SessionConfig } from './engine'
import { float32Points } from './float32-points'
import { loadCpuAddon } from './native'
import { adapterOf, findAdapters, type FoundAdapter } from './webgpu/adapters'
import { leaseDevice, leaseMatrixDevice } from './webgpu/device-pool'
import { factsOf } from './webgpu/facts'
import type { GpuDevice } from './webgpu/gpu-device'
import { openPlanned } from './webgpu/open-planned'
import { openRegime, questionFor, regimeOf } from './webgpu/open-session'
import { plannedFor } from './webgpu/planned-for'
import { webgpuSeeding } from './webgpu/seeding'

/**
 * Multiply-adds of a seeding from which a device is faster than the processor. Measured on one H200 beside sixteen threads: 118 against
 * 150 to 420 ms at 4 · 10⁹ (1M x 64, k = 64), the points sent there included; below, opening the device and compiling (.1 s, .5 s the
 * first time on a machine) is more than what could be saved. Integrated GPUs count as hardware too, and nothing was measured on one:
 * there a device may be the slower place above this number as well.
 */
const minSeedingProducts = 4e9

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

  async facts(deviceId) {
    return factsOf(await adapterOf(deviceId))
  },

  seeding({ n, d }, k, deviceId) {
    return n * d * k < minSeedingProducts ? null : webgpuSeeding(deviceId, k)
  },

  async open(points, config, deviceId) {
    const held = float32Points(points, 'webgpu', config.variant)
    const found = await adapterOf(deviceId)
    const facts = await factsOf(found)
    return openPlanned(plannedFor(config, questionFor(held, config, facts)), {
      open: (regime) => openOn(found, facts, held, config, regime),
      needsUnits: (regime) => regimeOf(config.variant, regime).matrixUnits === true,
    })
  },
}

/** A session by a regime, on the device that it asks for. */
async function openOn(
  found: FoundAdapter,
  facts: WebgpuFacts,
  points: Points,
  config: SessionConfig,
  regime: string,
): Promise<Session> {
  const gpu = await leaseFor(found, regimeOf(config.variant, regime))
  try {
    return await openRegime(gpu, points, config, regime, facts)
  } catch (error) {
    gpu.destroy()
    throw error
  }
}

/** @throws LabError `engine-lost`. */
async function leaseFor(found: FoundAdapter, { matrixUnits }: WebgpuRegime): Promise<GpuDevice> {
  if (matrixUnits !== true) return leaseDevice(found)
  const gpu = await leaseMatrixDevice(found)
  if (gpu !== null) return gpu
  const message = `The device '${found.device.name}' has no matrix units that WebGPU can use; choose another regime.`
  throw new LabError('engine-lost', 'webgpu.no-matrix-units', message)
}

/** Hybrid variants only where the processor's half, the CPU engine's addon, is there. */
function offered(): ({ readonly id: string } & VariantOnEngine)[] {
  const present = ({ id }: { readonly id: string }) =>
    webgpuVariants[id]?.hostUpdate === undefined || loadCpuAddon().addon !== null
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
