import { bindStep, type BoundStep } from './bindings'
import type { GpuDevice } from './gpu-device'
import { ReadBack } from './read-back'
import type { Part, Resources } from './resources'
import type { BatchResult, Phase, Position, Runner, Wanted } from './runner'
import { accumulate, countChanges, taskStride, writeLabels, writeTasks, type TaskWords } from './task-list'

const mostLabelsAtOnce = 2 ** 22

/** Iterations on the device alone, whole batches of them without a trip to the host. */
export class Executor implements Runner {
  readonly hostDeviceBytesPerIteration: number
  readonly #gpu: GpuDevice
  readonly #resources: Resources
  readonly #rounds: number
  readonly #readBack: ReadBack
  readonly #n: number
  readonly #d: number
  /** Of an iteration. */
  readonly #flags: number
  readonly #hasUpdate: boolean
  #k: number

  constructor(
    gpu: GpuDevice,
    resources: Resources,
    rounds: number,
    shape: { readonly n: number; readonly k: number; readonly d: number },
    want: Wanted,
  ) {
    this.#gpu = gpu
    this.#resources = resources
    this.#rounds = rounds
    this.#n = shape.n
    this.#d = shape.d
    this.#k = shape.k
    this.#hasUpdate = resources.parts[0].steps.update.length > 0
    const labelled = this.#hasUpdate || want.changes ? writeLabels : 0
    this.#flags = accumulate + labelled + (want.changes ? countChanges : 0)
    this.#readBack = new ReadBack(gpu, resources, want)
    const { countsStride, centroidsStride, sumsStride } = resources.ring
    this.hostDeviceBytesPerIteration = 4 * (countsStride + centroidsStride + (want.sums ? sumsStride : 0))
  }

  get mostIterations(): number {
    return this.#resources.ring.slots
  }

  async prepare(): Promise<void> {
    await this.#warmUp()
    for (const { steps, count } of this.#resources.parts) {
      if (steps.prepare.length === 0) continue
      await this.#gpu.checked('preparing the points', () => this.#submitRange(steps.prepare, 0, count, false))
    }
  }

  place(centroids: Float32Array): Promise<void> {
    this.#k = centroids.length / this.#d
    const values = centroids as Float32Array<ArrayBuffer>
    return this.#gpu.checked('writing the centroids', () => {
      this.#gpu.device.queue.writeBuffer(this.#resources.centroids, 0, values)
    })
  }

  iterate(count: number): Promise<BatchResult> {
    return this.#gpu.checked('clustering', () => {
      const encoder = this.#gpu.device.createCommandEncoder()
      this.#clear(encoder, count)
      this.#writeTasks(count)
      this.#encodeIterations(encoder, count)
      return this.#readBack.submit(encoder, count, this.#shape, this.#readBack.stamped)
    })
  }

  fit({ part, first }: Position, points: number): number {
    return Math.min(points, this.#resources.parts[part].count - first)
  }

  async piece({ phase, part, first }: Position, count: number): Promise<Position | null> {
    const { steps, count: all } = this.#resources.parts[part]
    const begins = phase === 'assign' && part === 0 && first === 0
    const place = phase === 'assign' ? 'assigning the points' : 'updating the centroids'
    await this.#gpu.checked(place, () => this.#submitRange(steps[phase], first, count, begins))
    if (first + count < all) return { phase, part, first: first + count }
    if (part + 1 < this.#resources.parts.length) return { phase, part: part + 1, first: 0 }
    return phase === 'assign' && this.#hasUpdate ? { phase: 'update', part: 0, first: 0 } : null
  }

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

  async label(most: number): Promise<Int32Array> {
    const labels = new Int32Array(this.#n)
    const room = Math.min(this.#n, most, mostLabelsAtOnce)
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

  close(): void {
    this.#gpu.destroy()
  }

  get #shape(): { readonly k: number; readonly d: number } {
    return { k: this.#k, d: this.#d }
  }

  /**
   * Runs every kernel over nothing: drivers that translate at the first dispatch (SwiftShader takes hundreds of
   * milliseconds) do it here and not in an iteration.
   */
  #warmUp(): Promise<void> {
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
