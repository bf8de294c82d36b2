import { variants } from '@kernels/variants'
import { LabError, invalidArgument } from '@shared/errors'
import type { Device, VariantOnEngine } from '@shared/variant'
import type { Availability, Engine } from './engine'
import { loadCudaAddon, type CudaAddon } from './native'
import { requireWorkspace } from './native-addon/memory'
import { AddonSession, type AddonEngine } from './native-addon/session'

const words: AddonEngine = {
  id: 'cuda',
  title: 'The CUDA engine',
  failure: 'engine-lost',
  tooLittleMemory:
    'The CUDA device has too little memory for these points: choose fewer rows or features, another device, or engine cpu.',
}

/** NVIDIA GPUs, through the native addon. */
export const cudaEngine: Engine = {
  id: 'cuda',

  async availability(): Promise<Availability> {
    const reason = missing()
    return reason === null ? { available: true } : { available: false, reason }
  },

  async devices() {
    return devices()
  },

  variants: offered,

  async versions() {
    const { addon } = loadCudaAddon()
    if (addon === null || missing() !== null) return {}
    const { compiler, flags, runtime, driver } = addon.versions()
    return {
      'cuda compiler': compiler,
      'cuda compiler flags': flags,
      'cuda runtime': runtime,
      'cuda driver': driver,
    }
  },

  async floors(deviceId) {
    const index = devices().findIndex(({ id }) => id === deviceId)
    return index < 0 ? null : ((await requireAddon().floors?.(index)) ?? null)
  },

  seeding({ n, d }, deviceId) {
    // On request only until its bits were compared with the processor's on a card (`cuda_tests`).
    if (process.env.CENTROID_LAB_SEEDING !== 'device') return null
    const addon = requireAddon()
    const index = devices().findIndex(({ id }) => id === deviceId)
    if (index < 0 || addon.freeBytes(index) < seedingBytes(n, d)) return null
    return { name: 'cuda', open: (x, points, features) => new addon.Seeding(x, points, features, index) }
  },

  async open(points, config, deviceId) {
    const addon = requireAddon()
    const deviceIndex = deviceId === null ? 0 : devices().findIndex(({ id }) => id === deviceId)
    if (deviceIndex < 0) throw noDevice(deviceId)
    if (!offered().some(({ id }) => id === config.variant)) {
      const names = offered().map(({ id }) => id)
      throw invalidArgument(`one of ${names.join(', ')}`, 'the variant of the CUDA engine', config.variant)
    }
    const shape = { n: points.n, d: points.d, k: config.k }
    const declared = variants.find(({ id }) => id === config.variant)
    const freeBytes = addon.freeBytes(deviceIndex)
    const place = { engine: 'cuda', words: 'device memory', freeBytes } as const
    if (declared !== undefined) requireWorkspace(declared, shape, place)
    const hostDeviceBytesPerIteration = declared?.hostDeviceBytesPerIteration?.(shape) ?? 0
    return AddonSession.open(words, addon, { points, config, deviceIndex, hostDeviceBytesPerIteration })
  },
}

/** Rows and columns of the points while they are transposed, a distance and a label each, and something to spare. */
function seedingBytes(n: number, d: number): number {
  return n * (8 * d + 16) + 2 ** 26
}

/** One sentence why nothing can run here, or null. */
function missing(): string | null {
  const { addon, reason } = loadCudaAddon()
  if (addon === null) return reason
  const none = addon.devices().reason
  return none === '' ? null : `No CUDA device: ${none}; choose cpu or webgpu.`
}

function requireAddon(): CudaAddon {
  const { addon } = loadCudaAddon()
  const reason = missing()
  if (addon === null || reason !== null) throw new LabError('engine-missing', 'cuda.missing', reason ?? '')
  return addon
}

function devices(): Device[] {
  const found = loadCudaAddon().addon?.devices().devices ?? []
  return found.map(({ name, memoryBytes }, index) => ({
    id: `cuda:${index}`,
    name,
    memoryBytes,
    software: false,
  }))
}

function noDevice(deviceId: string | null): LabError {
  const there = devices().map(({ id, name }) => `${id} (${name})`)
  const message = `The CUDA engine has no device ${deviceId}: choose one of ${there.join(', ')}.`
  return new LabError('engine-missing', 'cuda.device', message)
}

/** What is declared for CUDA; with an addon loaded, only what it was built with. */
function offered(): ({ readonly id: string } & VariantOnEngine)[] {
  const built = loadCudaAddon().addon?.variants()
  return variants.flatMap(({ id, engines }) =>
    engines.cuda && (built === undefined || built.includes(id)) ? [{ id, ...engines.cuda }] : [],
  )
}
