import { deviceMemoryLimit, sizeOf } from '../../memory'
import { LabError } from '@shared/errors'
import type { FoundAdapter } from './adapters'
import { matrixFeatures } from './matrix-adapter'
import { expectAnswer } from './polling'

const raisedLimits = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
] as const

/** A device as the driver gave it, and why it is gone. */
export interface RawDevice {
  readonly device: GPUDevice
  readonly software: boolean
  readonly hasTimestamps: boolean
  readonly hasMatrices: boolean
  readonly loss: Loss
}

/** One listener per wait would stay on `device.lost` for ever, so the waits register and leave again. */
interface Loss {
  reason: string | null
  readonly waiting: Set<(reason: string) => void>
}

/**
 * A device whose every call is checked: nothing fails in silence, and a lost device ends every wait. It is one
 * session's; at the end what was reserved through it is freed.
 */
export interface GpuDevice {
  readonly device: GPUDevice
  readonly software: boolean
  readonly hasTimestamps: boolean
  /** Opened for matrices of 16-bit numbers in subgroups of 32. */
  readonly hasMatrices: boolean
  /** Runs calls within error scopes. @throws LabError naming `activity`. */
  checked<T>(activity: string, work: () => T | Promise<T>): Promise<T>
  /** Memory that lasts until the end. */
  createBuffer(descriptor: GPUBufferDescriptor): GPUBuffer
  /** Queries that last until the end. */
  createQuerySet(descriptor: GPUQuerySetDescriptor): GPUQuerySet
  /** Called at the end where all went well; what a destroyed device had is gone anyway. */
  atEnd(release: () => void): void
  /** The end where all went well: the device may serve again. A second call does nothing. */
  close(): Promise<void>
  /** The end of the device. */
  destroy(): void
}

/** What becomes of a device in order after its session: told how many bytes it held, all of them free again. */
export type Successor = (raw: RawDevice, heldBytes: number) => void

/** A fresh device of an adapter, with the adapter's own limits. @throws LabError `engine-lost`. */
export async function openDevice(found: FoundAdapter): Promise<GpuDevice> {
  return serve(await requestDevice(found))
}

/** @throws LabError `engine-lost`. */
export async function requestDevice(found: FoundAdapter): Promise<RawDevice> {
  return deviceOf(found, await found.request(), [])
}

/** A device that multiplies matrices, slower in other things; null where the adapter has none. @throws LabError `engine-lost`. */
export async function requestMatrixDevice(found: FoundAdapter): Promise<RawDevice | null> {
  const adapter = await found.requestMatrices()
  return adapter === null ? null : deviceOf(found, adapter, matrixFeatures)
}

async function deviceOf(
  found: FoundAdapter,
  adapter: GPUAdapter | null,
  features: readonly string[],
): Promise<RawDevice> {
  if (adapter === null) throw lost('opening the device', `adapter '${found.device.name}' is gone`)
  const hasTimestamps = adapter.features.has('timestamp-query')
  const device = await adapter
    .requestDevice({
      requiredFeatures: [...features, ...(hasTimestamps ? ['timestamp-query'] : [])] as GPUFeatureName[],
      requiredLimits: Object.fromEntries(raisedLimits.map((name) => [name, adapter.limits[name]])),
    })
    .catch((error: unknown) => {
      throw lost('opening the device', messageOf(error))
    })
  const loss: Loss = { reason: null, waiting: new Set() }
  void device.lost.then((info) => {
    loss.reason = info.message || info.reason
    for (const notify of loss.waiting) notify(loss.reason)
  })
  const hasMatrices = features.length > 0
  return { device, software: found.device.software, hasTimestamps, hasMatrices, loss }
}

/** A device for one session. @param successor takes it over afterwards; without one it is destroyed. */
export function serve(raw: RawDevice, successor: Successor = ({ device }) => device.destroy()): GpuDevice {
  const { device, software, hasTimestamps, hasMatrices, loss } = raw
  const held: { destroy(): unknown }[] = []
  let heldBytes = 0
  let pending = 0
  let isSound = true
  let isOver = false
  const checked = async <T>(activity: string, work: () => T | Promise<T>): Promise<T> => {
    if (isOver || loss.reason !== null) throw lost(activity, loss.reason ?? 'the session is closed')
    pending++
    try {
      return await unlessLost(loss, activity, withinScopes(device, activity, work))
    } catch (error) {
      isSound = false
      throw error
    } finally {
      pending--
    }
  }
  const destroy = () => {
    isOver = true
    device.destroy()
  }
  const close = async () => {
    if (isOver) return
    if (pending > 0 || !isSound) return destroy()
    isOver = true
    for (const each of held) each.destroy()
    // The driver frees what is destroyed when a later submit has ended.
    expectAnswer()
    device.queue.submit([])
    await unlessLost(loss, 'closing the session', device.queue.onSubmittedWorkDone()).catch(() => undefined)
    if (loss.reason === null) successor(raw, heldBytes)
  }
  return {
    ...{ device, software, hasTimestamps, hasMatrices, checked, close, destroy },
    createBuffer(descriptor) {
      requireAllowed(heldBytes + descriptor.size)
      const buffer = device.createBuffer(descriptor)
      held.push(buffer)
      heldBytes += descriptor.size
      return buffer
    },
    atEnd(release) {
      held.push({ destroy: release })
    },
    createQuerySet(descriptor) {
      const querySet = device.createQuerySet(descriptor)
      held.push(querySet)
      return querySet
    },
  }
}

/** @throws LabError where a session would take more than may be taken */
function requireAllowed(bytes: number): void {
  const limit = deviceMemoryLimit()
  if (limit === null || bytes <= limit) return
  throw new LabError(
    'input',
    'webgpu.out-of-memory',
    `The session would need more than the ${sizeOf(limit)} of device memory that may be taken: raise that limit, or choose fewer rows or features, a smaller k, or engine cpu.`,
  )
}

/** Waits for the work or for the end of the device. @throws LabError naming `activity`. */
async function unlessLost<T>({ waiting }: Loss, activity: string, work: Promise<T>): Promise<T> {
  let notify: (reason: string) => void = () => undefined
  const gone = new Promise<never>((_, reject) => (notify = (reason) => reject(lost(activity, reason))))
  waiting.add(notify)
  try {
    return await Promise.race([work, gone])
  } catch (error) {
    throw error instanceof LabError ? error : lost(activity, messageOf(error))
  } finally {
    waiting.delete(notify)
  }
}

async function withinScopes<T>(device: GPUDevice, activity: string, work: () => T | Promise<T>): Promise<T> {
  const filters = ['internal', 'out-of-memory', 'validation'] as const
  expectAnswer()
  for (const filter of filters) device.pushErrorScope(filter)
  // Scopes close when the calls are made, before their work is waited for.
  const outcome = (async () => work())()
  const scopes = Promise.all(filters.map(() => device.popErrorScope()))
  const [ended] = await Promise.allSettled([outcome])
  const error = (await scopes).find((entry) => entry !== null)
  if (error) throw failure(activity, error)
  if (ended.status === 'rejected') throw ended.reason
  return ended.value
}

function failure(activity: string, error: GPUError): LabError {
  if (error.constructor.name === 'GPUOutOfMemoryError') {
    const message = `The WebGPU device has not enough memory for ${activity}; choose fewer rows or features, a smaller k, or engine cpu.`
    return new LabError('input', 'webgpu.out-of-memory', message, error.message)
  }
  return lost(activity, error.message)
}

function lost(activity: string, details: string): LabError {
  const message = `The WebGPU device failed while ${activity}; run again, or choose engine cpu.`
  return new LabError('engine-lost', 'webgpu.lost', message, details)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
