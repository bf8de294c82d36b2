import type { SeedingState } from '../../../init/kernel'
import type { GpuDevice } from '../gpu-device'
import {
  requireFit,
  reserveSeeding,
  roundLayout,
  uploadColumns,
  type SeedingBuffers,
  type SeedingSize,
} from './buffers'
import { compileSeeding, type BufferName } from './kernels'
import { SeedingPace } from './pace'
import { SeedingSteps } from './steps'

/** From the candidates of a round to their potentials. */
const candidateKernels = ['mark', 'weigh', 'add_candidates', 'add_up'] as const

/** The primitives of kernel.ts on a WebGPU device, which it owns from now on. */
export class WebgpuSeeding implements SeedingState {
  readonly #gpu: GpuDevice
  readonly #buffers: SeedingBuffers
  readonly #steps: SeedingSteps
  readonly #size: SeedingSize
  /** Until the first commit D2 is infinite, which no sum on the device knows. */
  #isFresh = true
  #isClosed = false
  #underWay: Promise<unknown> = Promise.resolve()

  private constructor(gpu: GpuDevice, buffers: SeedingBuffers, steps: SeedingSteps, size: SeedingSize) {
    this.#gpu = gpu
    this.#buffers = buffers
    this.#steps = steps
    this.#size = size
  }

  /** @throws LabError `input` where the points do not fit, `engine-lost`; the device is then still the caller's. */
  static async open(gpu: GpuDevice, x: Float32Array, size: SeedingSize): Promise<WebgpuSeeding> {
    // Before the compilation, which takes much longer than to see that the points do not fit.
    requireFit(gpu.device, size)
    const programs = await compileSeeding(gpu)
    const buffers = await reserveSeeding(gpu, size)
    await uploadColumns(gpu, programs, buffers, x, size)
    const steps = new SeedingSteps(gpu, programs, size)
    steps.submit(buffers, { candidates: 0 }, ['forget'])
    await steps.done()
    return new WebgpuSeeding(gpu, buffers, steps, size)
  }

  potentials(candidates: Int32Array): Promise<Float64Array> {
    return this.#do('weighing candidates', async () => {
      const potentials = new Float64Array(candidates.length)
      for (const { first, rows } of this.#batchesOf(candidates)) {
        this.#steps.write(this.#buffers.round, roundLayout.rows, rows)
        this.#steps.submit(this.#buffers, { candidates: rows.length }, candidateKernels)
        potentials.set(await this.#potentials(rows.length), first)
      }
      return potentials
    })
  }

  commit(rows: Int32Array): Promise<number> {
    return this.#do('committing rows', () => this.#commit(rows))
  }

  pick(targets: Float64Array): Promise<Int32Array> {
    return this.#do('picking rows', async () => {
      const picked = new Int32Array(targets.length)
      if (this.#isFresh) return picked.map((_, at) => (targets[at] < Infinity ? 0 : this.#size.n - 1))
      const { round } = this.#buffers
      for (const { first, rows: some } of this.#batchesOf(targets.map(comparable))) {
        const candidates = some.length
        this.#steps.write(round, roundLayout.targets, some)
        this.#steps.submit(this.#buffers, { candidates }, ['pick'])
        const rows = await this.#steps.read(round, roundLayout.rows, 4 * candidates)
        picked.set(new Int32Array(rows), first)
      }
      return picked
    })
  }

  distances(start: number, count: number): Promise<Float64Array> {
    return this.#do('reading distances', async () => {
      if (count === 0) return new Float64Array(0)
      return new Float64Array(await this.#steps.read(this.#buffers.nearest, 8 * start, 8 * count))
    })
  }

  nearestCounts(rows: Int32Array): Promise<Float64Array> {
    const sizes = { nearest: 8 * this.#size.n, members: 4 * rows.length }
    return this.#do('counting the points of each row', () =>
      this.#with(sizes, async (buffers) => {
        this.#steps.submit(buffers, { candidates: 0 }, ['forget'])
        await this.#lower(buffers, rows, true)
        this.#steps.submit(buffers, { candidates: 0 }, ['count_members'])
        const counts = await this.#steps.read(buffers.members, 0, sizes.members)
        return Float64Array.from(new Uint32Array(counts))
      }),
    )
  }

  /** @param candidates as many as were reserved, or fewer. */
  greedy(first: number, uniforms: Float64Array, candidates: number): Promise<Int32Array> {
    const rounds = uniforms.length / candidates
    const sizes = { draws: 8 * uniforms.length, chosen: 4 * rounds }
    return this.#do('choosing rows', () =>
      this.#with(sizes, async (buffers) => {
        await this.#lower(buffers, Int32Array.of(first), true)
        this.#addBlocks()
        this.#steps.write(buffers.draws, 0, uniforms)
        this.#steps.write(buffers.round, roundLayout.done, Uint32Array.of(0))
        const done = await this.#rounds(buffers, candidates, rounds)
        const chosen = new Int32Array(await this.#steps.read(buffers.chosen, 0, sizes.chosen))
        const rows = new Int32Array(1 + done).fill(first)
        rows.set(chosen.subarray(0, done), 1)
        return rows
      }),
    )
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    void this.#underWay.then(() => this.#gpu.close())
  }

  /** One call at a time; the device is given back when the last has ended. */
  #do<T>(activity: string, work: () => Promise<T>): Promise<T> {
    const answer = this.#gpu.checked(activity, work)
    this.#underWay = answer.catch(() => undefined)
    return answer
  }

  /** Some buffers in the place of others for as long as the work lasts. */
  async #with<T>(
    sizes: Readonly<Partial<Record<BufferName, number>>>,
    work: (buffers: SeedingBuffers) => Promise<T>,
  ): Promise<T> {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST
    const own = Object.entries(sizes).map(
      ([name, size]) => [name, this.#gpu.device.createBuffer({ size, usage })] as const,
    )
    try {
      return await work({ ...this.#buffers, ...Object.fromEntries(own) })
    } finally {
      for (const [, buffer] of own) buffer.destroy()
    }
  }

  async #commit(rows: Int32Array): Promise<number> {
    await this.#lower(this.#buffers, rows, this.#isFresh)
    this.#addBlocks()
    return (await this.#potentials(1))[0]
  }

  /** The sum of D2, as potential 0, and what a pick searches. */
  #addBlocks(): void {
    this.#isFresh = false
    this.#steps.submit(this.#buffers, { candidates: 1, slot: 0 }, ['add_blocks', 'add_up'])
  }

  /** Of a piece of work with some candidates. */
  #paceOf(candidates: number): SeedingPace {
    return new SeedingPace(this.#size.n * this.#size.d * candidates)
  }

  /**
   * D2 becomes the smallest of itself and the distances to the rows. @param isInfinite D2 is: no distance can be left out for the
   * first row then, so that it goes alone.
   */
  async #lower(buffers: SeedingBuffers, rows: Int32Array, isInfinite: boolean): Promise<void> {
    const pace = this.#paceOf(this.#size.candidates)
    const batches = [...this.#batchesOf(rows, isInfinite ? 1 : undefined)]
    for (let at = 0; at < batches.length && !this.#isClosed;) {
      const some = batches.slice(at, at + pace.next(batches.length - at))
      for (const { first, rows: batch } of some) {
        this.#steps.write(buffers.round, roundLayout.rows, batch)
        const parameters = { candidates: batch.length, position: first }
        this.#steps.submit(buffers, parameters, ['mark', 'weigh', 'lower'])
      }
      at += some.length
      if (at === batches.length) return
      await this.#steps.done()
      pace.note(some.length)
    }
  }

  /** Rounds of greedy k-means++, as many as there is something to choose in. @returns how many. */
  async #rounds(buffers: SeedingBuffers, candidates: number, rounds: number): Promise<number> {
    const pace = this.#paceOf(candidates)
    let done = 0
    for (let begun = 0; begun < rounds && done === begun && !this.#isClosed;) {
      const some = pace.next(rounds - begun)
      this.#steps.submit(buffers, { candidates }, ['draw', ...candidateKernels, 'adopt_candidate'], some)
      done = new Uint32Array(await this.#steps.read(buffers.round, roundLayout.done, 4))[0]
      pace.note(some)
      begun += some
    }
    return done
  }

  async #potentials(count: number): Promise<Float64Array> {
    return new Float64Array(await this.#steps.read(this.#buffers.round, roundLayout.potentials, 8 * count))
  }

  /** As many at once as were reserved for. @param lead those of the first batch. */
  *#batchesOf<T extends Int32Array | Float64Array>(
    all: T,
    lead = this.#size.candidates,
  ): Generator<{ first: number; rows: T }> {
    for (let first = 0, end = lead; first < all.length; first = end, end += this.#size.candidates)
      yield { first, rows: all.slice(first, end) as T }
  }
}

/** A target whose bits compare as it does: below 0 every point passes it, as at 0; not a number, none does. */
function comparable(target: number): number {
  return Number.isNaN(target) ? Infinity : Math.max(0, target)
}
