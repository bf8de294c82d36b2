import { LabError } from '@shared/errors'
import type { NativeMemberSummer, NativeMemberSums } from '../native'
import type { Dispatcher } from './dispatcher'
import { Labelling } from './labelling'
import type { Membership } from './membership'
import type { BatchResult, Labelled, Position, Runner, Wanted } from './runner'
import { countChanges, writeLabels } from './task-list'

/**
 * Iterations in two halves: the device assigns and the labels come back, the processor sums the members of each
 * cluster off the event loop and forms the means, which the next iteration takes to the device.
 */
export class HybridRunner implements Runner {
  /** Never more than one iteration a trip to the host: every one is made of pieces. */
  readonly maxIterations = 0
  /** Labels one way, centroids the other. */
  readonly hostDeviceBytesPerIteration: number
  readonly #on: Dispatcher
  readonly #labelling: Labelling
  readonly #membership: Membership
  readonly #summer: NativeMemberSummer
  readonly #flags: number
  /** (clusters in play, d), those placed. */
  #centroids = new Float32Array()
  #changed = 0
  #sums: NativeMemberSums | null = null

  /** @param summer of the same points; the runner's own from now on. */
  constructor(on: Dispatcher, membership: Membership, summer: NativeMemberSummer, want: Wanted) {
    const { k, d } = on.shape
    const n = membership.stored.length
    this.#on = on
    this.#labelling = new Labelling(on, n, want.apart)
    this.#membership = membership
    this.#summer = summer
    this.#flags = writeLabels + (want.changes ? countChanges : 0)
    this.hostDeviceBytesPerIteration = 4 * n + 4 * k * d
  }

  start(): Promise<void> {
    return Promise.resolve()
  }

  setCentroids(centroids: Float32Array): Promise<void> {
    this.#centroids = centroids.slice()
    return this.#on.setCentroids(centroids)
  }

  iterate(): Promise<BatchResult> {
    const message = 'A hybrid variant makes its iterations in pieces; please report this fault.'
    return Promise.reject(new LabError('internal', 'webgpu.hybrid', message))
  }

  fit({ phase, part, first }: Position, points: number): number {
    if (phase === 'update') return this.#membership.stored.length
    return Math.min(points, this.#membership.room, this.#on.resources.parts[part].count - first)
  }

  piece(position: Position, count: number, signal: AbortSignal): Promise<Position | null> {
    return position.phase === 'assign' ? this.#assign(position, count) : this.#update(position, signal)
  }

  /** The means of the sums; an empty cluster keeps its centroid. */
  async complete(): Promise<BatchResult> {
    const { sums, counts } = this.#sums ?? { sums: new Float64Array(), counts: new Uint32Array() }
    const { d } = this.#on.shape
    const centroids = this.#centroids.map((old, at) => {
      const members = counts[Math.floor(at / d)]
      return members === 0 ? old : sums[at] / members
    })
    const slot = { counts, changed: this.#changed, sums, centroids }
    return { slots: [slot], assignMs: null, updateMs: null }
  }

  label(most: number): Promise<Labelled> {
    return this.#labelling.read(most)
  }

  setLabels(labels: Int32Array | null): Promise<void> {
    return this.#labelling.write(labels)
  }

  close(): Promise<void> {
    this.#summer.close()
    return this.#on.gpu.close()
  }

  async #assign({ part: at, first }: Position, count: number): Promise<Position> {
    const { resources, gpu } = this.#on
    const part = resources.parts[at]
    await gpu.checked('assigning the points', async () => {
      const encoder = gpu.device.createCommandEncoder()
      if (at === 0 && first === 0) this.#on.clear(encoder, 1)
      const range = { first, count, slot: 0, labelOrigin: 0, flags: this.#flags }
      this.#on.encodeRange(encoder, part.steps.assign, range)
      this.#membership.encode(encoder, part, first, count)
      gpu.device.queue.submit([encoder.finish()])
      this.#changed = await this.#membership.take(part, first, count)
    })
    if (first + count < part.count) return { phase: 'assign', part: at, first: first + count }
    if (at + 1 < resources.parts.length) return { phase: 'assign', part: at + 1, first: 0 }
    return { phase: 'update', part: 0, first: 0 }
  }

  async #update(position: Position, signal: AbortSignal): Promise<Position | null> {
    const cancel = () => this.#summer.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      // Labels on the device are numbered from 1.
      this.#sums = await this.#summer.sum(this.#membership.stored, 1, this.#on.shape.k)
    } catch (error) {
      throw summingFailed(error)
    } finally {
      signal.removeEventListener('abort', cancel)
    }
    return this.#sums === null ? position : null
  }
}

function summingFailed(error: unknown): LabError {
  const cause = error instanceof Error ? error.message : String(error)
  const message = `The processor's half of the hybrid variant failed while summing the clusters (${cause}); run again, or choose another variant.`
  return new LabError('engine-lost', 'webgpu.member-sums', message)
}
