import { constants } from 'node:fs'
import { access, mkdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { checkTarget } from '@engine/export/atomic-file'
import { writeExport } from '@engine/export/index'
import { refuseWrite, writeFailure } from '@engine/export/file-errors'
import { stepFileNames, writeSteps } from '@engine/export/steps'
import type { RunResult } from '@engine/run/run'
import { LabError } from '@shared/errors'
import { exportFileNames, type ExportKind } from '@shared/ipc'
import type { ClusterOptions } from './cluster-arguments'

/** Which files `-o` asks for. */
export interface FilePlan {
  readonly folder: string
  readonly kinds: readonly ExportKind[]
  readonly steps: number
  readonly replace: boolean
}

export function planFiles({ output, config, centroidFile, steps, force }: ClusterOptions): FilePlan | null {
  if (output === null) return null
  const kinds: readonly ExportKind[] = [
    'centroids',
    'labels',
    ...(config.history ? (['history'] as const) : []),
    ...(centroidFile ? (['history-centroids'] as const) : []),
    'run',
  ]
  return { folder: resolve(output), kinds, steps, replace: force }
}

/** Refuses before any work what could not be written after it. @throws LabError `export.*` */
export async function checkPlan(plan: FilePlan): Promise<void> {
  if (!(await checkFolder(plan.folder))) return
  for (const name of namesOf(plan)) {
    await checkTarget(join(plan.folder, name), plan.replace).catch((thrown: unknown) => {
      throw explainForce(thrown)
    })
  }
}

/** Writes every planned file, each whole or not at all. @returns the paths written */
export async function writeFiles(
  plan: FilePlan,
  result: RunResult,
  signal: AbortSignal,
  onProgress: (text: string) => void,
): Promise<readonly string[]> {
  await makeFolder(plan.folder)
  const written: string[] = []
  for (const kind of plan.kinds.filter((kind) => isRecorded(kind, result))) {
    const path = join(plan.folder, exportFileNames[kind])
    const report = (rows: number) => onProgress(`writing ${exportFileNames[kind]}: ${rows} rows`)
    await writeExport(result, kind, path, { replace: plan.replace, onProgress: report, signal })
    written.push(path)
  }
  if (plan.steps === 0 || result.centroidHistory.length === 0) return written
  onProgress('writing the steps')
  return [
    ...written,
    ...(await writeSteps(result, plan.folder, plan.steps, { replace: plan.replace, signal })),
  ]
}

/** Where memory did not suffice for any centroids, a warning of the run has said so. */
function isRecorded(kind: ExportKind, result: RunResult): boolean {
  return kind !== 'history-centroids' || result.centroidHistory.length > 0
}

function namesOf({ kinds, steps }: FilePlan): string[] {
  const pairs = Array.from({ length: Math.min(steps, 1000) }, (_, i) => stepFileNames(i + 1))
  return [...kinds.map((kind) => exportFileNames[kind]), ...pairs.flat()]
}

/** The folder, or, as long as it is missing, the nearest above it, must take new files. @returns it is there */
async function checkFolder(folder: string): Promise<boolean> {
  const facts = await stat(folder).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return null
    throw writeFailure(thrown, folder)
  })
  if (facts === null) {
    await checkFolder(dirname(folder))
    return false
  }
  if (!facts.isDirectory()) throw refuseWrite('ENOTDIR', join(folder, exportFileNames.centroids))
  await access(folder, constants.W_OK).catch((thrown: unknown) => {
    throw writeFailure(thrown, folder)
  })
  return true
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true }).catch((thrown: unknown) => {
    throw writeFailure(thrown, folder)
  })
}

function explainForce(thrown: unknown): unknown {
  if (!(thrown instanceof LabError) || thrown.code !== 'export.exists') return thrown
  const message = thrown.message.replace(
    / exists: .*$/,
    ' exists: add --force to replace it, or choose another folder with -o.',
  )
  return new LabError(thrown.kind, thrown.code, message, thrown.details)
}
