import { readFile } from 'node:fs/promises'
import { hashed, type Dataset } from '@engine/dataset/dataset'
import { engines } from '@engine/engines'
import { nextEngine } from '@engine/engines/next-engine'
import { BrokenRuns } from '@engine/host/broken-runs'
import { Spool } from '@engine/host/spool'
import type { Checkpoint, Resumption, RunObserver, RunResult } from '@engine/run/types'
import { cancelled, LabError } from '@shared/errors'
import { plural } from '@shared/quantity-words'
import type { RunConfig } from '@shared/run-config'
import type { EngineId } from '@shared/variant'
import { dataKey, digest, isCancel } from './checkpoint-name'
import type { CliIo } from './io'
import { checkTargets } from './target-folder'

/** A run, given where it goes on and who is told where it stands. */
type Run = (
  from: Resumption | null,
  checkpointReady: NonNullable<RunObserver['checkpointReady']>,
) => Promise<RunResult>

/**
 * One run with its checkpoint kept in a folder while it works: the same command, given again after its process was ended by whatever, goes
 * on from there. Nothing stays of a run that is done and concluded.
 * @param conclude does with the result what was asked for
 * @throws LabError what the run throws; `export.*` where the folder takes no files
 */
export async function runKept<T>(
  folder: string,
  dataset: Dataset,
  config: RunConfig,
  io: CliIo,
  run: Run,
  conclude: (result: RunResult) => Promise<T>,
): Promise<T> {
  const runId = await nameOf(await hashed(dataset), config)
  await checkTargets(folder, [`${runId}.checkpoint`], true)
  const spool = new Spool(folder, undefined, (sentence) => io.stderr.write(`${sentence}\n`))
  // Half of one, from a process that was killed: this is the only one that writes there now.
  await spool.removeUnfinished()
  const broken = new BrokenRuns(spool)
  const kept = (await spool.checkpoints()).get(runId)?.checkpoint
  const from = kept?.engineSegments.length
    ? { checkpoint: kept, engine: await engineFor(config, kept) }
    : null
  if (from !== null) io.stderr.write(`Going on after ${reachedWords(from.checkpoint)}, kept in ${folder}.\n`)
  const follower = broken.follow({ ...{ runId, datasetId: runId }, dataset, config, engine: null })
  try {
    const result = await run(from, (take) => follower.checkpointReady(take))
    // Its files may find no room: until they are written it can be resumed.
    const concluded = await conclude(result)
    await follower.end()
    return concluded
  } catch (thrown) {
    const stoppedMs = Date.now()
    const hadBegun = (await follower.break()) !== null
    if (!hadBegun || !isCancel(thrown)) throw thrown
    const left = (await spool.checkpoints()).get(runId)
    throw stopped(folder, left === undefined ? 'nothing' : left.savedMs < stoppedMs ? 'earlier' : 'newest')
  }
}

/** The same data, read in the same way, and the same question, wherever it is computed. */
async function nameOf(dataset: Dataset, config: RunConfig): Promise<string> {
  const { engine: _engine, device: _device, variant: _variant, timing: _timing, ...question } = config
  const { centroidsFile } = question
  // What cannot be read is told by the run.
  const begins = centroidsFile === null ? null : await readFile(centroidsFile).then(digest, () => null)
  return `cluster-${digest(JSON.stringify([...dataKey(dataset), begins, question])).slice(0, 16)}`
}

/** The engine that is asked for, else where it was, if that is still there. */
async function engineFor({ engine }: RunConfig, { engineSegments }: Checkpoint): Promise<EngineId> {
  if (engine !== 'auto') return engine
  const last = engineSegments[engineSegments.length - 1].engine
  return (await engines[last].availability()).available ? last : nextEngine(last)
}

function reachedWords({ restart, iterations }: Checkpoint): string {
  const finished = restart > 0 ? `${plural(restart, 'restart')} and ` : ''
  return `${finished}${plural(iterations, 'iteration')} of an earlier start`
}

/** @param kept what is on the disk: on one that is full an earlier checkpoint may be, or nothing */
function stopped(folder: string, kept: 'newest' | 'earlier' | 'nothing'): LabError {
  const sentences = {
    newest: `its progress is kept in ${folder}: the same command resumes it.`,
    earlier: `an earlier checkpoint is kept in ${folder}: the same command resumes from it.`,
    nothing: `nothing could be kept in ${folder}: the same command starts over.`,
  }
  const { kind, code } = cancelled()
  return new LabError(kind, code, `Cancelled; ${sentences[kept]}`)
}
