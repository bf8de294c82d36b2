import {
  inexactLabels,
  largestMeanError,
  memberSums,
  maxMeanError,
  sampleOf as sampleOfPoints,
  type Sample,
} from '@engine/benchmark/exactness'
import type { Session } from '@engine/engines/engine'
import type { RunShape } from '@shared/variant'
import { check, checkAtMost, checkSame } from '@tests/parity/check'
import type { Contender } from '@tests/parity/contenders'
import type { Blobs } from './blobs'

export type { Sample } from '@engine/benchmark/exactness'

const maxSampled = 20_000
const never = new AbortController().signal

/** Spread evenly over the points. O(sample k d), in float64. */
export function sampleOf({ points, centroids }: Blobs, k: number): Promise<Sample> {
  return sampleOfPoints(points, centroids, k, maxSampled, never)
}

/** What was looked at, for the record. */
export interface Verified {
  readonly labelsChecked: number
  /** Largest difference of a coordinate after one iteration, in ranges of its column. */
  readonly centroidError: number
}

/**
 * One iteration in the very session that is timed afterwards: labels of the sample exact in the sense of the contract, centroids the
 * means of the members, within the tolerance of the contract.
 * @throws CheckFailure when they are not.
 */
export async function verify(
  { labelUnit }: Contender,
  { k }: RunShape,
  session: Session,
  { points, centroids: start, ranges }: Blobs,
  sample: Sample,
): Promise<Verified> {
  await session.start(start)
  const { labels } = await session.read()
  checkSame(labels.length, points.n, 'number of labels')
  const inexact = await inexactLabels(points, start, k, sample, labels, labelUnit, never)
  check(inexact === 0, `${inexact} of ${sample.nearest.length} labels are inexact`)
  await session.start(start)
  await session.advance({ iterations: 1, milliseconds: Number.MAX_SAFE_INTEGER }, never)
  const { centroids } = await session.read()
  checkSame(centroids.length, k * points.d, 'coordinates of centroids')
  const centroidError = largestMeanError(await memberSums(points, labels, k, never), start, centroids, ranges)
  checkAtMost(centroidError, maxMeanError, 'largest error of a centroid, in ranges of its column')
  return { labelsChecked: sample.nearest.length, centroidError }
}
