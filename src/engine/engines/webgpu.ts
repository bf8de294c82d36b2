import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { variants } from '@kernels/variants'
import type { VariantOnEngine } from '@shared/variant'
import type { VariantDeclaration } from '@shared/variant-declaration'
import { cpuEngine } from './cpu'
import type { Availability, Engine } from './engine'
import { deviceMemoryLimit } from '../memory'
import { loadCpuAddon } from './native'
import { adapterOf, findAdapters } from './webgpu/adapters'
import { webgpuSeeding } from './webgpu/seeding'
import { webgpuSilhouettes } from './webgpu/silhouette-provider'

/**
 * Multiply-adds of a seeding from which a device is faster than the processor. Measured on one H200 beside sixteen threads: 118 against
 * 150 to 420 ms at 4 · 10⁹ (1M x 64, k = 64), the points sent there included; below, opening the device and compiling (.1 s, .5 s the
 * first time on a machine) is more than what could be saved. Integrated GPUs count as hardware too, and nothing was measured on one:
 * there a device may be the slower place above this number as well.
 */
const minSeedingProducts = 4e9

/** Pairs times features from which a device is taken, as on CUDA; compiling takes a while here. */
const minSilhouetteWork = 2 ** 34

/** Beside the points a session has labels and sums of its own, and what it may take does not count those that it shares. */
const heldShareOfLimit = 1 / 4

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
    const { factsOf } = await import('./webgpu/facts')
    return factsOf(await adapterOf(deviceId))
  },

  seeding({ n, d }, k, deviceId) {
    return n * d * k < minSeedingProducts ? null : webgpuSeeding(deviceId, k)
  },

  // The first session of a device sends them, and leaves them there.
  async hold({ x }) {
    const limit = deviceMemoryLimit()
    const isLarge = limit !== null && x.byteLength > limit * heldShareOfLimit
    if (x instanceof Float64Array || isLarge) return null
    const { holdPoints } = await import('./webgpu/held-points')
    const end = holdPoints(x)
    return { uploadMs: 0, close: async () => end() }
  },

  silhouettes(points, deviceId) {
    const { x, n, d } = points
    if (n * n * d < minSilhouetteWork || x instanceof Float64Array) return null
    return webgpuSilhouettes(deviceId, cpuEngine.silhouettes?.(points, 'cpu') ?? null)
  },

  // Shaders and what runs them are loaded by who opens a session: most commands never do.
  async open(points, config, deviceId) {
    const { openOnDevice } = await import('./webgpu/open-on-device')
    return openOnDevice(points, config, deviceId)
  },
}

/** Hybrid variants only where the processor's half, the CPU engine's addon, is there. */
function offered(): ({ readonly id: string } & VariantOnEngine)[] {
  const present = ({ hostDeviceBytesPerIteration: bytes }: VariantDeclaration) =>
    bytes === undefined || loadCpuAddon().addon !== null
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
