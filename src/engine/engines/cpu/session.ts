import { LabError, cancelled } from '@shared/errors'
import type { IterationStats, Points, ReadResult, Session, SessionConfig } from '../engine'
import type { CpuAddon, NativeSession } from '../native'
import { iterationsOf } from './stats'

/** A native session behind the engine's seam: aborts, errors and shapes are translated here. */
export class CpuSession implements Session {
  readonly uploadMs: number
  readonly hostDeviceBytesPerIteration = 0
  readonly #native: NativeSession
  readonly #config: SessionConfig

  private constructor(native: NativeSession, config: SessionConfig, uploadMs: number) {
    this.#native = native
    this.#config = config
    this.uploadMs = uploadMs
  }

  /** @throws LabError `input` when the points do not fit into memory. */
  static async open(addon: CpuAddon, points: Points, config: SessionConfig): Promise<CpuSession> {
    const began = performance.now()
    const native = await translated(() => addon.openSession(points, config))
    return new CpuSession(native, config, performance.now() - began)
  }

  async start(centroids: Float32Array): Promise<void> {
    await translated(() => this.#native.start(centroids))
  }

  async advance(
    budget: { readonly iterations: number; readonly milliseconds: number },
    signal: AbortSignal,
  ): Promise<readonly IterationStats[]> {
    if (signal.aborted) return []
    const stop = () => this.#native.cancel()
    signal.addEventListener('abort', stop)
    try {
      const answer = await translated(() => this.#native.advance(budget.iterations, budget.milliseconds))
      return iterationsOf(answer, this.#config.trackCentroids)
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  async read(): Promise<ReadResult> {
    const began = performance.now()
    const { labels, centroids, inertia } = await translated(() => this.#native.read())
    if (inertia < 0) throw cancelled()
    return { labels, centroids, inertia, downloadMs: performance.now() - began }
  }

  async close(): Promise<void> {
    this.#native.close()
  }
}

/** Native errors carry a code; whoever reads them wants a sentence. */
async function translated<Answer>(call: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await call()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'failed'
    const cause = error instanceof Error ? error.message : String(error)
    if (code === 'memory') {
      throw new LabError(
        'input',
        'cpu.memory',
        'The CPU engine has too little memory for these points: choose fewer rows or features, or close other programs.',
        cause,
      )
    }
    if (code === 'argument') throw new LabError('internal', 'cpu.argument', `CPU engine: ${cause}`)
    throw new LabError(
      'internal',
      `cpu.${code}`,
      `The CPU engine stopped working on this data (${cause}); please try another engine and report it.`,
    )
  }
}
