import { bindStep, type BoundStep } from './bindings'
import type { GpuDevice } from './gpu-device'
import { ReadBack, type BatchResult } from './read-back'
import type { Part, Resources } from './resources'
import { accumulate, countChanges, taskStride, writeLabels, writeTasks, type TaskWords } from './task-list'

/** The two phases that points go through; the means belong to the second. */
export type Phase = 'assign' | 'update'

/** Where an iteration that takes several submits stands. */
export interface Position {
  readonly phase: Phase
  readonly part: number
  readonly first: number
}

const mostLabelsAtOnce = 2 ** 22

/** Puts iterations and labellings on the queue and brings their results back. Knows no rule and no policy. */
export class Executor {
  readonly #gpu: GpuDevice
  readonly #resources: Resources
  readonly #rounds: number
  readonly #readBack: ReadBack
  readonly #d: number
  /** Of an iteration. */
  readonly #flags: number
  readonly #hasUpdate: boolean
  #k: number

  constructor(
    gpu: GpuDevice,
    resources: Resources,
    rounds: number,
    shape: { readonly k: number; readonly d: number },
    want: { readonly sums: boolean; readonly stamps: boolean; readonly changes: boolean },
  ) {
    this.#gpu = gpu
    this.#resources = resources
    this.#rounds = rounds
    this.#d = shape.d
    this.#k = shape.k
    this.#hasUpdate = resources.parts[0].steps.update.length > 0
    const labelled = this.#hasUpdate || want.changes ? writeLabels : 0
    this.#flags = accumulate + labelled + (want.changes ? countChanges : 0)
    this.#readBack = new ReadBack(gpu, resources, want)
  }

  /** Sets the clusters in play and their centroids, (k, d). */
  place(centroids: Float32Array): Promise<void> {
    this.#k = centroids.length / this.#d
    const values = centroids as Float32Array<ArrayBuffer>
    return this.#gpu.checked('writing the centroids', () => {
      this.#gpu.device.queue.writeBuffer(this.#resources.centroids, 0, values)
    })
  }

  /**
   * Runs every kernel over nothing: drivers that translate at the first dispatch (SwiftShader takes hundreds of
   * milliseconds) do it here and not in an iteration.
   */
  warmUp(): Promise<void> {
    return this.#gpu.checked('preparing the kernels', async () => {
      const { parts, means, tasks } = this.#resources
      const { prepare, assign, update } = parts[0].steps
      this.#gpu.device.queue.writeBuffer(tasks, 0, new Uint32Array(taskStride / 4))
      const encoder = this.#gpu.device.createCommandEncoder()
      const pass = encoder.beginComputePass()
      for (const { step, bindings } of [...prepare, ...assign, ...update, means]) {
        pass.setPipeline(step.pipeline)
        pass.setBindGroup(0, bindings, [0])
        pass.dispatchWorkgroups(1)
      }
      pass.end()
      this.#gpu.device.queue.submit([encoder.finish()])
      await this.#gpu.device.queue.onSubmittedWorkDone()
    })
  }

  /** Carries out what the variant wants done once with the points. */
  async prepare(): Promise<void> {
    for (const { steps, count } of this.#resources.parts) {
      if (steps.prepare.length === 0) continue
      await this.#gpu.checked('preparing the points', () => this.#submitRange(steps.prepare, 0, count, false))
    }
  }

  /** `count` iterations in one submit, from the centroids placed. */
  iterate(count: number): Promise<BatchResult> {
    return this.#gpu.checked('clustering', () => {
      const encoder = this.#gpu.device.createCommandEncoder()
      this.#clear(encoder, count)
      this.#writeTasks(count)
      this.#encodeIterations(encoder, count)
      return this.#readBack.submit(encoder, count, this.#shape, this.#readBack.stamped)
    })
  }

  /**
   * A piece of one iteration: one phase of at most `points` points from `position` on.
   * @returns where to go on, or null when only the means are left and `complete` may follow.
   */
  async piece({ phase, part, first }: Position, points: number): Promise<Position | null> {
    const { steps, count: all } = this.#resources.parts[part]
    const count = Math.min(points, all - first)
    const begins = phase === 'assign' && part === 0 && first === 0
    const place = phase === 'assign' ? 'assigning the points' : 'updating the centroids'
    await this.#gpu.checked(place, () => this.#submitRange(steps[phase], first, count, begins))
    if (first + count < all) return { phase, part, first: first + count }
    if (part + 1 < this.#resources.parts.length) return { phase, part: part + 1, first: 0 }
    return phase === 'assign' && this.#hasUpdate ? { phase: 'update', part: 0, first: 0 } : null
  }

  /** The means of an iteration that was made in pieces. */
  complete(): Promise<BatchResult> {
    return this.#gpu.checked('updating the centroids', () => {
      const encoder = this.#gpu.device.createCommandEncoder()
      this.#write([{ first: 0, count: 0, slot: 0, labelOrigin: 0, flags: this.#flags, step: 0 }])
      const pass = encoder.beginComputePass()
      this.#dispatch(pass, [this.#resources.means], 0, 0)
      pass.end()
      return this.#readBack.submit(encoder, 1, this.#shape, false)
    })
  }

  /** Labels of all points against the centroids placed, `most` points a submit. */
  async label(n: number, most: number): Promise<Int32Array> {
    const labels = new Int32Array(n)
    const room = Math.min(n, most, mostLabelsAtOnce)
    const { device } = this.#gpu
    const [output, staging] = await this.#gpu.checked('reserving room for the labels', () => [
      device.createBuffer({ size: 4 * room, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC }),
      device.createBuffer({ size: 4 * room, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST }),
    ])
    try {
      for (const part of this.#resources.parts) {
        const steps = labelling(device, part, output)
        for (let first = 0; first < part.count; first += room) {
          const count = Math.min(room, part.count - first)
          const stored = await this.#labelPiece(steps, output, staging, first, count)
          for (let i = 0; i < count; i++) labels[part.first + first + i] = stored[i] - 1
        }
      }
    } finally {
      output.destroy()
      staging.destroy()
    }
    return labels
  }

  /** Sets the labels that the next iteration compares with; null: no point has one yet. */
  setLabels(labels: Int32Array | null): Promise<void> {
    return this.#gpu.checked('writing the labels', () => {
      const encoder = this.#gpu.device.createCommandEncoder()
      for (const { labels: buffer, first, count } of this.#resources.parts) {
        if (labels === null) encoder.clearBuffer(buffer)
        else this.#gpu.device.queue.writeBuffer(buffer, 0, labels.slice(first, first + count).map(stored))
      }
      this.#gpu.device.queue.submit([encoder.finish()])
    })
  }

  get #shape(): { readonly k: number; readonly d: number } {
    return { k: this.#k, d: this.#d }
  }

  async #submitRange(
    steps: readonly BoundStep[],
    first: number,
    count: number,
    begins: boolean,
  ): Promise<void> {
    const encoder = this.#gpu.device.createCommandEncoder()
    if (begins) this.#clear(encoder, 1)
    this.#write(this.#rangeTasks({ first, count, slot: 0, labelOrigin: 0, flags: this.#flags }))
    const pass = encoder.beginComputePass()
    this.#dispatch(pass, steps, 0, count)
    pass.end()
    this.#gpu.device.queue.submit([encoder.finish()])
    await this.#gpu.device.queue.onSubmittedWorkDone()
  }

  #labelPiece(
    steps: readonly BoundStep[],
    output: GPUBuffer,
    staging: GPUBuffer,
    first: number,
    count: number,
  ): Promise<Uint32Array> {
    return this.#gpu.checked('reading the labels', async () => {
      const encoder = this.#gpu.device.createCommandEncoder()
      this.#write(this.#rangeTasks({ first, count, slot: 0, labelOrigin: first, flags: writeLabels }))
      const pass = encoder.beginComputePass()
      this.#dispatch(pass, steps, 0, count)
      pass.end()
      encoder.copyBufferToBuffer(output, 0, staging, 0, 4 * count)
      this.#gpu.device.queue.submit([encoder.finish()])
      await staging.mapAsync(GPUMapMode.READ, 0, 4 * count)
      const stored = new Uint32Array(staging.getMappedRange(0, 4 * count)).slice()
      staging.unmap()
      return stored
    })
  }

  #clear(encoder: GPUCommandEncoder, slots: number): void {
    const { counts, sums, ring } = this.#resources
    encoder.clearBuffer(counts, 0, 4 * slots * ring.countsStride)
    encoder.clearBuffer(sums, 0, 4 * slots * ring.sumsStride)
  }

  #encodeIterations(encoder: GPUCommandEncoder, count: number): void {
    const { parts, means } = this.#resources
    const overParts = (pass: GPUComputePassEncoder, phase: Phase, task: number) =>
      parts.forEach((part, at) => {
        this.#dispatch(pass, part.steps[phase], task + at * this.#rounds, part.count)
      })
    let pass = encoder.beginComputePass(this.#readBack.stampsOf('assign'))
    for (let slot = 0; slot < count; slot++) {
      const task = slot * this.#tasksPerSlot
      overParts(pass, 'assign', task)
      if (this.#readBack.stamped) {
        pass.end()
        pass = encoder.beginComputePass(this.#readBack.stampsOf('update'))
      }
      overParts(pass, 'update', task)
      this.#dispatch(pass, [means], task + parts.length * this.#rounds, 0)
    }
    pass.end()
  }

  /** `task`: the first of the range's tasks, one for each round. */
  #dispatch(pass: GPUComputePassEncoder, steps: readonly BoundStep[], task: number, count: number): void {
    for (const { step, bindings } of steps) {
      pass.setPipeline(step.pipeline)
      pass.setBindGroup(0, bindings, [(task + step.step) * taskStride])
      pass.dispatchWorkgroups(...step.groups({ count, ...this.#shape }))
    }
  }

  get #tasksPerSlot(): number {
    return this.#resources.parts.length * this.#rounds + 1
  }

  #writeTasks(slots: number): void {
    const tasks: TaskWords[] = []
    const shared = { first: 0, labelOrigin: 0, flags: this.#flags }
    for (let slot = 0; slot < slots; slot++) {
      for (const { count } of this.#resources.parts)
        tasks.push(...this.#rangeTasks({ ...shared, count, slot }))
      tasks.push({ ...shared, count: 0, slot, step: 0 })
    }
    this.#write(tasks)
  }

  #rangeTasks(range: Omit<TaskWords, 'step'>): TaskWords[] {
    return Array.from({ length: this.#rounds }, (_, step) => ({ ...range, step }))
  }

  #write(tasks: readonly TaskWords[]): void {
    writeTasks(this.#gpu.device, this.#resources, this.#shape, tasks)
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
