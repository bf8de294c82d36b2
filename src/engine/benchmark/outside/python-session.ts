import type { Coordinates } from '../../engines/engine'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import * as v from 'valibot'
import type { OutsideSystem } from '@shared/benchmark/suite'
import { cancelled, LabError } from '@shared/errors'
import { precisionOfArray } from '../../dataset/coordinates'
import { throwIfAborted } from '../../slices'
import { Answers } from './answers'
import program from './baselines.py?raw'
import { cleanEnvironment } from './interpreters'
import type { OutsideJob, OutsideRun, OutsideSession } from './outside'
import { endGroup, startGroup } from './process-group'

/** Bytes handed over between two looks at whether the other side keeps up. */
const pieceBytes = 1 << 22
/** A large library from a cold disk takes seconds to import; more means that something hangs. */
const importMs = 60_000
/** Of what the process says on standard error, for the details of a failure. */
const maxDetails = 4000

const head = v.object({
  error: v.optional(v.string()),
  ms: v.optional(v.pipe(v.number(), v.finite(), v.minValue(0)), 0),
  iterations: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0),
})

/**
 * One baseline in a python3 of its own, points in its memory: what is timed is timed in there. The process ends at
 * once with a cancel, with `close`, and when this process ends.
 */
export class PythonSession implements OutsideSession {
  readonly #system: OutsideSystem
  readonly #job: OutsideJob
  readonly #child: ChildProcessWithoutNullStreams
  readonly #answers: Answers
  readonly #ended: Promise<void>
  #details = ''
  #hangs = false

  private constructor(path: string, system: OutsideSystem, job: OutsideJob) {
    this.#system = system
    this.#job = job
    this.#child = startGroup(path, ['-I', '-c', program, system], cleanEnvironment(process.env))
    this.#ended = new Promise((resolve) => {
      this.#child.once('error', () => resolve())
      this.#child.once('close', () => resolve())
    })
    this.#child.stderr.on('data', (data: Buffer) => {
      this.#details = (this.#details + data.toString()).slice(-maxDetails)
    })
    this.#answers = new Answers(this.#child.stdout)
  }

  /**
   * Starts the process and hands it the points.
   * @throws LabError `cancelled`, `engine-lost` with one sentence when it does not get that far
   */
  static async open(
    path: string,
    system: OutsideSystem,
    job: OutsideJob,
    signal: AbortSignal,
  ): Promise<PythonSession> {
    throwIfAborted(signal)
    const session = new PythonSession(path, system, job)
    try {
      await session.#untilAborted(signal, async () => {
        await session.#send()
        await session.#begun()
      })
    } catch (thrown) {
      await session.close()
      throw thrown
    }
    return session
  }

  async run(signal: AbortSignal): Promise<OutsideRun> {
    throwIfAborted(signal)
    return this.#untilAborted(signal, async () => {
      this.#child.stdin.write('run\n')
      const { ms, iterations } = await this.#head()
      const { points, k } = this.#job
      const labels = new Int32Array(await this.#bytes(points.n * Int32Array.BYTES_PER_ELEMENT))
      const centroids = new Float64Array(await this.#bytes(k * points.d * Float64Array.BYTES_PER_ELEMENT))
      return { labels, centroids, iterations, totalMs: ms }
    })
  }

  async close(): Promise<void> {
    this.#end()
    await this.#ended
  }

  /** With what a wrapper of python3 has started, which would hold the pipes open. */
  #end(): void {
    endGroup(this.#child)
    this.#child.stdout.destroy()
  }

  async #send(): Promise<void> {
    const { points, k, initialCentroids, config, threshold } = this.#job
    const { n, d } = points
    const { stop, maxIterations } = config
    this.#child.stdin.write(
      `${JSON.stringify({ n, d, k, type: precisionOfArray(points.x), stop, threshold, maxIterations })}\n`,
    )
    for (const part of [points.x, initialCentroids]) await this.#sendNumbers(part)
  }

  async #sendNumbers({ buffer, byteOffset, byteLength }: Coordinates): Promise<void> {
    for (let begin = 0; begin < byteLength; begin += pieceBytes) {
      const piece = Buffer.from(buffer, byteOffset + begin, Math.min(pieceBytes, byteLength - begin))
      if (this.#child.stdin.write(piece)) continue
      await Promise.race([once(this.#child.stdin, 'drain').catch(() => undefined), this.#ended])
    }
  }

  /** The first answer: the library is imported, and the points are its own. */
  async #begun(): Promise<void> {
    const timer = setTimeout(() => {
      this.#hangs = true
      this.#end()
    }, importMs)
    try {
      await this.#head()
    } catch (thrown) {
      throw this.#hangs ? this.#failure(`its process did not begin within ${importMs / 1000} s`) : thrown
    } finally {
      clearTimeout(timer)
    }
  }

  async #head(): Promise<v.InferOutput<typeof head>> {
    const line = await this.#answers.line()
    if (line === null) throw await this.#lost()
    const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), head), line)
    if (!parsed.success) throw this.#failure('its answer is not valid')
    if (parsed.output.error !== undefined) throw this.#failure(parsed.output.error)
    return parsed.output
  }

  async #bytes(count: number): Promise<ArrayBuffer> {
    const bytes = await this.#answers.bytes(count)
    if (bytes === null) throw await this.#lost()
    return bytes
  }

  async #lost(): Promise<LabError> {
    await this.#ended
    return this.#failure('its process ended, perhaps because memory ran out')
  }

  #failure(why: string): LabError {
    const message = `${this.#system} could not cluster these points (${why}): leave it out, or give it fewer points.`
    return new LabError('engine-lost', 'outside.failed', message, this.#details || null)
  }

  /** A cancel ends the process: nothing in it listens while a library computes. */
  async #untilAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const kill = () => this.#end()
    signal.addEventListener('abort', kill, { once: true })
    try {
      return await work()
    } catch (thrown) {
      if (signal.aborted) throw cancelled()
      throw thrown
    } finally {
      signal.removeEventListener('abort', kill)
    }
  }
}
