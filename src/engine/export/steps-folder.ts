import { chmod, copyFile, link, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { RunResult } from '@engine/run/types'
import { throwIfAborted } from '@engine/slices'
import { stepOfFile } from '@engine/steps/step-of-file'
import { checkTarget, moveToTarget } from './atomic-file'
import { writeFailure } from './file-errors'
import { asMeant, markObsolete, meantPath } from './file-set'
import { isSameFile, refuseSource } from './refuse-source'
import { countSteps, stepFileNames, writeSteps, type StepsOptions } from './steps'
import { forgetTemporary, removeAbandoned, temporaryName, trackTemporary } from './temporary-files'

/** A file of a pair: its name, and where it really goes (checkTarget). */
interface StepFile {
  readonly name: string
  readonly target: Awaited<ReturnType<typeof checkTarget>>
}

/**
 * Writes the step pairs of a run into a folder, all of them or none: into a temporary folder inside it first, so
 * that a cancel leaves what was there before, and a failure while they are moved puts it back (as far as the disk
 * lets it). Where files may be replaced, the pairs of an earlier, longer run are
 * taken away, so that the folder holds one run.
 * @returns the files written, by step, points before centroids
 * @throws LabError `export.*`, `cancelled`
 */
export async function exportSteps(
  result: RunResult,
  folder: string,
  steps: number,
  options: StepsOptions,
): Promise<readonly string[]> {
  const count = countSteps(result, steps)
  const files = await stepFiles(result, folder, count, options.replace)
  await removeAbandoned(folder)
  const temporary = temporaryName(folder)
  trackTemporary(temporary)
  try {
    await mkdir(temporary)
    await writeSteps(result, temporary, count, { ...options, replace: false })
    throwIfAborted(options.signal)
    await moveAll(files, temporary, options.replace)
    if (options.replace) await removeLaterSteps(folder, count, result.dataset.file.path)
    return files.map(({ name }) => join(folder, name))
  } catch (thrown) {
    throw writeFailure(asMeant(thrown, temporary, folder), join(folder, stepFileNames(1)[0]))
  } finally {
    await rm(temporary, { force: true, recursive: true })
    forgetTemporary(temporary)
  }
}

/** Refuses what could not be written before any work is spent on it. */
async function stepFiles(
  result: RunResult,
  folder: string,
  count: number,
  replace: boolean,
): Promise<StepFile[]> {
  const names = Array.from({ length: count }, (_, i) => stepFileNames(i + 1)).flat()
  const files: StepFile[] = []
  for (const name of names) {
    await refuseSource(result.dataset.file.path, join(folder, name))
    files.push({ name, target: await checkTarget(join(folder, name), replace) })
  }
  return files
}

/** What was there is kept under a second name in the temporary folder until every file is in its place. */
async function moveAll(files: readonly StepFile[], temporary: string, replace: boolean): Promise<void> {
  const undo: (() => Promise<unknown>)[] = []
  try {
    for (const file of files) {
      const { path, existing } = file.target
      const kept = join(temporary, `old-${file.name}`)
      if (existing) await keep(path, kept)
      await move(join(temporary, file.name), file, replace)
      undo.push(() => (existing ? putBack(kept, path) : rm(path, { force: true })))
    }
  } catch (thrown) {
    // The first failure is the one to tell; what cannot be put back does not stop the rest.
    for (const back of undo.reverse()) await back().catch(() => undefined)
    throw thrown
  }
}

/** A second name costs nothing; where the disk knows none, or the file is on another one, it is copied. */
async function keep(path: string, kept: string): Promise<void> {
  await link(path, kept).catch(() => copyFile(path, kept))
}

/** @throws when the file cannot be put back, on another disk for one */
async function putBack(kept: string, path: string): Promise<void> {
  await rename(kept, path).catch(() => copyFile(kept, path))
}

async function move(from: string, { target }: StepFile, replace: boolean): Promise<void> {
  if (target.existing) await chmod(from, target.mode)
  await moveToTarget(from, target.path, replace)
}

/** In a set they go once it takes its place. */
async function removeLaterSteps(folder: string, count: number, source: string): Promise<void> {
  const above = meantPath(join(folder, stepFileNames(1)[0]))
  if (above === null) for (const name of await laterSteps(folder, count, source)) await rm(join(folder, name))
  else await markObsolete(folder, await laterSteps(dirname(above), count, source))
}

/** Only plain files with the very names of later steps, and never the data file. */
async function laterSteps(folder: string, count: number, source: string): Promise<string[]> {
  const later: string[] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const step = stepOfFile(entry.name)
    if (step === null || step <= count || !entry.isFile()) continue
    if (!(await isSameFile(source, join(folder, entry.name)))) later.push(entry.name)
  }
  return later
}
