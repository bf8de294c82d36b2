/** What the plots of a profile show: plain numbers, whatever they come from. */

/** How one feature lies within some rows, in one unit. */
export interface Spread {
  readonly mean: number
  readonly sd: number
  readonly min: number
  readonly q25: number
  readonly median: number
  readonly q75: number
  readonly max: number
}

export interface ProfiledCluster {
  readonly cluster: number
  readonly size: number
  /** (d) in units of the file. */
  readonly spreads: readonly Spread[]
  /** (d) mean of the cluster less that of all rows, in standard deviations of all rows; NaN where all rows are alike. */
  readonly z: readonly number[]
}

export interface Profile {
  /** (d) names, with the unit where the file has one. */
  readonly features: readonly string[]
  /** (d) of all clustered rows, units of the file. */
  readonly whole: readonly Spread[]
  /** Those that have rows. */
  readonly clusters: readonly ProfiledCluster[]
}

export type ProfileUnits = 'file' | 'standardised'

/** A spread in standard deviations from the mean of all rows. */
export function standardised(spread: Spread, whole: Pick<Spread, 'mean' | 'sd'>): Spread {
  const scaled = (value: number): number => (whole.sd > 0 ? (value - whole.mean) / whole.sd : 0)
  return {
    mean: scaled(spread.mean),
    sd: whole.sd > 0 ? spread.sd / whole.sd : 0,
    min: scaled(spread.min),
    q25: scaled(spread.q25),
    median: scaled(spread.median),
    q75: scaled(spread.q75),
    max: scaled(spread.max),
  }
}

/** Features in the order of how far the clusters lie apart on them, the farthest first. */
export function byContrast({ features, clusters }: Profile): readonly number[] {
  const reach = (feature: number): number => {
    const known = clusters.map(({ z }) => z[feature] ?? NaN).filter(Number.isFinite)
    return known.length > 1 ? Math.max(...known) - Math.min(...known) : 0
  }
  return features.map((_, at) => at).sort((a, b) => reach(b) - reach(a) || a - b)
}
