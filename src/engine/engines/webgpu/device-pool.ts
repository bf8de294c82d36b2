import type { FoundAdapter } from './adapters'
import { requestDevice, requestMatrixDevice, serve, type GpuDevice, type RawDevice } from './gpu-device'
import { holdsOn } from './held-points'

/** A device that held more goes back to the driver at once, so that its memory is free for certain; not one with points for others. */
const maxKeptBytes = 256 * 2 ** 20
const keptMs = 60_000

interface Kept {
  readonly raw: RawDevice
  readonly timer: NodeJS.Timeout
}

/** At most one of an adapter and kind, by the adapter's id and the kind. */
const kept = new Map<string, Kept>()

/**
 * A device of an adapter for one session. The device of a session that ended well is kept for a minute: the next one
 * finds the kernels that were compiled on it, which takes drivers up to seconds.
 * @throws LabError `engine-lost`.
 */
export async function leaseDevice(found: FoundAdapter): Promise<GpuDevice> {
  const { id } = found.device
  return lent(id, take(id) ?? (await requestDevice(found)))
}

/** The same of a device with matrix units; null where there are none. @throws LabError `engine-lost`. */
export async function leaseMatrixDevice(found: FoundAdapter): Promise<GpuDevice | null> {
  const id = `${found.device.id}, matrices`
  const raw = take(id) ?? (await requestMatrixDevice(found))
  return raw === null ? null : lent(id, raw)
}

/** A device for a seeding, while another one has the points of the run. @throws LabError `engine-lost`. */
export async function leaseSeedingDevice(found: FoundAdapter): Promise<GpuDevice> {
  const id = `${found.device.id}, seeding`
  return lent(id, take(id) ?? (await requestDevice(found)))
}

function lent(id: string, raw: RawDevice): GpuDevice {
  return serve(raw, (closed, heldBytes) => {
    const isLarge = heldBytes > maxKeptBytes && !holdsOn(closed.device)
    if (isLarge || kept.has(id)) closed.device.destroy()
    else keep(id, closed)
  })
}

function take(id: string): RawDevice | null {
  const entry = kept.get(id)
  if (entry === undefined) return null
  clearTimeout(entry.timer)
  kept.delete(id)
  return entry.raw.loss.reason === null ? entry.raw : null
}

function keep(id: string, raw: RawDevice): void {
  const timer = setTimeout(() => {
    kept.delete(id)
    raw.device.destroy()
  }, keptMs)
  // A program that is done must not wait for it.
  timer.unref()
  kept.set(id, { raw, timer })
}
