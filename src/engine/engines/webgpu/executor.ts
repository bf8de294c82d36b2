import type { GpuDevice } from './gpu-device'
import { grid, type Programs } from './programs'
import { bindPart, stampBytes, taskStride, type Part, type Resources } from './resources'

/** What an iteration left in its slot. Rows are those of the clusters in play. */
export interface SlotResult {
  readonly counts: Uint32Array
  readonly changed: number
  /** Empty unless asked for: (k, d, 2) words. */
  readonly sums: Uint32Array
  /** (k, d) after the update. */
  readonly centroids: Float32Array
}

export interface BatchResult {
  readonly slots: readonly SlotResult[]
  /** Device time of the assignment and of the means; null without time stamps. */
  readonly assignMs: number | null
  readonly meansMs: number | null
}

/** Where an iteration that takes several submits stands. */
export interface Position {
  readonly part: number
  readonly first: number
}

interface TaskWords {
  readonly first: number
  readonly count: number
  readonly slot: number
  readonly labelOrigin: number
  readonly flags: number
}

/** Flags of task.wgsl. */
const accumulate = 1
const writeLabels = 2
const countChanges = 4

const mostLabelsAtOnce = 2 ** 22

/** Puts iterations and labellings on the queue and brings their results back. Knows no rule and no policy. */
export class Executor {
  readonly #gpu: GpuDevice
  readonly #programs: Programs
  readonly #resources: Resources
  readonly #d: number
  readonly #wantSums: boolean
  readonly #wantStamps: boolean
  /** Of an iteration. */
  readonly #flags: number
  readonly #querySet: GPUQuerySet | null
  readonly #stamps: GPUBuffer | null
  #k: number

  constructor(
    gpu: GpuDevice,
    programs: Programs,
    resources: Resources,
    shape: { readonly k: number; readonly d: number },
    want: { readonly sums: boolean; readonly stamps: boolean; readonly changes: boolean },
  ) {
    this.#gpu = gpu
    this.#programs = programs
    this.#resources = resources
    this.#d = shape.d
    this.#k = shape.k
    this.#wantSums = want.sums
    this.#flags = accumulate + (want.changes ? writeLabels + countChanges : 0)
    this.#wantStamps = want.stamps && gpu.hasTimestamps
    this.#querySet = this.#wantStamps ? gpu.device.createQuerySet({ type: 'timestamp', count: 4 }) : null
    const usage = GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC
    this.#stamps = this.#wantStamps ? gpu.device.createBuffer({ size: stampBytes, usage }) : null
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
      const { parts, meansBindings } = this.#resources
      const encoder = this.#gpu.device.createCommandEncoder()
      this.#gpu.device.queue.writeBuffer(this.#resources.tasks, 0, new Uint32Array(taskStride / 4))
      const pass = encoder.beginComputePass()
      const { assign, means } = this.#programs
      const kernels = [
        [assign, parts[0].bindings],
        [means, meansBindings],
      ] as const
      for (const [pipeline, bindings] of kernels) {
        pass.setPipeline(pipeline)
        pass.setBindGroup(0, bindings, [0])
        pass.dispatchWorkgroups(1)
      }
      pass.end()
      this.#gpu.device.queue.submit([encoder.finish()])
      await this.#gpu.device.queue.onSubmittedWorkDone()
    })
  }

  /** `count` iterations in one submit, from the centroids placed. */
  iterate(count: number): Promise<BatchResult> {
    return this.#gpu.checked('clustering', () => {
      const encoder = this.#gpu.device.createCommandEncoder()
      this.#clear(encoder, count)
      this.#writeTasks(count)
      this.#encodeIterations(encoder, count)
      return this.#finish(encoder, count)
    })
  }

  /**
   * A piece of one iteration: at most `points` points from `position` on.
   * @returns where to go on, or null when the assignment is complete and `complete` may follow.
   */
  async assignPiece(position: Position, points: number): Promise<Position | null> {
    const part = this.#resources.parts[position.part]
    const count = Math.min(points, part.count - position.first)
    await this.#gpu.checked('assigning the points', async () => {
      const encoder = this.#gpu.device.createCommandEncoder()
      if (position.part === 0 && position.first === 0) this.#clear(encoder, 1)
      this.#writeList([{ first: position.first, count, slot: 0, labelOrigin: 0, flags: this.#flags }])
      const pass = encoder.beginComputePass()
      this.#dispatchAssign(pass, part, 0, count)
      pass.end()
      this.#gpu.device.queue.submit([encoder.finish()])
      await this.#gpu.device.queue.onSubmittedWorkDone()
    })
    if (position.first + count < part.count) return { part: position.part, first: position.first + count }
    return position.part + 1 < this.#resources.parts.length ? { part: position.part + 1, first: 0 } : null
  }

  /** The means of an iteration whose assignment was made in pieces. */
  complete(): Promise<BatchResult> {
    return this.#gpu.checked('updating the centroids', () => {
      const encoder = this.#gpu.device.createCommandEncoder()
      this.#writeList([{ first: 0, count: 0, slot: 0, labelOrigin: 0, flags: this.#flags }])
      const pass = encoder.beginComputePass()
      this.#dispatchMeans(pass, 0)
      pass.end()
      return this.#finish(encoder, 1, false)
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
        const bindings = bindPart(device, this.#programs, this.#resources, part.points, output)
        for (let first = 0; first < part.count; first += room) {
          const count = Math.min(room, part.count - first)
          const stored = await this.#labelPiece(bindings, output, staging, first, count)
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

  #labelPiece(
    bindings: GPUBindGroup,
    output: GPUBuffer,
    staging: GPUBuffer,
    first: number,
    count: number,
  ): Promise<Uint32Array> {
    return this.#gpu.checked('reading the labels', async () => {
      const encoder = this.#gpu.device.createCommandEncoder()
      this.#writeList([{ first, count, slot: 0, labelOrigin: first, flags: writeLabels }])
      const pass = encoder.beginComputePass()
      pass.setPipeline(this.#programs.assign)
      pass.setBindGroup(0, bindings, [0])
      pass.dispatchWorkgroups(...this.#programs.groups(count))
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
    const { parts } = this.#resources
    let pass = encoder.beginComputePass(this.#stampsAt(0))
    for (let slot = 0; slot < count; slot++) {
      const task = slot * (parts.length + 1)
      parts.forEach((part, at) => this.#dispatchAssign(pass, part, task + at, part.count))
      if (this.#wantStamps) {
        pass.end()
        pass = encoder.beginComputePass(this.#stampsAt(2))
      }
      this.#dispatchMeans(pass, task + parts.length)
    }
    pass.end()
  }

  #stampsAt(index: number): GPUComputePassDescriptor {
    if (this.#querySet === null) return {}
    const querySet = this.#querySet
    return {
      timestampWrites: { querySet, beginningOfPassWriteIndex: index, endOfPassWriteIndex: index + 1 },
    }
  }

  #dispatchAssign(pass: GPUComputePassEncoder, part: Part, task: number, count: number): void {
    pass.setPipeline(this.#programs.assign)
    pass.setBindGroup(0, part.bindings, [task * taskStride])
    pass.dispatchWorkgroups(...this.#programs.groups(count))
  }

  #dispatchMeans(pass: GPUComputePassEncoder, task: number): void {
    pass.setPipeline(this.#programs.means)
    pass.setBindGroup(0, this.#resources.meansBindings, [task * taskStride])
    pass.dispatchWorkgroups(...grid(Math.ceil((this.#k * this.#d) / 64)))
  }

  #writeTasks(slots: number): void {
    const { parts } = this.#resources
    const tasks: TaskWords[] = []
    for (let slot = 0; slot < slots; slot++) {
      for (const { count } of parts) tasks.push({ first: 0, count, slot, labelOrigin: 0, flags: this.#flags })
      tasks.push({ first: 0, count: 0, slot, labelOrigin: 0, flags: this.#flags })
    }
    this.#writeList(tasks)
  }

  /** One write for all: hundreds of small ones cost more than the iterations themselves. */
  #writeList(list: readonly TaskWords[]): void {
    const { ring, tasks } = this.#resources
    const strides = [ring.countsStride, ring.sumsStride, ring.centroidsStride, ring.countsStride - 1]
    const words = new Uint32Array((list.length * taskStride) / 4)
    list.forEach(({ first, count, slot, labelOrigin, flags }, at) => {
      words.set([first, count, this.#k, this.#d, slot, labelOrigin, ...strides, flags], (at * taskStride) / 4)
    })
    this.#gpu.device.queue.writeBuffer(tasks, 0, words)
  }

  /** Brings the rings of `slots` iterations back. */
  async #finish(encoder: GPUCommandEncoder, slots: number, stamped = this.#wantStamps): Promise<BatchResult> {
    const { counts, sums, centroids, ring, staging } = this.#resources
    const countsBytes = 4 * slots * ring.countsStride
    const centroidsBytes = 4 * slots * ring.centroidsStride
    const sumsBytes = this.#wantSums ? 4 * slots * ring.sumsStride : 0
    const stampsAt = 8 * Math.ceil((countsBytes + centroidsBytes + sumsBytes) / 8)
    encoder.copyBufferToBuffer(counts, 0, staging, 0, countsBytes)
    encoder.copyBufferToBuffer(centroids, 4 * ring.centroidsStride, staging, countsBytes, centroidsBytes)
    if (sumsBytes > 0) encoder.copyBufferToBuffer(sums, 0, staging, countsBytes + centroidsBytes, sumsBytes)
    if (stamped && this.#querySet !== null && this.#stamps !== null) {
      encoder.resolveQuerySet(this.#querySet, 0, 4, this.#stamps, 0)
      encoder.copyBufferToBuffer(this.#stamps, 0, staging, stampsAt, stampBytes)
    }
    this.#gpu.device.queue.submit([encoder.finish()])
    const bytes = stampsAt + (stamped ? stampBytes : 0)
    await staging.mapAsync(GPUMapMode.READ, 0, bytes)
    const copy = staging.getMappedRange(0, bytes).slice(0)
    staging.unmap()
    const results = Array.from({ length: slots }, (_, slot) => this.#slotOf(copy, slots, slot))
    const stamps = stamped ? new BigInt64Array(copy, stampsAt, 4) : null
    return {
      slots: results,
      assignMs: stamps && Number(stamps[1] - stamps[0]) / 1e6,
      meansMs: stamps && Number(stamps[3] - stamps[2]) / 1e6,
    }
  }

  #slotOf(copy: ArrayBuffer, slots: number, slot: number): SlotResult {
    const { ring } = this.#resources
    const centroidsAt = 4 * slots * ring.countsStride
    const sumsAt = centroidsAt + 4 * slots * ring.centroidsStride
    const words = this.#k * this.#d
    const all = new Uint32Array(copy, 4 * slot * ring.countsStride, ring.countsStride)
    const sums = this.#wantSums
      ? new Uint32Array(copy, sumsAt + 4 * slot * ring.sumsStride, 2 * words)
      : new Uint32Array(0)
    const centroids = new Float32Array(copy, centroidsAt + 4 * slot * ring.centroidsStride, words)
    return { counts: all.subarray(0, this.#k), changed: all[ring.countsStride - 1], sums, centroids }
  }
}

function stored(label: number): number {
  return label + 1
}
