import type { GpuDevice } from './gpu-device'

/** A layout of points that sessions of one device share. */
export interface SharedBuffer {
  readonly buffer: GPUBuffer
  /** Nobody has to send the points again. */
  isFilled: boolean
}

interface Kept extends SharedBuffer {
  /** Sessions that are open. */
  users: number
}

/** By device and layout: a buffer belongs to one device, and a session may ask for another kind of device. */
type Buffers = Map<GPUDevice, Map<string, Kept>>

const held = new Map<Float32Array, Buffers>()

/**
 * From now on the first session of a device that sends these points leaves them there for the others.
 * @returns what ends it: a buffer goes when the last session that uses it is closed, or its device is destroyed
 */
export function holdPoints(x: Float32Array): () => void {
  const buffers: Buffers = held.get(x) ?? new Map<GPUDevice, Map<string, Kept>>()
  held.set(x, buffers)
  return () => {
    if (held.get(x) === buffers) held.delete(x)
    for (const kept of [...buffers.values()].flatMap((layouts) => [...layouts.values()])) {
      if (kept.users === 0) kept.buffer.destroy()
    }
  }
}

/** Whether a device has points that others will ask for. */
export function holdsOn(device: GPUDevice): boolean {
  return [...held.values()].some((buffers) => buffers.has(device))
}

/** A session's buffer of points that are held, whether they are in it already or not; null where they are not held. */
export function sharedBuffer(
  gpu: GpuDevice,
  x: Float32Array,
  layout: string,
  descriptor: GPUBufferDescriptor,
): SharedBuffer | null {
  const buffers = held.get(x)
  if (buffers === undefined) return null
  const layouts = buffers.get(gpu.device) ?? new Map<string, Kept>()
  buffers.set(gpu.device, layouts)
  const kept = layouts.get(layout) ?? {
    ...{ buffer: gpu.device.createBuffer(descriptor), isFilled: false, users: 0 },
  }
  layouts.set(layout, kept)
  kept.users++
  gpu.atEnd(() => {
    kept.users--
    if (kept.users === 0 && held.get(x) !== buffers) kept.buffer.destroy()
  })
  return kept
}
