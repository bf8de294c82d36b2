import { bindStep, type BoundStep } from './bindings'
import type { Dispatcher } from './dispatcher'
import type { Part } from './resources'
import { writeLabels } from './task-list'

const mostLabelsAtOnce = 2 ** 22

/** Room for the labels of a submit on their way to the host. */
interface Room {
  readonly output: GPUBuffer
  readonly staging: GPUBuffer
}

/** Labels of all points outside of an iteration. */
export class Labelling {
  readonly #on: Dispatcher
  readonly #n: number

  constructor(on: Dispatcher, n: number) {
    this.#on = on
    this.#n = n
  }

  /** Labels (n) against the centroids placed, at most `most` points a submit. */
  async read(most: number): Promise<Int32Array> {
    const labels = new Int32Array(this.#n)
    const points = Math.min(this.#n, most, mostLabelsAtOnce)
    const room = await this.#reserve(points)
    try {
      for (const part of this.#on.resources.parts) {
        const steps = labelling(this.#on.gpu.device, part, room.output)
        for (let first = 0; first < part.count; first += points) {
          const stored = await this.#piece(steps, room, first, Math.min(points, part.count - first))
          stored.forEach((label, i) => (labels[part.first + first + i] = label - 1))
        }
      }
    } finally {
      room.output.destroy()
      room.staging.destroy()
    }
    return labels
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
    return checked('reserving room for the labels', () => ({
      output: device.createBuffer({ size: 4 * points, usage: STORAGE | COPY_SRC }),
      staging: device.createBuffer({ size: 4 * points, usage: MAP_READ | COPY_DST }),
    }))
  }

  #piece(
    steps: readonly BoundStep[],
    { output, staging }: Room,
    first: number,
    count: number,
  ): Promise<Uint32Array> {
    const { device, checked } = this.#on.gpu
    return checked('reading the labels', async () => {
      const encoder = device.createCommandEncoder()
      this.#on.encodeRange(encoder, steps, { first, count, slot: 0, labelOrigin: first, flags: writeLabels })
      encoder.copyBufferToBuffer(output, 0, staging, 0, 4 * count)
      device.queue.submit([encoder.finish()])
      await staging.mapAsync(GPUMapMode.READ, 0, 4 * count)
      const stored = new Uint32Array(staging.getMappedRange(0, 4 * count)).slice()
      staging.unmap()
      return stored
    })
  }
}

/** The assignment of a part, with its labels going to `output`. */
function labelling(device: GPUDevice, { buffers, steps }: Part, output: GPUBuffer): BoundStep[] {
  const redirected = { ...buffers, shared: { ...buffers.shared, labels: output } }
  return steps.assign.map(({ step }) => bindStep(device, step, redirected))
}

function stored(label: number): number {
  return label + 1
}
