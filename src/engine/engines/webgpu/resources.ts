import type { Points } from '../engine'
import { fixedPointScales } from './fixed-point'
import type { GpuDevice } from './gpu-device'
import type { Programs } from './programs'
import { planParts, planRing, type PartSize, type RingSize } from './sizes'

/** A part of the points on the device, with the bindings of an iteration over it. */
export interface Part extends PartSize {
  readonly points: GPUBuffer
  /** (count) label + 1; a stand-in of 16 bytes when labels are not tracked. */
  readonly labels: GPUBuffer
  readonly bindings: GPUBindGroup
}

export interface Resources {
  readonly ring: RingSize
  readonly parts: readonly Part[]
  readonly scales: Float32Array
  readonly tasks: GPUBuffer
  readonly counts: GPUBuffer
  readonly sums: GPUBuffer
  readonly centroids: GPUBuffer
  readonly scaleBuffer: GPUBuffer
  readonly meansBindings: GPUBindGroup
  /** For the way back of every ring; mapped after each submit. */
  readonly staging: GPUBuffer
  readonly uploadMs: number
}

/** Bytes between two tasks: the alignment that dynamic offsets need. */
export const taskStride = 256
export const taskBytes = 48
/** Room for the time stamps of a submit, at the end of the staging buffer. */
export const stampBytes = 32

const uploadBytes = 64 * 2 ** 20

/** The most that one buffer may hold and one binding may show. */
export function bindingLimit({ limits }: GPUDevice): number {
  return Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize)
}

/** How the points and the rings are laid out; what cannot fit is refused here, before anything is allocated. */
export interface Plan {
  readonly ring: RingSize
  readonly parts: readonly PartSize[]
}

export function planResources({ n, d }: Points, k: number, limitBytes: number): Plan {
  return { ring: planRing(n, k, d, limitBytes), parts: planParts({ n, d }, limitBytes) }
}

/** Allocates, uploads the points and waits until they are there. */
export async function createResources(
  gpu: GpuDevice,
  points: Points,
  plan: Plan,
  programs: Programs,
  trackLabels: boolean,
): Promise<Resources> {
  const began = performance.now()
  return gpu.checked('uploading the points', async () => {
    const shared = createShared(gpu.device, points, plan.ring, plan.parts.length)
    const parts = plan.parts.map((part) =>
      createPart(gpu.device, points, part, shared, programs, trackLabels),
    )
    await gpu.device.queue.onSubmittedWorkDone()
    const meansBindings = gpu.device.createBindGroup({
      layout: programs.meansLayout,
      entries: entriesOf(shared, [0, 3, 4, 5, 6]),
    })
    return { ...shared, ring: plan.ring, parts, meansBindings, uploadMs: performance.now() - began }
  })
}

type Shared = Omit<Resources, 'ring' | 'parts' | 'meansBindings' | 'uploadMs'>

function createShared(device: GPUDevice, points: Points, ring: RingSize, parts: number): Shared {
  const scales = fixedPointScales(points.maxAbs)
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST
  const words = (count: number) => device.createBuffer({ size: 4 * count, usage })
  const scaleBuffer = words(scales.length)
  device.queue.writeBuffer(scaleBuffer, 0, scales as Float32Array<ArrayBuffer>)
  const slotWords = ring.countsStride + ring.sumsStride + ring.centroidsStride
  return {
    scales,
    scaleBuffer,
    tasks: device.createBuffer({
      size: taskStride * ring.slots * (parts + 1),
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    }),
    counts: words(ring.slots * ring.countsStride),
    sums: words(ring.slots * ring.sumsStride),
    centroids: words((ring.slots + 1) * ring.centroidsStride),
    staging: device.createBuffer({
      size: 8 * Math.ceil((4 * ring.slots * slotWords) / 8) + stampBytes,
      usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    }),
  }
}

function createPart(
  device: GPUDevice,
  { x, d }: Points,
  part: PartSize,
  shared: Shared,
  programs: Programs,
  trackLabels: boolean,
): Part {
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST
  const points = device.createBuffer({ size: 4 * part.count * d, usage })
  const labels = device.createBuffer({ size: trackLabels ? 4 * part.count : 16, usage })
  const values = x.subarray(part.first * d, (part.first + part.count) * d) as Float32Array<ArrayBuffer>
  const step = uploadBytes / 4
  for (let at = 0; at < values.length; at += step) {
    device.queue.writeBuffer(points, 4 * at, values, at, Math.min(step, values.length - at))
  }
  const bindings = bindPart(device, programs, shared, points, labels)
  return { ...part, points, labels, bindings }
}

/** The bindings of an assignment over `points` that writes `labels`. */
export function bindPart(
  device: GPUDevice,
  programs: Programs,
  shared: Shared,
  points: GPUBuffer,
  labels: GPUBuffer,
): GPUBindGroup {
  const own = [
    { binding: 1, resource: { buffer: points } },
    { binding: 2, resource: { buffer: labels } },
  ]
  const entries = [...entriesOf(shared, [0, 3, 4, 5, 6]), ...own]
  return device.createBindGroup({ layout: programs.assignLayout, entries })
}

function entriesOf(shared: Shared, bindings: readonly number[]): GPUBindGroupEntry[] {
  const buffers: Record<number, GPUBufferBinding> = {
    0: { buffer: shared.tasks, size: taskBytes },
    3: { buffer: shared.counts },
    4: { buffer: shared.sums },
    5: { buffer: shared.centroids },
    6: { buffer: shared.scaleBuffer },
  }
  return bindings.map((binding) => ({ binding, resource: buffers[binding] }))
}
