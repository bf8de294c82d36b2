/** The profiles of a run as arrays, so that they can be read where its file is not at hand. */
import type { ClusterProfiles } from '@shared/profile'
import type { NearestClusters } from './nearest-clusters'
import type { Profiles } from './profiles'

/** Of rows and features, in this order; the last two tell a cluster from the rest, and are NaN of all rows. */
export const profileStatistics = [
  ...(['mean', 'sd', 'min', 'q25', 'median', 'q75', 'max'] as const),
  ...(['z', 'difference'] as const),
] as const satisfies readonly (keyof ClusterProfiles)[]

/** More clusters than a view or a table takes are for profile.csv. */
export const maxKeptClusters = 1000

export interface KeptProfile {
  /** (k + 1, statistics, d), units of the file: all rows, then each cluster. */
  readonly statistics: Float64Array
  /** (k, 2) the cluster whose centroid is nearest, -1 for none, and its distance in units of the scaled data. */
  readonly nearest: Float64Array
}

export function keptProfile({ whole, clusters }: Profiles, near: NearestClusters, d: number): KeptProfile {
  const k = near.nearest.length
  const [size, statistics] = [
    profileStatistics.length,
    new Float64Array((k + 1) * profileStatistics.length * d),
  ]
  for (const [at, name] of profileStatistics.entries()) {
    const all = name === 'z' || name === 'difference' ? new Float64Array(d).fill(NaN) : whole[name]
    statistics.set(all, at * d)
    for (let cluster = 0; cluster < k; cluster++) {
      const own = clusters[name].subarray(cluster * d, (cluster + 1) * d)
      statistics.set(own, ((cluster + 1) * size + at) * d)
    }
  }
  const nearest = new Float64Array(2 * k)
  near.nearest.forEach((cluster, at) => nearest.set([cluster, near.distance[at]], 2 * at))
  return { statistics, nearest }
}

export function profilesFrom({ statistics }: KeptProfile, k: number, d: number): Profiles {
  const size = profileStatistics.length
  const of = (at: number, row: number) =>
    statistics.subarray((row * size + at) * d, (row * size + at + 1) * d)
  const entries = profileStatistics.map((name, at) => {
    const clusters = new Float64Array(k * d)
    for (let cluster = 0; cluster < k; cluster++) clusters.set(of(at, cluster + 1), cluster * d)
    return { name, clusters, whole: of(at, 0).slice() }
  })
  return {
    whole: Object.fromEntries(
      entries.map(({ name, whole }) => [name, whole]),
    ) as unknown as Profiles['whole'],
    clusters: Object.fromEntries(
      entries.map(({ name, clusters }) => [name, clusters]),
    ) as unknown as Profiles['clusters'],
  }
}

export function nearestFrom({ nearest }: KeptProfile, start: number, count: number): NearestClusters {
  const pairs = nearest.subarray(2 * start, 2 * (start + count))
  return {
    nearest: Int32Array.from({ length: count }, (_, at) => pairs[2 * at]),
    distance: Float64Array.from({ length: count }, (_, at) => pairs[2 * at + 1]),
  }
}
