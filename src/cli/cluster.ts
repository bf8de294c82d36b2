import type { Coordinates } from '@engine/engines/engine'
import { resolve } from 'node:path'
import { readCentroidFile } from '@engine/csv/centroid-file'
import type { Dataset } from '@engine/dataset/dataset'
import { preparationOf } from '@engine/dataset/preparation'
import { writePartOfAll } from '@engine/export/index'
import { runProcesses, type RunProcesses } from '@engine/processes/run-processes'
import type { Resumption, RunObserver, RunResult } from '@engine/run/types'
import { runKmeans } from '@engine/run/run-kmeans'
import { invalidArgument } from '@shared/errors'
import type { RunConfig } from '@shared/run-config'
import type { ClusterOptions } from './cluster-arguments'
import { runOn } from './device-loss'
import { restartAdvice, scalingAdvice } from './advice'
import { BeginAnew, withDevices } from './devices-left'
import { clearing, type CliIo } from './io'
import { runKept } from './checkpointed-run'
import { loadData } from './load-data'
import { applyMemoryChoice } from './memory-arguments'
import { clusterJson, clusterText } from './output'
import { failureOf } from './failure-of'
import { Progress } from './progress'
import { writeReached } from './reached-centroids'
import { checkPlan, planFiles, writeFiles, type FilePlan } from './result-files'
import { inOwnFolders } from './target-folder'
import { sharedAmong } from './under-mpi'
import { watchRun } from './watch-run'
import { needsPoints, wholeResult } from './whole-result'

/** `centroid-lab cluster`: from the data file to the printed result and its files. @returns exit status 0 */
export async function cluster(asked: ClusterOptions, argv: readonly string[], io: CliIo): Promise<number> {
  const processes = runProcesses()
  const options = processes === null ? asked : sharedAmong(processes, asked)
  const progress = new Progress(io.stderr)
  try {
    applyMemoryChoice(options.memory)
    const plan = planFiles(options)
    if (plan !== null) await checkPlan(plan)
    const folders = [plan?.folder ?? null, checkpointFolder(options)].filter((folder) => folder !== null)
    return await inOwnFolders(folders, () => clusterInto(plan, { options, asked }, io, progress))
  } catch (thrown) {
    if (!(thrown instanceof BeginAnew) || io.another === undefined) throw thrown
    progress.clear()
    return (await io.another(withDevices(argv, thrown.devices), false, io.signal)).status
  } finally {
    progress.clear()
  }
}

async function clusterInto(
  plan: FilePlan | null,
  { options, asked }: { readonly options: ClusterOptions; readonly asked: ClusterOptions },
  io: CliIo,
  progress: Progress,
): Promise<number> {
  const processes = runProcesses()
  const files = { kinds: planFiles(asked)?.kinds ?? [], steps: asked.steps }
  const wish = { processes: processes ?? undefined, needsPoints: needsPoints(files.kinds, files.steps) }
  const dataset = await loadData(options, io, progress, wish)
  const config = await resolveK(options, dataset)
  const observer = watchRun(progress, config)
  const keep = async (reached: Coordinates) =>
    plan && writeReached(plan.folder, dataset, config, reached, io.signal)
  const { onLoss } = options
  const checkpoint = checkpointFolder(options)
  const clearingIo = clearing(io, progress)
  const run = (from: Resumption | null, checkpointReady?: RunObserver['checkpointReady']) => {
    const followed = { ...observer, ...(checkpointReady && { checkpointReady }) }
    return runOn(runKmeans, { dataset, config, observer: followed, from, onLoss, keep }, clearingIo)
  }
  const conclude = async (result: RunResult) => {
    const print = (whole: RunResult, together?: RunProcesses) => {
      const advice = [...scalingAdvice(dataset, config, namesOf(whole)), ...restartAdvice(config)]
      return printResult(whole, { plan, advice }, options, io, progress, together)
    }
    if (processes === null) return print(result)
    if (needsPoints(files.kinds, files.steps)) return print(await wholeResult(result, processes))
    if (processes.rank === 0) return print(result, processes)
    // What fails there is said by the first one, and ends all.
    await writePartOfAll(result, files.kinds, processes, asked.text, io.signal).catch(() => undefined)
  }
  if (checkpoint === null) await conclude(await run(null))
  else await runKept(checkpoint, dataset, config, clearingIo, run, conclude)
  return 0
}

/** Files and what is printed (@param processes that hold the labels together): a file that finds no room on its disk must not cost the result. @throws LabError `export.*` */
async function printResult(
  result: RunResult,
  { plan, advice }: { readonly plan: FilePlan | null; readonly advice: readonly string[] },
  { json }: ClusterOptions,
  { signal, stdout }: CliIo,
  progress: Progress,
  processes?: RunProcesses,
): Promise<void> {
  const files: string[] = []
  const about = {
    progress: (text: string) => progress.update(text),
    written: (path: string) => files.push(path),
  }
  const failure = await failureOf(plan && writeFiles(plan, result, signal, about, processes), signal)
  progress.clear()
  stdout.write(json ? clusterJson(result, files) : clusterText(result, files, advice))
  if (failure !== null) throw failure.thrown
}

const namesOf = ({ record }: RunResult): readonly string[] => record.features.map(({ name }) => name)

function checkpointFolder({ checkpoint }: ClusterOptions): string | null {
  return checkpoint === null ? null : resolve(checkpoint)
}

/** Without -k the file may tell: line 3 of a headed file, or the rows of the centroid file. */
async function resolveK(options: ClusterOptions, dataset: Dataset): Promise<RunConfig> {
  const { config, givesK } = options
  const centroidsFile = config.centroidsFile === null ? null : resolve(config.centroidsFile)
  const known = { ...config, centroidsFile }
  if (givesK) return known
  if (centroidsFile !== null) {
    const { k } = await readCentroidFile(centroidsFile, preparationOf(dataset, config).features)
    return { ...known, k }
  }
  const proposed = dataset.receipt.proposedK
  if (proposed === null) throw invalidArgument('the number of clusters', '-k', null)
  return { ...known, k: proposed }
}
