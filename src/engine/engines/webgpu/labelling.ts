import { bindStep, type BoundStep } from './bindings'
import type { Dispatcher } from './dispatcher'
import { labelsPerWord, type Step } from './programs'
import { listedLabels, type Part } from './resources'
import type { Labelled } from './runner'
import { writeLabels } from './task-list'

const maxLabelsAtOnce = 2 ** 22

/** Room for the labels of a submit on their way to the host. */
interface Room {
  readonly output: GPUBuffer
  /** The same, packed. */
  readonly packed: GPUBuffer
  readonly staging: GPUBuffer
}

/** Labels of all points outside of an iteration. */
export class Labelling {
  readonly #on: Dispatcher
  readonly #n: number
  readonly #apart: boolean

  /** @param apart the assignment is waited for, so that the transfer is timed alone. */
  constructor(on: Dispatcher, n: number, apart: boolean) {
    this.#on = on
    this.#n = n
    this.#apart = apart
  }

  /** Labels (n) against the centroids placed, at most `most` points a submit. */
  async read(most: number): Promise<Labelled> {
    const labels = new Int32Array(this.#n)
    let downloadMs = 0
    const { parts, wholeParts } = this.#on.resources
    const asked = wholeParts ? Math.max(...parts.map(({ count }) => count)) : most
    const points = Math.min(this.#n, asked, maxLabelsAtOnce)
    const room = await this.#reserve(points)
    try {
      for (const part of parts) {
        const steps = labelling(this.#on.gpu.device, part, room, this.#on.resources.packing)
        for (let first = 0; first < part.count; first += points) {
          const count = Math.min(points, part.count - first)
          const piece = labels.subarray(part.first + first, part.first + first + count)
          downloadMs += await this.#piece(steps, room, first, piece)
        }
      }
    } finally {
      room.output.destroy()
      room.packed.destroy()
      room.staging.destroy()
    }
    return { labels, downloadMs }
  }

  /** Sets the labels that the next iteration compares with; null: no point has one yet. */
  write(labels: Int32Array | null): Promise<void> {
    const { gpu, resources } = this.#on
    return gpu.checked('writing the labels', () => {
      const encoder = gpu.device.createCommandEncoder()
      for (const { labels: buffer, first, count } of resources.parts) {
        if (labels === null) encoder.clearBuffer(buffer)
        else gpu.device.queue.writeBuffer(buffer, 0, labels.slice(first, first + count).map(stored))
      }
      gpu.device.queue.submit([encoder.finish()])
    })
  }

  #reserve(points: number): Promise<Room> {
    const { device, checked } = this.#on.gpu
    const { STORAGE, COPY_SRC, MAP_READ, COPY_DST } = GPUBufferUsage
    const bytes = bytesOf(points, this.#on.shape.k)
    return checked('reserving room for the labels', () => ({
      output: device.createBuffer({ size: listedLabels.bytes(points), usage: STORAGE }),
      packed: device.createBuffer({ size: bytes, usage: STORAGE | COPY_SRC }),
      staging: device.createBuffer({ size: bytes, usage: MAP_READ | COPY_DST }),
    }))
  }

  /** Labels of as many points from `first` on as `labels` holds. @returns time of their transfer, ms */
  #piece(
    steps: readonly BoundStep[],
    { packed, staging }: Room,
    first: number,
    labels: Int32Array,
  ): Promise<number> {
    const { device, checked } = this.#on.gpu
    const count = labels.length
    return checked('reading the labels', async () => {
      const assigning = device.createCommandEncoder()
      this.#on.encodeRange(assigning, steps, {
        first,
        count,
        slot: 0,
        labelOrigin: first,
        flags: writeLabels,
      })
      if (this.#apart) await this.#on.finish(assigning)
      let began = performance.now()
      const { k } = this.#on.shape
      const bytes = bytesOf(count, k)
      const copying = this.#apart ? device.createCommandEncoder() : assigning
      copying.copyBufferToBuffer(packed, 0, staging, 0, bytes)
      device.queue.submit([copying.finish()])
      await staging.mapAsync(GPUMapMode.READ, 0, bytes)
      if (!this.#apart) began = performance.now()
      labels.set(widened(staging.getMappedRange(0, bytes), k).subarray(0, count))
      staging.unmap()
      return performance.now() - began
    })
  }
}

/** The assignment of a part, with its labels going to the room, and packed there. */
function labelling(
  device: GPUDevice,
  { buffers, steps }: Part,
  { output, packed }: Room,
  packing: Step,
): BoundStep[] {
  const redirected = {
    ...buffers,
    shared: { ...buffers.shared, labels: output },
    scratch: { ...buffers.scratch, packed },
  }
  return [...steps.assign.map(({ step }) => step), packing].map((step) => bindStep(device, step, redirected))
}

/** Of packed labels, whole words. */
function bytesOf(points: number, k: number): number {
  return 4 * Math.ceil(points / labelsPerWord(k))
}

/** The labels as packed for k clusters. */
function widened(packed: ArrayBuffer, k: number): Uint8Array | Uint16Array | Int32Array {
  if (labelsPerWord(k) === 4) return new Uint8Array(packed)
  return labelsPerWord(k) === 2 ? new Uint16Array(packed) : new Int32Array(packed)
}

function stored(label: number): number {
  return label + 1
}
