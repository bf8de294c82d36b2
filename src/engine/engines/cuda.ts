import { variants } from '@kernels/variants'
import { LabError, invalidArgument } from '@shared/errors'
import type { VariantOnEngine } from '@shared/variant'
import type { AnyPoints, Availability, Engine, Session, SessionConfig } from './engine'
import { float32Points } from './float32-points'
import { loadCudaAddon, type CudaAddon } from './native'
import { deviceMemoryLimit, sizeOf } from '../memory'
import { cudaDevices, cudaGroup, deviceIndices, firstCard } from './cuda-devices'
import { carriedOut, cudaQuestion, cudaRegimes, freeOn, memoryHints, planOf } from './cuda-plan'
import { firstOf, partOf, splitRequest } from './cuda-split'
import { holdOn } from './native-addon/held-points'
import { requireWorkspace } from './native-addon/memory'
import { AddonSession, type AddonEngine } from './native-addon/session'
import { silhouettesOn } from './native-addon/silhouettes'
import { nvidiaDriver } from './nvidia-driver'

const words: AddonEngine = {
  id: 'cuda',
  title: 'The CUDA engine',
  failure: 'engine-lost',
  tooLittleMemory:
    'The CUDA device has too little memory for these points: choose fewer rows or features, another device, or engine cpu.',
}

/**
 * Multiply-adds of a seeding from which a device is faster, the upload counted. Sixteen threads of the H200's host were faster at 10⁶
 * (5000 points, d = 2, k = 100: 1.7 against 2.8 ms) and slower at 2 · 10⁶ (20 000, 2, 50: 2.8 against 1.4; 100 000, 2, 10: 1.8 against .8).
 */
const minSeedingWork = 2e6

/** Pairs times features from which a device is taken: a processor's core needs a tenth of a second for them. */
const minSilhouetteWork = 2 ** 32
/** A few milliseconds, in which the upload is not what counts. */
const silhouetteTrialWork = 2 ** 35

/** NVIDIA GPUs, through the native addon. */
export const cudaEngine: Engine = {
  id: 'cuda',

  async availability(): Promise<Availability> {
    const reason = missing()
    return reason === null ? { available: true } : { available: false, reason }
  },

  async devices() {
    return cudaDevices()
  },

  async group(words) {
    return missing() === null ? cudaGroup(words) : null
  },

  sharing() {
    const nccl = loadCudaAddon().addon?.ncclVersion?.() ?? ''
    return cudaDevices().length > 1 ? { nccl: nccl === '' ? null : nccl } : null
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
      'cuda driver': [nvidiaDriver(), `CUDA ${driver}`].filter((text) => text !== null).join(', '),
    }
  },

  async floors(deviceId) {
    const index = firstCard(deviceId)
    return index < 0 ? null : ((await requireAddon().floors?.(index)) ?? null)
  },

  async facts(deviceId) {
    return requireAddon().deviceFacts(firstOf(deviceIndices(deviceId)))
  },

  hints(shape, deviceId) {
    const index = firstCard(deviceId)
    if (index < 0) return {}
    const parts = deviceIndices(deviceId).length
    return { ...memoryHints(requireAddon(), partOf(shape, parts), index), ...(parts > 1 && { split: parts }) }
  },

  seeding({ n, d }, k, deviceId) {
    if (n * d * k < minSeedingWork) return null
    const addon = requireAddon()
    const index = firstCard(deviceId)
    if (index < 0 || freeOn(addon, index) < seedingBytes(n, d, k)) return null
    return {
      name: 'cuda',
      open: (x: Float32Array, points, features) => new addon.Seeding(x, points, features, index),
    }
  },

  async hold(points, deviceId) {
    const addon = requireAddon()
    const index = firstCard(deviceId)
    // Devices that share the rows have a part of them each.
    if (index < 0 || deviceIndices(deviceId).length > 1) return null
    return holdOn(addon, points, index, freeOn(addon, index))
  },

  silhouettes({ x, n, d }, deviceId) {
    const { addon } = loadCudaAddon()
    // A result may come from where there was a card.
    if (addon === null || missing() !== null) return null
    const index = firstCard(deviceId)
    const isSmall = n * n * d < minSilhouetteWork
    if (index < 0 || isSmall || x instanceof Float64Array || addon.Silhouettes === undefined) return null
    if (freeOn(addon, index) < silhouetteBytes(n, d)) return null
    return silhouettesOn(new addon.Silhouettes(index), silhouetteTrialWork)
  },

  async open(points, config, deviceId) {
    const addon = requireAddon()
    const indices = deviceIndices(deviceId)
    const deviceIndex = firstOf(indices)
    if (!offered().some(({ id }) => id === config.variant)) {
      const names = offered().map(({ id }) => id)
      throw invalidArgument(`one of ${names.join(', ')}`, 'the variant of the CUDA engine', config.variant)
    }
    if (indices.length > 1) return openSplit(addon, points, config, indices)
    const shape = { n: points.n, d: points.d, k: config.k }
    const declared = variants.find(({ id }) => id === config.variant)
    const freeBytes = freeOn(addon, deviceIndex)
    const memory = { engine: 'cuda', words: 'device memory', freeBytes } as const
    if (declared !== undefined) requireWorkspace(declared, shape, memory)
    const crossing = declared?.hostDeviceBytesPerIteration?.(shape) ?? 0
    const streams = addon.streams(config.variant, shape.n, shape.d, shape.k, deviceIndex)
    const pointBytes = 4 * shape.n * shape.d
    const table = cudaRegimes(config.variant)
    const question = cudaQuestion(addon, config, shape, deviceIndex)
    const carried = carriedOut(table, question, config)
    return AddonSession.open(words, addon, {
      points: float32Points(points, 'cuda', config.variant),
      config,
      deviceIndex,
      carriedOut: { ...carried },
      ...(table !== null && { planOf: (built) => planOf(table, question, built, carried) }),
      hostDeviceBytesPerIteration: crossing + (streams ? pointBytes : 0),
      warnings: streams ? [streamed(pointBytes, freeBytes)] : [],
    })
  },
}

/** Rows shared by several devices. */
async function openSplit(
  addon: CudaAddon,
  points: AnyPoints,
  config: SessionConfig,
  indices: readonly number[],
): Promise<Session> {
  const x = float32Points(points, 'cuda', config.variant)
  return AddonSession.open(words, addon, await splitRequest(addon, x, config, indices))
}

function streamed(pointBytes: number, freeBytes: number): string {
  return `The points (${sizeOf(pointBytes)}) do not fit into the ${sizeOf(freeBytes)} of device memory that are free: every iteration sends them to the device again, which costs time.`
}

/**
 * The points in rows, in columns and in a byte a feature; a distance, a centre and what it takes to pass a point over each; centres,
 * what they reach and draws; something to spare.
 */
function seedingBytes(n: number, d: number, k: number): number {
  const rows = Math.ceil(n / 1024) * 1024
  return rows * (9 * d + 32) + k * (4 * d + 256) + 2 ** 26
}

/** Rows, what is summed of each, and something to spare. */
function silhouetteBytes(n: number, d: number): number {
  return n * (4 * (d + 8) + 32) + 2 ** 26
}

/** One sentence why nothing can run here, or null. */
function missing(): string | null {
  const { addon, reason } = loadCudaAddon()
  if (addon === null) return reason
  const none = addon.devices().reason
  return none === '' ? null : `${none}: choose cpu or webgpu.`
}

function requireAddon(): CudaAddon {
  const { addon } = loadCudaAddon()
  const reason = missing()
  if (addon === null || reason !== null) throw new LabError('engine-missing', 'cuda.missing', reason ?? '')
  const limit = deviceMemoryLimit()
  // What decides in the addon whether points pass through the device.
  if (limit !== null) process.env.CENTROID_LAB_CUDA_MEMORY = String(limit)
  return addon
}

/** What is declared for CUDA; with an addon loaded, only what it was built with. */
function offered(): ({ readonly id: string } & VariantOnEngine)[] {
  const built = loadCudaAddon().addon?.variants()
  return variants.flatMap(({ id, engines }) =>
    engines.cuda && (built === undefined || built.includes(id)) ? [{ id, ...engines.cuda }] : [],
  )
}
