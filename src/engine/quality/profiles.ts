import type { ClusterProfiles, FeatureStatistics } from '@shared/profile'
import type { RunResult } from '../run/types'
import { Slices } from '../slices'
import { runValues, type FileValues } from './file-values'
import { byCluster, type ByCluster } from './labelled-points'
import { momentsOfRest, variance, type Moments } from './moments-of-rows'
import { profileColumn, type GroupProfile } from './profile-column'

/** Every cluster of a result beside the whole: (d) and (k, d). */
export interface Profiles {
  readonly whole: FeatureStatistics
  readonly clusters: ClusterProfiles
}

/** What the clusters of a result are, in units of the file. @param onShare told which share is done @throws LabError `cancelled` */
export function profilesOf(
  result: RunResult,
  signal: AbortSignal,
  onShare: (share: number) => void = () => undefined,
): Promise<Profiles> {
  const clustered = byCluster(result.labels, result.record.k)
  return profileFeatures(runValues(result), clustered, new Slices(signal), onShare)
}

/** O(n d) and a selection a cluster and feature. @param features in units of the file @throws LabError `cancelled` */
export async function profileFeatures(
  features: readonly FileValues[],
  clustered: ByCluster,
  slices: Slices,
  onShare: (share: number) => void = () => undefined,
): Promise<Profiles> {
  const [d, k] = [features.length, clustered.starts.length - 1]
  const whole = emptyStatistics(d)
  const clusters = { ...emptyStatistics(k * d), z: nothing(k * d), difference: nothing(k * d) }
  for (const [j, values] of features.entries()) {
    onShare(j / d)
    const column = await profileColumn(values, clustered, slices)
    put(whole, j, column.whole)
    const rest = momentsOfRest(column.clusters.map(({ moments }) => moments))
    for (const [cluster, own] of column.clusters.entries()) {
      const at = cluster * d + j
      put(clusters, at, own)
      clusters.z[at] = zOf(own.moments, rest[cluster])
      clusters.difference[at] = standardisedDifference(own.moments, rest[cluster])
    }
  }
  return { whole, clusters }
}

function nothing(length: number): Float64Array {
  return new Float64Array(length).fill(NaN)
}

function emptyStatistics(length: number): FeatureStatistics {
  const names = ['mean', 'sd', 'min', 'q25', 'median', 'q75', 'max'] as const
  return Object.fromEntries(names.map((name) => [name, nothing(length)])) as unknown as FeatureStatistics
}

function put(into: FeatureStatistics, at: number, { moments, min, max, quartiles }: GroupProfile): void {
  if (moments.count === 0) return
  into.mean[at] = moments.mean
  into.sd[at] = Math.sqrt(variance(moments))
  into.min[at] = min
  into.q25[at] = quartiles[0]
  into.median[at] = quartiles[1]
  into.q75[at] = quartiles[2]
  into.max[at] = max
}

function zOf(own: Moments, rest: Moments): number {
  if (own.count === 0 || rest.count === 0) return NaN
  const deviation = Math.sqrt(variance(rest))
  return deviation > 0 ? (own.mean - rest.mean) / deviation : NaN
}

/** Cohen's d; a single row has no spread of its own. */
function standardisedDifference(own: Moments, rest: Moments): number {
  if (own.count === 0 || rest.count === 0) return NaN
  const difference = own.mean - rest.mean
  if (difference === 0) return 0
  const spread = Math.sqrt(((variance(own) || 0) + (variance(rest) || 0)) / 2)
  return spread > 0 ? difference / spread : difference * Infinity
}

/** (count, d) features of clusters `start`... by the magnitude of their difference, the largest first, ties in order. */
export function rankedFeatures(difference: Float64Array, d: number): Int32Array {
  const ranked = new Int32Array(difference.length)
  for (let row = 0; row < difference.length; row += d) {
    const own = difference.subarray(row, row + d)
    const size = (j: number) => (Number.isNaN(own[j]) ? -1 : Math.abs(own[j]))
    const order = [...own.keys()].sort((a, b) => (size(a) === size(b) ? a - b : size(b) - size(a)))
    ranked.set(order, row)
  }
  return ranked
}
