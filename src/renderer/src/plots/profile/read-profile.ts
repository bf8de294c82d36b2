/** What the engine says of the clusters, as plots, tables and sentences take it. */
import type { ClusterProfiles, FeatureStatistics, Profile as EngineProfile } from '@shared/profile'
import type { RecordedFeature } from '@shared/run-record'
import { namedFeature } from '@/text/feature-words'
import type { Profile, ProfiledCluster, Spread } from './profile'

/** A feature that sets a cluster apart. */
export interface DistinctiveFeature {
  /** Its position. */
  readonly feature: number
  /** Means of the cluster and of all other rows, units of the file. */
  readonly mean: number
  readonly elsewhere: number
  /** Standardised difference (Cohen's d); may be infinite. */
  readonly difference: number
}

export interface ReadCluster extends ProfiledCluster {
  /** By the magnitude of their difference, the largest first. */
  readonly distinctive: readonly DistinctiveFeature[]
  /** The cluster whose centroid is nearest; null where there is no other. */
  readonly nearest: { readonly cluster: number; readonly distance: number } | null
}

export interface ReadProfile extends Profile {
  readonly columns: readonly RecordedFeature[]
  readonly clusters: readonly ReadCluster[]
  /** Clusters of the result that have rows, of which the first are here. */
  readonly rows: number
}

/** Features that a sentence may name. */
const maxDistinctive = 8

const number = (values: ArrayLike<number>, at: number): number => values[at] ?? NaN

function spreadAt(statistics: FeatureStatistics, at: number): Spread {
  return {
    mean: number(statistics.mean, at),
    sd: number(statistics.sd, at),
    min: number(statistics.min, at),
    q25: number(statistics.q25, at),
    median: number(statistics.median, at),
    q75: number(statistics.q75, at),
    max: number(statistics.max, at),
  }
}

function deviations(clusters: ClusterProfiles, whole: readonly Spread[], from: number): readonly number[] {
  return whole.map(({ mean, sd }, feature) =>
    sd > 0 ? (number(clusters.mean, from + feature) - mean) / sd : NaN,
  )
}

/** The mean of the rows outside a cluster, from the two means. */
function meanElsewhere(mean: number, size: number, whole: number, rows: number): number {
  return size < rows ? (whole * rows - mean * size) / (rows - size) : NaN
}

function clusterAt(piece: EngineProfile, at: number, whole: readonly Spread[], rows: number): ReadCluster {
  const d = piece.features.length
  const from = at * d
  const size = number(piece.sizes, at)
  const spreads = whole.map((_, feature) => spreadAt(piece.clusters, from + feature))
  const distinctive = Array.from(
    piece.ranked.subarray(from, from + Math.min(d, maxDistinctive)),
    (feature) => {
      const mean = spreads[feature]?.mean ?? NaN
      const elsewhere = meanElsewhere(mean, size, whole[feature]?.mean ?? NaN, rows)
      return { feature, mean, elsewhere, difference: number(piece.clusters.difference, from + feature) }
    },
  )
  const other = piece.nearest[at] ?? -1
  const nearest = other < 0 ? null : { cluster: other, distance: number(piece.nearestDistance, at) }
  return {
    cluster: piece.start + at,
    size,
    spreads,
    z: deviations(piece.clusters, whole, from),
    distinctive,
    nearest,
  }
}

/** The pieces of one result, in order; null without any. @param rows that were clustered */
export function readProfile(pieces: readonly EngineProfile[], rows: number): ReadProfile | null {
  const [first] = pieces
  if (!first) return null
  const whole = first.features.map((_, feature) => spreadAt(first.whole, feature))
  const clusters = pieces.flatMap((piece) =>
    Array.from({ length: piece.count }, (_, at) => clusterAt(piece, at, whole, rows)),
  )
  return {
    columns: first.features,
    // As the file names them: `water content [%]` too.
    features: first.features.map((feature) =>
      feature.category === undefined ? feature.name : namedFeature(feature).name,
    ),
    whole,
    clusters: clusters.filter(({ size }) => size > 0),
    rows,
  }
}
