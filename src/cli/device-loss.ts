import type { Coordinates } from '@engine/engines/engine'
import { nextEngine } from '@engine/engines/next-engine'
import type { Dataset } from '@engine/dataset/dataset'
import type { Checkpoint, Resumption, RunKmeans, RunObserver, RunResult } from '@engine/run/types'
import { lastResort, onAnotherEngine, type LossPolicy } from '@shared/device-loss'
import { LabError } from '@shared/errors'
import { formatCount, plural } from '@shared/quantity-words'
import type { RunConfig } from '@shared/run-config'
import type { EngineId } from '@shared/variant'
import { BeginAnew, devicesLeft } from './devices-left'
import type { CliIo } from './io'

export interface Work {
  readonly dataset: Dataset
  readonly config: RunConfig
  readonly observer: RunObserver
  /** Where an earlier start left it, or null. */
  readonly from: Resumption | null
  /** Null: ask where somebody can be asked. */
  readonly onLoss: LossPolicy | null
  /** Keeps the centroids that were reached. @returns the file, or null where they go nowhere */
  keep(reached: Coordinates): Promise<string | null>
}

/** What is known of a run that lost its device. */
interface Loss {
  readonly next: EngineId
  /** Of the configuration that the run goes on, or begins again, with. */
  readonly config: RunConfig
  /** Null: no iteration was made, it can only begin again. */
  readonly resumption: Resumption | null
  readonly cause: LabError
  /** Of several devices those that another process can begin again with; none where another engine takes over. */
  readonly left: readonly string[]
}

/**
 * One run to its end: where it loses its device it goes on where it was, on the next best engine, if that is wanted.
 * @throws LabError `engine-lost` in a sentence that says what was reached and how to go on
 */
export async function runOn(run: RunKmeans, work: Work, io: CliIo): Promise<RunResult> {
  let { config } = work
  let resumption = work.from
  for (;;) {
    const before = resumption
    let take = (): Checkpoint | null => before?.checkpoint ?? null
    const checkpointReady = (taker: () => Checkpoint) => {
      take = taker
      work.observer.checkpointReady?.(taker)
    }
    const followed: RunObserver = { ...work.observer, checkpointReady }
    try {
      return await run(work.dataset, config, followed, io.signal, before ?? undefined)
    } catch (thrown) {
      const loss = await lossOf(thrown, config, take(), before, io)
      if (loss === null) throw thrown
      if (!(await goesOn(loss, work.onLoss, io))) throw await stopped(loss, work)
      if (loss.left.length > 0) throw new BeginAnew(loss.left)
      ;({ config, resumption } = loss)
    }
  }
}

/** Null where it is no loss, or no other engine is left. */
async function lossOf(
  thrown: unknown,
  config: RunConfig,
  checkpoint: Checkpoint | null,
  before: Resumption | null,
  io: CliIo,
): Promise<Loss | null> {
  if (!(thrown instanceof LabError) || thrown.kind !== 'engine-lost') return null
  const reached = checkpoint?.engineSegments.length ? checkpoint : null
  const lost = before?.engine ?? reached?.engineSegments.at(-1)?.engine ?? config.engine
  if (lost === lastResort) return null
  // A choice that was left to us and lost at once is not made a second time.
  const left = lost === 'cuda' ? await devicesLeft(config.device, io) : []
  const next = lost === 'auto' ? lastResort : left.length > 0 ? lost : await nextEngine(lost)
  if (reached !== null)
    return { next, config, resumption: { checkpoint: reached, engine: next }, cause: thrown, left }
  return { next, config: onAnotherEngine(config, next), resumption: null, cause: thrown, left }
}

async function goesOn(loss: Loss, policy: LossPolicy | null, io: CliIo): Promise<boolean> {
  if (policy === 'stop') return false
  const isAnew = loss.resumption === null || loss.left.length > 0
  const way = isAnew ? 'begin again' : 'go on'
  const whom = takerOf(loss)
  if (policy === null) {
    const answer = await io.ask?.(`${cutOff(loss)}: ${way} ${whom}? [Y/n] `)
    return answer !== undefined && /^(y|yes|)$/i.test(answer.trim())
  }
  io.stderr.write(`${cutOff(loss)}: ${isAnew ? 'beginning again' : 'going on'} ${whom}.\n`)
  return true
}

function takerOf({ left, next }: Loss): string {
  return left.length > 0 ? `on ${left.join(', ')} in a process of its own` : `with the ${next} engine`
}

/** What happened, without its end. */
function cutOff({ config, resumption }: Loss): string {
  if (resumption === null) return 'The run lost its device before its first iteration'
  const { iterations, restart, engineSegments } = resumption.checkpoint
  const where =
    config.nInit > 1 ? ` of restart ${formatCount(restart + 1)} of ${formatCount(config.nInit)}` : ''
  const last = engineSegments[engineSegments.length - 1]
  return `The run was cut off on ${last.engine} (${last.deviceName}) after ${plural(iterations, 'iteration')}${where}`
}

async function stopped(loss: Loss, { keep }: Work): Promise<LabError> {
  const { code, message, details } = loss.cause
  const by = loss.left.length > 0 ? `--device ${loss.left.join(',')}` : `--engine ${loss.next}`
  const advice = `run it again with --on-device-loss continue, or with ${by}`
  const sentence = `${cutOff(loss)}${await keptWhere(loss, keep)}: ${advice}.`
  return new LabError('engine-lost', code, sentence, [message, details].filter(Boolean).join('\n'))
}

async function keptWhere({ resumption }: Loss, keep: Work['keep']): Promise<string> {
  if (resumption === null) return ''
  const { ended, known, initialCentroids } = resumption.checkpoint
  const reached = (ended ?? known)?.centroids ?? initialCentroids
  const file = reached === null ? null : await keep(reached)
  return file === null ? '' : `; its centroids are kept in ${file}, from where --centroids goes on`
}
