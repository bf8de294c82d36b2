import { readCentroidFile } from '@engine/csv/centroid-file'
import { inspect } from '@engine/csv/inspect'
import { centroidColumns } from './step-columns'
import { stepsError } from './step-errors'
import { stepForm } from './read-points'

/** The centroids of one step, float64 as they stand in the file. */
export interface StepCentroids {
  readonly clusters: readonly number[]
  /** (clusters, features) in the order of the features asked for, units of the file. */
  readonly centroids: readonly (readonly number[])[]
}

/** @throws LabError `steps.features`, `steps.cluster`, `centroids.*` and those of reading a file */
export async function readStepCentroids(path: string, features: readonly string[]): Promise<StepCentroids> {
  const { names } = await inspect(path, stepForm)
  const columns = centroidColumns(names, features)
  const found = columns.features.map((index) => names[index])
  refuseOtherFeatures(path, found, features)
  const numbered = columns.cluster >= 0
  const wanted = numbered ? [names[columns.cluster], ...features] : features
  const { k, values } = await readCentroidFile(
    path,
    wanted.map((name) => ({ name })),
  )
  const rows = Array.from({ length: k }, (_, row) => [
    ...values.subarray(row * wanted.length, (row + 1) * wanted.length),
  ])
  if (!numbered) return { clusters: [...rows.keys()], centroids: rows }
  const clusters = rows.map(([cluster]) => cluster)
  refuseOddClusters(path, clusters)
  return { clusters, centroids: rows.map((row) => row.slice(1)) }
}

/** @throws LabError `steps.features` when a step file has other features than the first one of its folder */
export function refuseOtherFeatures(
  path: string,
  found: readonly string[],
  features: readonly string[],
): void {
  const missing = features.find((name) => !found.includes(name))
  const extra = found.find((name) => !features.includes(name))
  if (missing === undefined && extra === undefined) return
  const what =
    missing === undefined
      ? `has a feature '${extra}' that the first step has not`
      : `has no feature '${missing}', which the first step has`
  throw stepsError('features', `The file ${path} ${what}: put steps of one run into a folder.`)
}

function refuseOddClusters(path: string, clusters: readonly number[]): void {
  const odd = clusters.find(
    (cluster, i) => !Number.isSafeInteger(cluster) || cluster < 0 || clusters.indexOf(cluster) !== i,
  )
  if (odd === undefined) return
  throw stepsError(
    'cluster',
    `The centroid file ${path} has a cluster numbered ${odd}, which is invalid or repeated: number them 0, 1, 2, and so on.`,
  )
}
