/** Which cluster each row of a centroid file is, where the file does not say so. */
import { stepsError } from './step-errors'

/** A step whose k centroids may have no numbers. */
interface LabelledStep {
  readonly k: number
  readonly labels: Int32Array
}

/** 1 where the steps of a folder count their clusters from 1, as R and MATLAB do: some point is of cluster k, and none of 0. */
export function firstNumber(steps: readonly LabelledStep[]): 0 | 1 {
  const hasZero = steps.some(({ labels }) => labels.includes(0))
  return !hasZero && steps.some(({ k, labels }) => labels.includes(k)) ? 1 : 0
}

/**
 * @param path the centroid file
 * @returns k numbers from `first` on
 * @throws LabError `steps.cluster` for a point whose cluster has no row
 */
export function rowNumbers(path: string, k: number, labels: Int32Array, first: number): readonly number[] {
  const beyond = labels.find((label) => label >= first + k)
  if (beyond === undefined) return Array.from({ length: k }, (_, row) => first + row)
  throw stepsError(
    'cluster',
    `The centroid file ${path} has no row for cluster ${beyond}, of which there are points: its rows, which have no numbers, are taken for clusters ${first} to ${first + k - 1}, so add the missing rows or a column 'cluster'.`,
  )
}
