import type { BoundSteps } from './bindings'
import type { Dispatcher, Range } from './dispatcher'
import { Labelling } from './labelling'
import { ReadBack } from './read-back'
import type { BatchResult, Labelled, Position, Runner, Wanted } from './runner'
import { accumulate, countChanges, meansFirst, sumsFirst, writeLabels, type TaskWords } from './task-list'

/** Iterations on the device alone, whole batches of them without a trip to the host. */
export class Executor implements Runner {
  readonly hostDeviceBytesPerIteration: number
  readonly #on: Dispatcher
  readonly #labelling: Labelling
  readonly #readBack: ReadBack
  /** Of an iteration. */
  readonly #flags: number
  readonly #hasUpdate: boolean
  /** Iterations that only add up have passes of their own. */
  readonly #byWhole: boolean
  /** Of which each makes the sums of the one before. */
  readonly #sumsLater: boolean
  /** Iterations of the last submit. */
  #before = 0

  /** @param n points of all parts. */
  constructor(on: Dispatcher, n: number, want: Wanted) {
    const { ring, parts } = on.resources
    this.#on = on
    this.#labelling = new Labelling(on, n, want.apart)
    this.#hasUpdate = parts[0].steps.update.length > 0
    const labelled = this.#hasUpdate || want.changes ? writeLabels : 0
    this.#flags = accumulate + labelled + (want.changes ? countChanges : 0)
    const isPlain = this.#flags === accumulate
    this.#sumsLater = isPlain && parts.length === 1 && parts[0].steps.wholeEnd.length > 0
    this.#byWhole = isPlain && (this.#sumsLater || parts[0].steps.wholeEnd.length === 0)
    this.#readBack = new ReadBack(on.gpu, on.resources, want)
    // Members, the number of changes and centroids come back; centroids go there once a submit.
    const sumsWords = want.sums ? ring.sumsStride : 0
    const storedWords = want.apart ? ring.centroidsStride : 0
    this.hostDeviceBytesPerIteration =
      4 * (ring.countsStride + ring.centroidsStride + sumsWords + storedWords)
  }

  get maxIterations(): number {
    return this.#on.resources.ring.slots
  }

  async start(): Promise<void> {
    const { zeroAtStart } = this.#on.resources
    if (zeroAtStart.length > 0) await this.#on.zero(zeroAtStart)
  }

  setCentroids(centroids: Float32Array): Promise<void> {
    return this.#on.setCentroids(centroids)
  }

  iterate(count: number, follow = false): Promise<BatchResult> {
    return this.#on.gpu.checked('clustering', () => {
      const encoder = this.#on.gpu.device.createCommandEncoder()
      if (follow) this.#on.goOn(encoder, this.#before)
      this.#before = count
      this.#on.clear(encoder, count)
      this.#on.writeBatch(count, (slots) => this.#tasksOf(slots))
      this.#encodeIterations(encoder, count)
      return this.#readBack.submit(encoder, count, this.#on.shape, this.#readBack.stamped)
    })
  }

  fit({ part, first }: Position, points: number): number {
    const { parts, wholeParts } = this.#on.resources
    return Math.min(wholeParts ? parts[part].count : points, parts[part].count - first)
  }

  async piece({ phase, part, first }: Position, count: number): Promise<Position | null> {
    const { steps, count: all } = this.#on.resources.parts[part]
    const begins = phase === 'assign' && part === 0 && first === 0
    const setCentroids = phase === 'assign' ? 'assigning the points' : 'updating the centroids'
    await this.#on.gpu.checked(setCentroids, () => {
      const encoder = this.#on.gpu.device.createCommandEncoder()
      if (begins) this.#on.clear(encoder, 1)
      this.#on.encodeRange(encoder, steps[phase], this.#range({ first, count, slot: 0 }))
      return this.#on.finish(encoder)
    })
    if (first + count < all) return { phase, part, first: first + count }
    if (part + 1 < this.#on.resources.parts.length) return { phase, part: part + 1, first: 0 }
    return phase === 'assign' && this.#hasUpdate ? { phase: 'update', part: 0, first: 0 } : null
  }

  complete(): Promise<BatchResult> {
    return this.#on.gpu.checked('updating the centroids', () => {
      const encoder = this.#on.gpu.device.createCommandEncoder()
      this.#on.encodeRange(encoder, [this.#on.resources.means], this.#range({ first: 0, count: 0, slot: 0 }))
      return this.#readBack.submit(encoder, 1, this.#on.shape, false)
    })
  }

  label(most: number): Promise<Labelled> {
    return this.#labelling.read(most)
  }

  setLabels(labels: Int32Array | null): Promise<void> {
    return this.#labelling.write(labels)
  }

  close(): Promise<void> {
    return this.#on.gpu.close()
  }

  #range(range: Pick<Range, 'first' | 'count' | 'slot'>): Range {
    return { ...range, labelOrigin: 0, flags: this.#flags }
  }

  #encodeIterations(encoder: GPUCommandEncoder, count: number): void {
    const { parts, means, makesMeans } = this.#on.resources
    const { rounds } = this.#on
    const assign = this.#byWhole ? 'whole' : 'assign'
    const overParts = (pass: GPUComputePassEncoder, phase: keyof BoundSteps, task: number) =>
      parts.forEach((part, at) => {
        this.#on.dispatch(pass, part.steps[phase], task + at * rounds, part.count)
      })
    let pass = encoder.beginComputePass(this.#readBack.stampsOf('assign'))
    for (let slot = 0; slot < count; slot++) {
      const task = slot * (parts.length * rounds + 1)
      overParts(pass, assign, task)
      if (this.#readBack.stamped) {
        pass.end()
        pass = encoder.beginComputePass(this.#readBack.stampsOf('update'))
      }
      if (this.#sumsLater && slot + 1 === count) overParts(pass, 'wholeEnd', task)
      overParts(pass, 'update', task)
      if (makesMeans && slot + 1 < count) continue
      this.#on.dispatch(pass, [means], task + parts.length * rounds, 0)
    }
    pass.end()
  }

  /** For each slot those of the parts, then one for the means. */
  #tasksOf(slots: number): TaskWords[] {
    const { parts, makesMeans } = this.#on.resources
    const tasks: TaskWords[] = []
    for (let slot = 0; slot < slots; slot++) {
      const later = makesMeans && slot > 0 ? meansFirst + (this.#sumsLater ? sumsFirst : 0) : 0
      const flags = this.#flags + later
      for (const { count } of parts)
        tasks.push(...this.#on.tasksOf({ ...this.#range({ first: 0, count, slot }), flags }))
      tasks.push({ ...this.#range({ first: 0, count: 0, slot }), step: 0 })
    }
    return tasks
  }
}
