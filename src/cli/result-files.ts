import { basename, join, resolve } from 'node:path'
import { writeTogether } from '@engine/export/file-set'
import { writeExport } from '@engine/export/index'
import { stepFileNames } from '@engine/export/steps'
import { exportSteps } from '@engine/export/steps-folder'
import type { RunProcesses } from '@engine/processes/run-processes'
import type { RunResult } from '@engine/run/types'
import { exportFileNames, type ExportKind } from '@shared/ipc'
import type { LabelFile, ReportFile } from '@shared/command-line'
import type { TextChoice } from '@shared/text-choice'
import type { ClusterOptions } from './cluster-arguments'
import { checkTargets } from './target-folder'

/** Which files `-o` asks for. */
export interface FilePlan {
  readonly folder: string
  readonly kinds: readonly ExportKind[]
  readonly steps: number
  readonly replace: boolean
  readonly text: TextChoice
}

const labelKinds: Readonly<Record<LabelFile, readonly ExportKind[]>> = {
  csv: ['labels'],
  npy: ['labels-npy'],
  both: ['labels', 'labels-npy'],
}

const reportKinds: Readonly<Record<ReportFile, readonly ExportKind[]>> = {
  html: ['report'],
  markdown: ['report-markdown'],
  both: ['report', 'report-markdown'],
}

export function planFiles({
  output,
  config,
  centroidFile,
  steps,
  force,
  text,
  labels,
  models,
  report,
  profile,
}: ClusterOptions): FilePlan | null {
  if (output === null) return null
  const kinds: readonly ExportKind[] = [
    'centroids',
    ...labelKinds[labels],
    ...(config.history ? (['history'] as const) : []),
    ...(centroidFile ? (['history-centroids'] as const) : []),
    ...(profile ? (['profile'] as const) : []),
    'run',
    ...(report === null ? [] : reportKinds[report]),
    ...models.map((model) => `model-${model}` as const),
  ]
  return { folder: resolve(output), kinds, steps, replace: force, text }
}

/** Refuses before any work what could not be written after it. @throws LabError `export.*` */
export function checkPlan(plan: FilePlan): Promise<void> {
  return checkTargets(plan.folder, namesOf(plan), plan.replace)
}

/** Who is told how the writing goes. */
export interface FileWatch {
  readonly progress: (text: string) => void
  /** A file is whole. */
  readonly written: (path: string) => void
}

/** Writes every planned file, all of them or none. @throws LabError `export.*`, `cancelled` */
export async function writeFiles(
  plan: FilePlan,
  result: RunResult,
  signal: AbortSignal,
  { progress, written }: FileWatch,
  processes?: RunProcesses,
): Promise<void> {
  const { folder, replace } = plan
  const names: string[] = []
  const about = { progress, written: (path: string) => names.push(basename(path)) }
  await writeTogether(folder, { replace, signal }, (staging) =>
    writeInto({ ...plan, folder: staging }, result, signal, about, processes),
  )
  names.forEach((name) => written(join(folder, name)))
}

async function writeInto(
  plan: FilePlan,
  result: RunResult,
  signal: AbortSignal,
  { progress, written }: FileWatch,
  processes?: RunProcesses,
): Promise<void> {
  const { replace, text } = plan
  for (const kind of plan.kinds.filter((kind) => isRecorded(kind, result))) {
    const path = join(plan.folder, exportFileNames[kind])
    const report = (rows: number) => progress(`writing ${exportFileNames[kind]}: ${rows} rows`)
    await writeExport(result, kind, path, { ...text, replace, onProgress: report, signal, processes })
    written(path)
  }
  if (plan.steps === 0 || result.centroidHistory.length === 0) return
  progress('writing the steps')
  const steps = await exportSteps(result, plan.folder, plan.steps, { ...text, replace, signal })
  steps.forEach((path) => written(path))
}

/** Where memory did not suffice for any centroids, a warning of the run has said so. */
function isRecorded(kind: ExportKind, result: RunResult): boolean {
  return kind !== 'history-centroids' || result.centroidHistory.length > 0
}

function namesOf({ kinds, steps }: FilePlan): string[] {
  const pairs = Array.from({ length: Math.min(steps, 1000) }, (_, i) => stepFileNames(i + 1))
  return [...kinds.map((kind) => exportFileNames[kind]), ...pairs.flat()]
}
