import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAtomically } from '@engine/export/atomic-file'
import { writeTogether } from '@engine/export/file-set'
import { asOnlyWriter } from '@engine/export/folder-lock'
import { throwIfAborted } from '@engine/slices'
import { stepOfFile } from '@engine/steps/step-of-file'
import { LabError, toErrorReport } from '@shared/errors'
import { exportFileNames, exportKinds, type AppRequests } from '@shared/ipc'
import type { PlotImage } from '@shared/plot-image'
import type { EngineProcess } from './engine-process'
import { t } from '@shared/locale/translate'

const timings = 'timings.csv'
const plotName = ({ name, format }: PlotImage) => `${name}.${format}`

/** Names of the files of an export; step pairs are known by `isStepFile`. */
export const fileNames = {
  timings,
  plot: plotName,
  all: (plots: readonly PlotImage[]) => [...Object.values(exportFileNames), timings, ...plots.map(plotName)],
}

/**
 * Is it one of the pair of a step, as an export numbers them (from 1)? Those of an earlier, longer export go too, so
 * that no folder mixes two runs.
 */
export function isStepFile(name: string): boolean {
  return (stepOfFile(name) ?? 0) >= 1
}

/** The files of a folder under the name of a target; a folder of that name is none. @throws LabError `io` when the folder cannot be read. */
export async function existingTargets(
  folder: string,
  isTarget: (name: string) => boolean,
): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new LabError(
      'io',
      'export.folder-unreadable',
      t('desktop.theFolderCannotBeReadSo', [folder]),
      String(error),
    )
  })
  return entries.flatMap((entry) => (!entry.isDirectory() && isTarget(entry.name) ? [entry.name] : []))
}

/** Writes a plot, whole or not at all. @throws LabError as `writeAtomically`. */
export function writePlot(
  plot: PlotImage,
  path: string,
  replace: boolean,
  signal: AbortSignal,
): Promise<{ path: string; bytes: number }> {
  return writeAtomically(path, { replace, signal }, (sink) => sink.writeBytes(plot.bytes))
}

type Engine = Pick<EngineProcess, 'request'>
type Task = AppRequests['app.export-all']['params'] & { readonly folder: string; readonly replace: boolean }

/** One file, or the step pairs. `write` answers the number of files. */
interface Part {
  readonly name: string
  write(): Promise<number>
}

/** What a run did not keep is no failure of "everything". */
const notRecorded = 'export.not-recorded'

/**
 * Writes everything that a run can give into a folder: all of it, or nothing when a file fails.
 * @throws LabError that names the file that failed, `cancelled`
 */
export async function exportAll(
  engine: Engine,
  task: Task,
  signal: AbortSignal,
): Promise<{ folder: string; files: number }> {
  return asOnlyWriter(task.folder, async () => {
    const { folder, replace } = task
    const files = await writeTogether(folder, { replace, signal }, (staging) =>
      writeParts(partsOf(engine, { ...task, folder: staging }, signal), signal),
    )
    return { folder, files }
  })
}

/** @returns number of files */
async function writeParts(parts: readonly Part[], signal: AbortSignal): Promise<number> {
  let files = 0
  for (const part of parts) {
    throwIfAborted(signal)
    files += await part.write().catch((error: unknown) => countOf(error, part.name))
  }
  return files
}

function partsOf(engine: Engine, task: Task, signal: AbortSignal): readonly Part[] {
  const { runId, runIds, steps, plots, folder, replace, ...text } = task
  const file = (name: string, write: (path: string) => Promise<unknown>): Part => ({
    name,
    write: () => write(join(folder, name)).then(() => 1),
  })
  return [
    ...exportKinds.map((kind) =>
      file(exportFileNames[kind], (path) =>
        engine.request('export.write', { runId, kind, path, replace, ...text }),
      ),
    ),
    file(timings, (path) => engine.request('export.timings', { runIds, path, replace, ...text })),
    ...plots.map((plot) => file(plotName(plot), (path) => writePlot(plot, path, replace, signal))),
    {
      name: t('desktop.theStepPairs'),
      write: async () =>
        (await engine.request('export.steps', { runId, folder, steps, replace, ...text })).files.length,
    },
  ]
}

/** No file where there was nothing to write. @throws LabError for every other failure, with the file's name. */
function countOf(error: unknown, name: string): number {
  const report = toErrorReport(error)
  if (report.code === notRecorded) return 0
  if (report.kind === 'cancelled' || report.message.includes(name)) throw LabError.from(report)
  throw LabError.from({ ...report, message: t('desktop.exportingFailed', [name, report.message]) })
}
