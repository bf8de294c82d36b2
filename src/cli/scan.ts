import { join, resolve } from 'node:path'
import { makeFolder } from '@engine/export/make-folder'
import { writeScan } from '@engine/export/scan'
import { Scan, type ScanObserver } from '@engine/scan/scan'
import { scanFileName, type ScanRecord } from '@shared/scan'
import { scalingAdvice } from './advice'
import { scanKept } from './checkpointed-scan'
import { failureOf } from './failure-of'
import { clearing, type CliIo } from './io'
import { loadData } from './load-data'
import { applyMemoryChoice } from './memory-arguments'
import { Progress } from './progress'
import type { ScanOptions } from './scan-arguments'
import { scanJson, scanText } from './scan-output'
import { checkTargets, inOwnFolders } from './target-folder'

/** `centroid-lab scan`: every k of a range, with what speaks for each. @returns exit status 0 */
export async function scan(options: ScanOptions, io: CliIo): Promise<number> {
  const progress = new Progress(io.stderr)
  try {
    applyMemoryChoice(options.memory)
    const folder = options.output === null ? null : resolve(options.output)
    if (folder !== null) await checkTargets(folder, [scanFileName], options.force)
    const folders = [folder, checkpointFolder(options)].filter((one) => one !== null)
    return await inOwnFolders(folders, () => scanInto(folder, options, io, progress))
  } finally {
    progress.clear()
  }
}

function checkpointFolder({ checkpoint }: ScanOptions): string | null {
  return checkpoint === null ? null : resolve(checkpoint)
}

async function scanInto(
  folder: string | null,
  options: ScanOptions,
  io: CliIo,
  progress: Progress,
): Promise<number> {
  const dataset = await loadData(options, io, progress)
  const scan = new Scan(dataset, options.config)
  const work = (progressed: () => void) => scan.run(watched(progress, options, progressed), io.signal)
  const conclude = () => {
    const record = scan.record()
    const names = record.features.map(({ name }) => name)
    return printScan(
      record,
      { folder, advice: scalingAdvice(dataset, options.config.run, names) },
      options,
      io,
      progress,
    )
  }
  const checkpoint = checkpointFolder(options)
  if (checkpoint !== null)
    await scanKept(checkpoint, scan, options.config, clearing(io, progress), work, conclude)
  else {
    await work(() => undefined)
    await conclude()
  }
  return 0
}

/** Files and what is printed: a file that finds no room on its disk must not cost the result. @throws LabError `export.*` */
async function printScan(
  record: ScanRecord,
  { folder, advice }: { readonly folder: string | null; readonly advice: readonly string[] },
  options: ScanOptions,
  io: CliIo,
  progress: Progress,
): Promise<void> {
  const files: string[] = []
  const failure = await failureOf(
    folder === null ? null : writeInto(folder, record, options, io, files),
    io.signal,
  )
  progress.clear()
  io.stdout.write(options.json ? scanJson(record, files) : scanText(record, files, advice))
  if (failure !== null) throw failure.thrown
}

/** @param progressed called after each restart and each k */
function watched(progress: Progress, { config }: ScanOptions, progressed: () => void): ScanObserver {
  return {
    restart: ({ k, restart }, done, total) => {
      progress.update(`k = ${k}: run ${restart + 1} of ${config.restarts}, ${done} of ${total} in all`)
      progressed()
    },
    reference: (k, done, total) => progress.update(`k = ${k}: ${done} of ${total} references of the gap`),
    finishedK: progressed,
  }
}

async function writeInto(
  folder: string,
  record: ScanRecord,
  { force, text }: ScanOptions,
  { signal }: CliIo,
  files: string[],
): Promise<void> {
  await makeFolder(folder)
  const { path } = await writeScan(record, join(folder, scanFileName), { replace: force, signal, ...text })
  files.push(path)
}
