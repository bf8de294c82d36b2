import type { Coordinates } from '../engines/engine'
import { join } from 'node:path'
import type { RunResult } from '@engine/run/types'
import { centroidRow, fileCentroids, keptIterations, nearestLabels } from './assignment'
import { isMissingMark } from '../csv/number'
import { writeAtomically, type AtomicOptions, type TextSink } from './atomic-file'
import type { RecordedFeature } from '@shared/run-record'
import type { TextChoice } from '@shared/text-choice'
import { csvForm, freeName } from './csv-text'
import { notRecorded } from './not-recorded'
import { visitSource, type SourceRow } from './source-rows'

/** The labels of several steps are held at a time, so that one reading of the source serves them all. */
const labelBytes = 1 << 28
const filesAtATime = 16

/** Names of the pair of step `i`. */
export function stepFileNames(i: number): readonly [points: string, centroids: string] {
  return [`step-${i}-points.csv`, `step-${i}-centroids.csv`]
}

export interface StepsOptions extends AtomicOptions, TextChoice {
  /** Rows of the source read so far: it is read once for several steps. */
  readonly onProgress?: (rows: number, totalRows: number) => void
}

interface Step {
  readonly i: number
  readonly before: Coordinates
  readonly after: Coordinates
}

/**
 * Writes the pairs of steps 1..`steps` of the best restart into a folder (fewer when it had fewer iterations):
 * `step-<i>-points.csv` has the features of each point, cells as in the source, and the cluster that iteration i
 * assigned it to (computed again in float64); `step-<i>-centroids.csv` the centroids after iteration i, in units
 * of the file.
 * @returns the files written
 */
export async function writeSteps(
  result: RunResult,
  folder: string,
  steps: number,
  options: StepsOptions,
): Promise<readonly string[]> {
  const kept = stepsOf(result).slice(0, countSteps(result, steps))
  const together = Math.floor(labelBytes / (4 * result.points.n))
  const width = Math.max(1, Math.min(filesAtATime, together))
  const written: string[] = []
  const { rows } = result.dataset
  const totalRows = Math.ceil(kept.length / width) * rows
  for (let first = 0; first < kept.length; first += width) {
    const group = kept.slice(first, first + width)
    const before = (first / width) * rows
    const report = (read: number) => options.onProgress?.(before + Math.min(read, rows), totalRows)
    await writePoints(result, folder, group, options, report)
    for (const step of group) await writeCentroids(result, folder, step, options)
    written.push(...group.flatMap(({ i }) => stepFileNames(i).map((name) => join(folder, name))))
  }
  return written
}

/** How many pairs there are of those asked for: steps 1, 2, ... @throws LabError `export.not-recorded` when none */
export function countSteps(result: RunResult, steps: number): number {
  const count = Math.min(steps, stepsOf(result).length)
  if (count === 0) throw notRecorded('centroid history')
  return count
}

function stepsOf(result: RunResult): Step[] {
  return keptIterations(result).flatMap(({ run, iteration, before, after }) =>
    run === result.record.bestRun && before !== null ? [{ i: iteration, before, after }] : [],
  )
}

async function writePoints(
  result: RunResult,
  folder: string,
  steps: readonly Step[],
  options: StepsOptions,
  report: (rows: number) => void,
): Promise<void> {
  const labels: Int32Array[] = []
  for (const { before } of steps) labels.push(await nearestLabels(result, before, options.signal))
  const paths = steps.map(({ i }) => join(folder, stepFileNames(i)[0]))
  await writeTogether(paths, options, (sinks) => fillPoints(result, labels, sinks, options, report))
}

/** Opens one file inside the other, so that each is put in place only after all were filled. */
async function writeTogether(
  paths: readonly string[],
  options: AtomicOptions,
  produce: (sinks: readonly TextSink[]) => Promise<void>,
  open: readonly TextSink[] = [],
): Promise<void> {
  if (paths.length === 0) return produce(open)
  const [path, ...others] = paths
  await writeAtomically(path, options, (sink) => writeTogether(others, options, produce, [...open, sink]))
}

async function fillPoints(
  result: RunResult,
  labels: readonly Int32Array[],
  sinks: readonly TextSink[],
  options: StepsOptions,
  report: (rows: number) => void,
): Promise<void> {
  const { features } = result.record
  const form = csvForm(options)
  const names = features.map(({ name }) => form.text(name))
  const header = async () => {
    for (const sink of sinks) await sink.write(form.line([...names, freeName('cluster', names)]))
  }
  let read = 0
  const batch = async (rows: readonly SourceRow[]) => {
    for (const { cells, point } of rows) {
      if (point < 0) continue
      const own = features.map((feature) => stepCell(feature, cells[feature.index] ?? ''))
      for (let s = 0; s < sinks.length; s++)
        await sinks[s].write(form.line([...own, String(labels[s][point])]))
    }
    report((read += rows.length))
  }
  await visitSource(result.dataset, result.points, { header, batch }, options.signal)
}

/** As in the source; of a text whether it is there, so that the pair has the same columns. */
function stepCell({ category }: RecordedFeature, cell: string): string {
  if (category === undefined) return cell
  return isMissingMark(cell) ? '' : String(Number(cell.trim() === category))
}

async function writeCentroids(
  result: RunResult,
  folder: string,
  step: Step,
  options: StepsOptions,
): Promise<void> {
  const { features, k, d } = result.record
  const form = csvForm(options)
  const names = features.map(({ name }) => form.text(name))
  const centroids = await fileCentroids(result, step.after, options.signal)
  await writeAtomically(join(folder, stepFileNames(step.i)[1]), options, async (sink) => {
    await sink.write(form.line([freeName('cluster', names), ...names]))
    for (let cluster = 0; cluster < k; cluster++) {
      const row = centroidRow(centroids, cluster, d)
      if (row !== null) await sink.write(form.line([cluster, ...row].map(form.number)))
    }
  })
}
