import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import type { NumericColumn } from '@engine/dataset/dataset'
import { throwIfAborted } from '@engine/slices'
import type { StepPair, StepsFolder } from '@shared/steps'
import { listPairs, type PairFiles } from './list-pairs'
import { readStepCentroids, refuseOtherFeatures } from './read-centroids'
import { readPoints } from './read-points'
import { firstNumber, rowNumbers } from './row-numbers'

/** A folder of step pairs in memory. */
export interface OpenSteps {
  readonly folder: StepsFolder
  /** By step, as `folder.steps`. */
  readonly points: readonly OpenPoints[]
}

export interface OpenPoints {
  /** By feature, as `StepsFolder.features`. */
  readonly columns: readonly NumericColumn[]
  /** By feature, as `columns`. */
  readonly ranges: readonly Range[]
  readonly labels: Int32Array
}

type Range = StepsFolder['ranges'][number]

interface OpenPair extends OpenPoints {
  readonly files: PairFiles
  readonly step: Omit<StepPair, 'clusters'> & { readonly clusters: readonly number[] | null }
}

/**
 * Reads a folder of step pairs: `step-<i>-points.csv` (features and cluster) with `step-<i>-centroids.csv`, or those of
 * another program, whose files share a number. The
 * features are those of the first step and must be the same in every file, whatever their order there.
 * @throws LabError `steps.*`, and those of reading a file
 */
export async function openSteps(folder: string, signal: AbortSignal): Promise<OpenSteps> {
  const files = await listPairs(folder)
  const opened: OpenPair[] = []
  let features: readonly string[] | null = null
  for (const pair of files) {
    throwIfAborted(signal)
    const points = await readPoints(pair.points, pair.form, signal)
    features ??= points.features
    opened.push(await joined(pair, points, features))
  }
  const first = firstNumber(opened.map(({ step, labels }) => ({ k: step.centroids.length, labels })))
  const summary: StepsFolder = {
    id: randomUUID(),
    name: basename(folder),
    features: features ?? [],
    ranges: (features ?? []).map((_, j) => widest(opened.map(({ ranges }) => ranges[j]))),
    steps: opened.map((pair) => numbered(pair, first)),
  }
  return {
    folder: summary,
    points: opened.map(({ columns, ranges, labels }) => ({ columns, ranges, labels })),
  }
}

async function joined(
  files: PairFiles,
  points: Awaited<ReturnType<typeof readPoints>>,
  features: readonly string[],
): Promise<OpenPair> {
  refuseOtherFeatures(files.points, points.features, features)
  const { clusters, centroids } = await readStepCentroids(files.centroids, files.form, features)
  const order = features.map((name) => points.features.indexOf(name))
  const step = { iteration: files.iteration, points: points.labels.length, clusters, centroids }
  return {
    files,
    step,
    ranges: order.map((index) => points.ranges[index]),
    columns: order.map((index) => points.columns[index]),
    labels: points.labels,
  }
}

/** Centroids that the file does not number are those of the points' labels, in their order. */
function numbered({ files, step, labels }: OpenPair, first: number): StepPair {
  const clusters = step.clusters ?? rowNumbers(files.centroids, step.centroids.length, labels, first)
  return { ...step, clusters }
}

function widest(ranges: readonly Range[]): Range {
  return ranges.reduce((all, { min, max }) => ({
    min: Math.min(all.min, min),
    max: Math.max(all.max, max),
  }))
}
