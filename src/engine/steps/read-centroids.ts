import { readCentroidFile } from '@engine/csv/centroid-file'
import { inspect } from '@engine/csv/inspect'
import type { ImportOverrides } from '@shared/dataset'
import { centroidColumns, orderedCentroidColumns } from './step-columns'
import { stepsError } from './step-errors'

/** The centroids of one step, float64 as they stand in the file. */
export interface StepCentroids {
  /** Null where the file numbers none of them. */
  readonly clusters: readonly number[] | null
  /** (clusters, features) in the order of the features asked for, units of the file. */
  readonly centroids: readonly (readonly number[])[]
}

/**
 * @param form what is known of the file; without a header, or under other names than those of the points, its features
 * stand in the order of those asked for
 * @throws LabError `steps.features`, `steps.cluster`, `centroids.*` and those of reading a file
 */
export async function readStepCentroids(
  path: string,
  form: ImportOverrides,
  features: readonly string[],
): Promise<StepCentroids> {
  const { header, names, sample } = await inspect(path, form)
  const inOrder = header === null || (form.header !== true && !names.some((name) => features.includes(name)))
  const { cluster, features: found } = inOrder
    ? orderedCentroidColumns(names, features, sample)
    : centroidColumns(names, features)
  const own = found.map((index) => names[index])
  if (inOrder) refuseOtherCount(path, own.length, features.length)
  else refuseOtherFeatures(path, own, features)
  const wanted = inOrder ? own : features
  const rows = await rowsOf(path, cluster < 0 ? wanted : [names[cluster], ...wanted])
  if (cluster < 0) return { clusters: null, centroids: rows }
  const clusters = rows.map(([number]) => number)
  refuseOddClusters(path, clusters)
  return { clusters, centroids: rows.map((row) => row.slice(1)) }
}

/** Rows of these columns, in their order. */
async function rowsOf(path: string, wanted: readonly string[]): Promise<number[][]> {
  const columns = wanted.map((name) => ({ name }))
  const { k, values } = await readCentroidFile(path, columns)
  return Array.from({ length: k }, (_, row) => [
    ...values.subarray(row * wanted.length, (row + 1) * wanted.length),
  ])
}

function refuseOtherCount(path: string, found: number, features: number): void {
  if (found === features) return
  throw stepsError(
    'features',
    `The file ${path} has ${found} columns of coordinates where the points have ${features}: put steps of one run into a folder.`,
  )
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
