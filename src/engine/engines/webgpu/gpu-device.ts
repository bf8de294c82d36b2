import { LabError } from '@shared/errors'
import type { FoundAdapter } from './adapters'

const raisedLimits = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
] as const

/** A device whose every call is checked: nothing fails in silence, and a lost device ends every wait. */
export interface GpuDevice {
  readonly device: GPUDevice
  readonly software: boolean
  readonly hasTimestamps: boolean
  /** Runs calls within error scopes. @throws LabError naming `place`. */
  checked<T>(place: string, work: () => T | Promise<T>): Promise<T>
  destroy(): void
}

/** A fresh device of an adapter, with the adapter's own limits. @throws LabError `engine-lost`. */
export async function openDevice(found: FoundAdapter): Promise<GpuDevice> {
  const adapter = await found.request()
  if (adapter === null) throw lost('opening the device', `adapter '${found.device.name}' is gone`)
  const hasTimestamps = adapter.features.has('timestamp-query')
  const device = await adapter
    .requestDevice({
      requiredFeatures: hasTimestamps ? ['timestamp-query'] : [],
      requiredLimits: Object.fromEntries(raisedLimits.map((name) => [name, adapter.limits[name]])),
    })
    .catch((error: unknown) => {
      throw lost('opening the device', messageOf(error))
    })
  return wrap(device, found.device.software, hasTimestamps)
}

function wrap(device: GPUDevice, software: boolean, hasTimestamps: boolean): GpuDevice {
  // One listener per wait would stay on `device.lost` for ever, so the waits register and leave again.
  const waiting = new Set<(reason: string) => void>()
  let goneBecause: string | null = null
  void device.lost.then((info) => {
    goneBecause = info.message || info.reason
    for (const tell of waiting) tell(goneBecause)
  })
  const checked = async <T>(place: string, work: () => T | Promise<T>): Promise<T> => {
    if (goneBecause !== null) throw lost(place, goneBecause)
    let tell: (reason: string) => void = () => undefined
    const gone = new Promise<never>((_, reject) => (tell = (reason) => reject(lost(place, reason))))
    waiting.add(tell)
    try {
      return await Promise.race([withinScopes(device, place, work), gone])
    } catch (error) {
      throw error instanceof LabError ? error : lost(place, messageOf(error))
    } finally {
      waiting.delete(tell)
    }
  }
  return { device, software, hasTimestamps, checked, destroy: () => device.destroy() }
}

async function withinScopes<T>(device: GPUDevice, place: string, work: () => T | Promise<T>): Promise<T> {
  const filters = ['internal', 'out-of-memory', 'validation'] as const
  for (const filter of filters) device.pushErrorScope(filter)
  // Scopes close when the calls are made, before their work is waited for.
  const outcome = (async () => work())()
  const scopes = Promise.all(filters.map(() => device.popErrorScope()))
  const [settled] = await Promise.allSettled([outcome])
  const error = (await scopes).find((entry) => entry !== null)
  if (error) throw failure(place, error)
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}

function failure(place: string, error: GPUError): LabError {
  if (error.constructor.name === 'GPUOutOfMemoryError') {
    const message = `The WebGPU device has not enough memory for ${place}; choose fewer rows or features, a smaller k, or engine cpu.`
    return new LabError('input', 'webgpu.out-of-memory', message, error.message)
  }
  return lost(place, error.message)
}

function lost(place: string, details: string): LabError {
  const message = `The WebGPU device failed while ${place}; run again, or choose engine cpu.`
  return new LabError('engine-lost', 'webgpu.lost', message, details)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
