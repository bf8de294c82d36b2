import { hashed, type Dataset } from '@engine/dataset/dataset'
import { nextEngine } from '@engine/engines/next-engine'
import type { Checkpoint, Resumption } from '@engine/run/types'
import { LabError } from '@shared/errors'
import type { BrokenRun } from '@shared/ipc'
import type { RunConfig } from '@shared/run-config'
import type { EngineId } from '@shared/variant'
import type { KeptCheckpoint, Spool } from './spool'

/** A run is written down for the first time after this time, and then about this often: shorter ones are soon made again. */
const everyMs = 2000
/** Writing takes at most this share of the time. */
const writingShare = 1 / 20

/** What is asked of a run; all that a checkpoint does not hold. */
export interface Followed extends Omit<KeptCheckpoint, 'checkpoint' | 'savedMs' | 'sha256'> {
  readonly dataset: Pick<Dataset, 'file' | 'hashing'>
}

/** For one run under way: exactly one of `end` and `break` is called. */
export interface Follower {
  /** See RunObserver. */
  checkpointReady(take: () => Checkpoint): void
  /** Done or cancelled: nobody will go on with it. */
  end(): Promise<void>
  /** Its device is gone. @returns what can be resumed, or null where no iteration was made */
  break(): Promise<BrokenRun | null>
}

/**
 * Runs whose device, or whose whole process, was lost in the middle: kept in memory and, for the host that takes the
 * place of one that died, on disk.
 */
export class BrokenRuns {
  readonly #broken = new Map<string, KeptCheckpoint>()
  readonly #underWay = new Set<string>()

  constructor(private readonly spool: Spool) {}

  /** @param replaces the broken run that this one goes on with: it is let go as soon as this one is kept */
  follow(run: Followed, replaces: string | null = null): Follower {
    const { runId } = run
    let take: (() => Checkpoint) | null = null
    let writing: Promise<unknown> = Promise.resolve()
    let idleUntil = 0
    const replaced = async () => (replaces === null ? undefined : this.#remove(replaces))
    const write = async (checkpoint: Checkpoint) => {
      const began = performance.now()
      idleUntil = Number.POSITIVE_INFINITY
      const kept = await keptOf(run, checkpoint)
      if (kept !== null && (await this.spool.saveCheckpoint(runId, kept))) await replaced()
      idleUntil = performance.now() + (performance.now() - began) / writingShare
    }
    const timer = setInterval(() => {
      if (take !== null && performance.now() >= idleUntil) writing = write(take())
    }, everyMs)
    timer.unref()
    const stop = async () => {
      clearInterval(timer)
      await writing
    }
    // Nobody goes on a second time with what this one goes on with.
    const own = replaces === null ? [runId] : [runId, replaces]
    const over = () => own.forEach((id) => this.#underWay.delete(id))
    own.forEach((id) => this.#underWay.add(id))
    return {
      checkpointReady: (taker) => (take = taker),
      end: async () => {
        await stop()
        await this.#remove(runId)
        await replaced()
        over()
      },
      break: async () => {
        const checkpoint = take?.() ?? null
        await stop()
        const kept = checkpoint?.engineSegments.length ? await keptOf(run, checkpoint) : null
        if (kept === null) {
          over()
          return null
        }
        this.#broken.set(runId, kept)
        await this.spool.saveCheckpoint(runId, kept)
        await replaced()
        over()
        return describe(kept)
      },
    }
  }

  /** The newest broken run on a dataset, also one of a host that died. */
  async newest(datasetId: string): Promise<BrokenRun | null> {
    const all = new Map([...(await this.spool.checkpoints()), ...this.#broken])
    const own = [...all.values()].filter(
      (kept) => kept.datasetId === datasetId && !this.#underWay.has(kept.runId),
    )
    const [newest] = own.sort((a, b) => b.savedMs - a.savedMs)
    return newest === undefined || newest.checkpoint.engineSegments.length === 0 ? null : describe(newest)
  }

  /**
   * What it takes to go on with a run.
   * @param sha256 of the file as it is loaded now: other points would not fit what was done
   * @throws LabError `run.not-broken`
   */
  async resume(
    runId: string,
    engine: EngineId,
    sha256Of: (datasetId: string) => Promise<string | null>,
  ): Promise<{ readonly config: RunConfig; readonly datasetId: string; readonly resumption: Resumption }> {
    const kept = this.#broken.get(runId) ?? (await this.spool.checkpoints()).get(runId)
    if (kept === undefined || this.#underWay.has(runId) || (await sha256Of(kept.datasetId)) !== kept.sha256) {
      const message = 'This run cannot be resumed, because its checkpoint is no longer kept: start it again.'
      throw new LabError('input', 'run.not-broken', message)
    }
    const { config, datasetId, checkpoint } = kept
    return { config, datasetId, resumption: { checkpoint, engine } }
  }

  /** A host that takes the place of this one could go on with it. */
  async isOnDisk(runId: string): Promise<boolean> {
    return (await this.spool.checkpoints()).has(runId)
  }

  /** Nobody will go on with it. */
  async forget(runId: string): Promise<void> {
    if (!this.#underWay.has(runId)) await this.#remove(runId)
  }

  /** Of a dataset that is closed: opened again, it finds what is on the disk. */
  releaseMadeOn(datasetId: string): void {
    for (const [runId, kept] of [...this.#broken])
      if (kept.datasetId === datasetId) this.#broken.delete(runId)
  }

  async #remove(runId: string): Promise<void> {
    this.#broken.delete(runId)
    await this.spool.removeCheckpoint(runId)
  }
}

/** Null where its file cannot be hashed: the run itself is told. */
async function keptOf({ dataset, ...run }: Followed, checkpoint: Checkpoint): Promise<KeptCheckpoint | null> {
  const savedMs = Date.now()
  const source = await hashed(dataset).catch(() => null)
  return source && { ...run, sha256: source.file.sha256, checkpoint, savedMs }
}

async function describe({
  runId,
  datasetId,
  config,
  engine: asked,
  checkpoint,
}: KeptCheckpoint): Promise<BrokenRun> {
  const last = checkpoint.engineSegments[checkpoint.engineSegments.length - 1]
  const engine = asked ?? last.engine
  return {
    ...{ runId, datasetId, engine, deviceName: last.deviceName },
    // The page knows files by their tokens alone.
    config: { ...config, centroidsFile: null },
    restart: checkpoint.restart,
    iterations: checkpoint.iterations,
    elapsedMs: checkpoint.spent.totalMs,
    next: await nextEngine(engine),
  }
}
