import { join, resolve } from 'node:path'
import { asOnlyWriter } from '@engine/export/folder-lock'
import { makeFolder } from '@engine/export/make-folder'
import { writeScan } from '@engine/export/scan'
import { Scan, type ScanObserver } from '@engine/scan/scan'
import { scanFileName, type ScanRecord } from '@shared/scan'
import { failureOf } from './failure-of'
import type { CliIo } from './io'
import { loadData } from './load-data'
import { applyMemoryChoice } from './memory-arguments'
import { Progress } from './progress'
import type { ScanOptions } from './scan-arguments'
import { scanJson, scanText } from './scan-output'
import { checkTargets } from './target-folder'

/** `centroid-lab scan`: every k of a range, with what speaks for each. @returns exit status 0 */
export async function scan(options: ScanOptions, io: CliIo): Promise<number> {
  const progress = new Progress(io.stderr)
  try {
    applyMemoryChoice(options.memory)
    const folder = options.output === null ? null : resolve(options.output)
    if (folder === null) return await scanInto(null, options, io, progress)
    await checkTargets(folder, [scanFileName], options.force)
    return await asOnlyWriter(folder, () => scanInto(folder, options, io, progress))
  } finally {
    progress.clear()
  }
}

async function scanInto(
  folder: string | null,
  options: ScanOptions,
  io: CliIo,
  progress: Progress,
): Promise<number> {
  const dataset = await loadData(options, io, progress)
  const work = new Scan(dataset, options.config)
  await work.run(watched(progress, options), io.signal)
  const record = work.record()
  const files: string[] = []
  const failure = await failureOf(
    folder === null ? null : writeInto(folder, record, options, io, files),
    io.signal,
  )
  progress.clear()
  io.stdout.write(options.json ? scanJson(record, files) : scanText(record, files))
  if (failure !== null) throw failure.thrown
  return 0
}

function watched(progress: Progress, { config }: ScanOptions): ScanObserver {
  return {
    restart: ({ k, restart }, done, total) =>
      progress.update(`k = ${k}: run ${restart + 1} of ${config.restarts}, ${done} of ${total} in all`),
    reference: (k, done, total) => progress.update(`k = ${k}: ${done} of ${total} references of the gap`),
    finishedK: () => undefined,
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
