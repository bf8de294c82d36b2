import { LabError, cancelled, type ErrorKind } from '@shared/errors'
import type {
  AnyPoints,
  Coordinates,
  IterationStats,
  ReadResult,
  Session,
  SessionConfig,
  SessionPlan,
} from '../engine'
import type { EngineAddon, NativePlan, NativeSession } from '../native'
import { iterationsOf } from './stats'

/** What messages say about the engine behind an addon. */
export interface AddonEngine {
  /** Start of its error codes. */
  readonly id: 'cpu' | 'cuda'
  /** As a sentence has it: "The CPU engine". */
  readonly title: string
  /** What a failure inside means. */
  readonly failure: ErrorKind
  readonly tooLittleMemory: string
}

export interface AddonRequest {
  readonly points: AnyPoints
  readonly config: SessionConfig
  /** Which of the addon's devices. */
  readonly deviceIndex: number
  /** Those that share the rows, where they are several. */
  readonly deviceIndices?: readonly number[]
  readonly hostDeviceBytesPerIteration: number
  readonly warnings: readonly string[]
  /** Regimes, where they are more than the configuration names. */
  readonly carriedOut?: Readonly<Record<string, string | null>>
  /** What was built; absent where the variant has one way only. */
  readonly planOf?: (built: NativePlan) => SessionPlan | null
}

/** A native session behind the engine's seam: aborts, errors and shapes are translated here. */
export class AddonSession implements Session {
  readonly uploadMs: number
  readonly hostDeviceBytesPerIteration: number
  readonly plan: SessionPlan | undefined
  readonly #warnings: readonly string[]
  readonly #engine: AddonEngine
  readonly #native: NativeSession
  readonly #config: SessionConfig

  private constructor(engine: AddonEngine, native: NativeSession, request: AddonRequest, uploadMs: number) {
    this.#engine = engine
    this.#native = native
    this.#config = request.config
    this.uploadMs = uploadMs
    this.hostDeviceBytesPerIteration = request.hostDeviceBytesPerIteration
    this.#warnings = request.warnings
    const built = native.plan?.()
    this.plan = built === undefined ? undefined : (request.planOf?.(built) ?? undefined)
  }

  /** @throws LabError `input` when the points do not fit into memory. */
  static async open(engine: AddonEngine, addon: EngineAddon, request: AddonRequest): Promise<AddonSession> {
    const began = performance.now()
    const { points, config, deviceIndex, deviceIndices, carriedOut } = request
    const devices = { deviceIndex, ...(deviceIndices !== undefined && { deviceIndices }) }
    const native = await translated(engine, () =>
      addon.openSession(points, { ...config, ...carriedOut, ...devices }),
    )
    return new AddonSession(engine, native, request, performance.now() - began)
  }

  /** Those of the request, and what became of devices since. */
  get warnings(): readonly string[] {
    const losses = this.#native.losses?.() ?? []
    return [...this.#warnings, ...losses.map(lossWarning)]
  }

  async start(centroids: Coordinates): Promise<void> {
    await translated(this.#engine, () => this.#native.start(centroids))
  }

  async advance(
    budget: { readonly iterations: number; readonly milliseconds: number },
    signal: AbortSignal,
  ): Promise<readonly IterationStats[]> {
    if (signal.aborted) return []
    const stop = () => this.#native.cancel()
    signal.addEventListener('abort', stop)
    try {
      const answer = await translated(this.#engine, () =>
        this.#native.advance(budget.iterations, budget.milliseconds),
      )
      return iterationsOf(answer, this.#config.trackCentroids)
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  centroids(): Coordinates | null {
    return this.#native.centroids?.() ?? null
  }

  async read(): Promise<ReadResult> {
    const { labels, centroids, inertia, downloadMs } = await translated(this.#engine, () =>
      this.#native.read(),
    )
    if (inertia < 0) throw cancelled()
    return { labels, centroids, inertia, downloadMs: downloadMs ?? 0 }
  }

  async close(): Promise<void> {
    this.#native.close()
  }
}

function lossWarning(loss: string): string {
  return `${loss}: the other devices took its rows over and the run went on; its result is the same, its times are not.`
}

/** Native errors carry a code; whoever reads them wants a sentence. */
async function translated<Answer>(
  engine: AddonEngine,
  call: () => Answer | Promise<Answer>,
): Promise<Answer> {
  const { id, title, failure, tooLittleMemory } = engine
  try {
    return await call()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'failed'
    const cause = error instanceof Error ? error.message : String(error)
    if (code === 'memory') throw new LabError('input', `${id}.memory`, tooLittleMemory, cause)
    if (code === 'refused') throw new LabError('input', `${id}.refused`, cause)
    if (code === 'argument') throw new LabError('internal', `${id}.argument`, `${title}: ${cause}`)
    throw new LabError(
      failure,
      `${id}.${code}`,
      `${title} stopped working on this data (${cause}); please try another engine and report it.`,
    )
  }
}
