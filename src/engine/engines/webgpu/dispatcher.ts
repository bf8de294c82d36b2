import type { BoundStep } from './bindings'
import type { GpuDevice } from './gpu-device'
import type { Resources } from './resources'
import { taskStride, writeTasks, type TaskWords } from './task-list'

/** A run of consecutive points of one part and what to do with them; see task.wgsl. */
export type Range = Omit<TaskWords, 'step'>

/** Clusters in play and features. */
export interface Shape {
  readonly k: number
  readonly d: number
}

/** Puts passes on the queue: tells them what to do and sends them over ranges of points. */
export class Dispatcher {
  readonly gpu: GpuDevice
  readonly resources: Resources
  /** Tasks that a range needs, one for each value of `step`. */
  readonly rounds: number
  readonly #d: number
  #k: number
  /** What the pass being recorded has been told. */
  #current: { readonly pass: GPUComputePassEncoder | null; readonly pipeline: GPUComputePipeline | null } = {
    pass: null,
    pipeline: null,
  }
  /** The batch whose tasks are the last that were written; none: 0 slots. */
  #batchOf = { k: 0, slots: 0 }

  constructor(gpu: GpuDevice, resources: Resources, rounds: number, { k, d }: Shape) {
    this.gpu = gpu
    this.resources = resources
    this.rounds = rounds
    this.#d = d
    this.#k = k
  }

  get shape(): Shape {
    return { k: this.#k, d: this.#d }
  }

  /** Sets the clusters in play and their centroids, (k, d). */
  setCentroids(centroids: Float32Array): Promise<void> {
    this.#k = centroids.length / this.#d
    const values = centroids as Float32Array<ArrayBuffer>
    return this.gpu.checked('writing the centroids', () => {
      this.gpu.device.queue.writeBuffer(this.resources.centroids, 0, values)
    })
  }

  /**
   * Runs every kernel over nothing: drivers that translate at the first dispatch (SwiftShader takes hundreds of
   * milliseconds) do it here and not in an iteration.
   */
  warmUp(): Promise<void> {
    return this.gpu.checked('preparing the kernels', async () => {
      const { parts, means, tasks } = this.resources
      const { prepare, assign, whole, wholeEnd, update } = parts[0].steps
      const { device } = this.gpu
      device.queue.writeBuffer(tasks, 0, new Uint32Array(taskStride / 4))
      const encoder = device.createCommandEncoder()
      const pass = encoder.beginComputePass()
      for (const { step, bindings } of [...prepare, ...assign, ...whole, ...wholeEnd, ...update, means]) {
        pass.setPipeline(step.pipeline)
        pass.setBindGroup(0, bindings, [0])
        pass.dispatchWorkgroups(1)
      }
      pass.end()
      await this.finish(encoder)
    })
  }

  /** Carries out what the variant wants done once with the points. */
  async prepare(): Promise<void> {
    for (const { steps, count } of this.resources.parts) {
      if (steps.prepare.length === 0) continue
      const range = { first: 0, count, slot: 0, labelOrigin: 0, flags: 0 }
      await this.gpu.checked('preparing the points', () => {
        const encoder = this.gpu.device.createCommandEncoder()
        this.encodeRange(encoder, steps.prepare, range)
        return this.finish(encoder)
      })
    }
  }

  /** Fills buffers with zeros. */
  zero(buffers: readonly GPUBuffer[]): Promise<void> {
    return this.gpu.checked('starting a run', () => {
      const encoder = this.gpu.device.createCommandEncoder()
      for (const buffer of buffers) encoder.clearBuffer(buffer)
      this.gpu.device.queue.submit([encoder.finish()])
    })
  }

  /** Submits, and waits for the end. */
  async finish(encoder: GPUCommandEncoder): Promise<void> {
    const { queue } = this.gpu.device
    queue.submit([encoder.finish()])
    await queue.onSubmittedWorkDone()
  }

  /** Steps over one range, the only ones of their submit. */
  encodeRange(encoder: GPUCommandEncoder, steps: readonly BoundStep[], range: Range): void {
    this.write(this.tasksOf(range))
    const pass = encoder.beginComputePass()
    this.dispatch(pass, steps, 0, range.count)
    pass.end()
  }

  /** `task`: the first of the range's tasks, one for each round. */
  dispatch(pass: GPUComputePassEncoder, steps: readonly BoundStep[], task: number, count: number): void {
    const shape = { count, ...this.shape }
    for (const { step, bindings } of steps) {
      // Every call costs about as much as a short kernel takes.
      if (this.#current.pass !== pass || this.#current.pipeline !== step.pipeline) {
        pass.setPipeline(step.pipeline)
        this.#current = { pass, pipeline: step.pipeline }
      }
      pass.setBindGroup(0, bindings, [(task + step.step) * taskStride])
      pass.dispatchWorkgroups(...step.groups(shape))
    }
  }

  tasksOf(range: Range): TaskWords[] {
    return Array.from({ length: this.rounds }, (_, step) => ({ ...range, step }))
  }

  write(tasks: readonly TaskWords[]): void {
    this.#batchOf = { k: 0, slots: 0 }
    writeTasks(this.gpu.device, this.resources, this.shape, tasks)
  }

  /** Tasks of a batch of `slots` iterations, the same for every batch of a session: written where they are not there yet. */
  writeBatch(slots: number, tasksOf: (slots: number) => readonly TaskWords[]): void {
    const { k, slots: written } = this.#batchOf
    if (k === this.#k && slots <= written) return
    this.write(tasksOf(slots))
    this.#batchOf = { k: this.#k, slots }
  }

  /** The centroids after `slots` iterations are those that the next submit begins with. */
  goOn(encoder: GPUCommandEncoder, slots: number): void {
    const { centroids, sums } = this.resources
    const bytes = 4 * this.#k * this.#d
    // By way of the sums, which are free between submits: a buffer cannot be copied to itself.
    encoder.copyBufferToBuffer(centroids, 4 * slots * this.resources.ring.centroidsStride, sums, 0, bytes)
    encoder.copyBufferToBuffer(sums, 0, centroids, 0, bytes)
  }

  /** Counts and sums of the first `slots` iterations of a submit begin at 0. */
  clear(encoder: GPUCommandEncoder, slots: number): void {
    const { counts, sums, ring } = this.resources
    encoder.clearBuffer(counts, 0, 4 * slots * ring.countsStride)
    encoder.clearBuffer(sums, 0, 4 * slots * ring.sumsStride)
  }
}
