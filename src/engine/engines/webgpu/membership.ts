import type { GpuDevice } from './gpu-device'
import type { Part, Resources } from './resources'

/** Labels that come back at once: staging memory of 64 MiB at most. */
const maxLabelsAtOnce = 2 ** 24

/** The way back of the labels of an iteration, 4 bytes a point, for an update on the processor. */
export class Membership {
  /** (n) label + 1, as the device keeps them. */
  readonly stored: Int32Array
  /** Points that one piece of an assignment may hold. */
  readonly room: number
  readonly #resources: Resources
  readonly #staging: GPUBuffer

  private constructor(n: number, resources: Resources, staging: GPUBuffer, room: number) {
    this.stored = new Int32Array(n)
    this.room = room
    this.#resources = resources
    this.#staging = staging
  }

  static async create(gpu: GpuDevice, resources: Resources, n: number): Promise<Membership> {
    const room = Math.min(n, maxLabelsAtOnce)
    const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST
    const staging = await gpu.checked('reserving room for the labels', () =>
      // One word more: the number of changed labels.
      gpu.createBuffer({ size: 4 * (room + 1), usage }),
    )
    return new Membership(n, resources, staging, room)
  }

  /** Puts the way back of `count` labels on the queue, behind the assignment that writes them. */
  encode(encoder: GPUCommandEncoder, part: Part, first: number, count: number): void {
    const { counts, ring } = this.#resources
    encoder.copyBufferToBuffer(part.labels, 4 * first, this.#staging, 0, 4 * count)
    encoder.copyBufferToBuffer(counts, 4 * (ring.countsStride - 3), this.#staging, 4 * count, 4)
  }

  /** Takes what `encode` put on the queue. @returns labels changed since the iteration began. */
  async take(part: Part, first: number, count: number): Promise<number> {
    const bytes = 4 * (count + 1)
    await this.#staging.mapAsync(GPUMapMode.READ, 0, bytes)
    const words = new Int32Array(this.#staging.getMappedRange(0, bytes))
    this.stored.set(words.subarray(0, count), part.first + first)
    const changed = words[count] >>> 0
    this.#staging.unmap()
    return changed
  }
}
