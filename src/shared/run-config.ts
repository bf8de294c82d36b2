import type { MissingPolicy, NamedScaling, Scaling } from './dataset'
import type { Precision } from './precision'
import type { RowFilter } from './row-filter/row-filter'
import type { EngineId, VariantId } from './variant'

export const initMethods = ['k-means++', 'first-k', 'random', 'random-box', 'k-means||', 'file'] as const
export type InitMethod = (typeof initMethods)[number]

/** Whatever the seed, it starts from the same centroids. */
export function startsAlike(init: InitMethod): boolean {
  return init === 'first-k' || init === 'file'
}

export const stopRules = ['relative-shift', 'coordinate-shift', 'inertia', 'labels', 'none'] as const
export type StopRule = (typeof stopRules)[number]

export const emptyPolicies = ['keep', 'farthest', 'drop'] as const
export type EmptyPolicy = (typeof emptyPolicies)[number]

/** Granularity of timing (spec section 5): finer timing synchronises more. */
export const timingLevels = ['total', 'iterations', 'phases'] as const
export type TimingLevel = (typeof timingLevels)[number]

/** Default tolerance of each stop rule, in the rule's own unit (units of the scaled data). */
export const defaultTolerance: Readonly<Record<StopRule, number>> = {
  'relative-shift': 1e-4,
  'coordinate-shift': 1e-4,
  inertia: 1e-4,
  labels: 0,
  none: 0,
}

/** Everything a person chooses for one clustering. Plain data: it is stored, shown and repeated. */
export interface RunConfig {
  /** Column names; null takes the proposed ones. */
  readonly features: readonly string[] | null
  /** Columns of texts that become a feature a text besides, each once; absent: none. */
  readonly oneHot?: readonly string[]
  readonly missing: MissingPolicy
  readonly scaling: Scaling
  /** Features scaled otherwise, each once; absent where all are scaled alike. */
  readonly columnScalings?: readonly NamedScaling[]
  /** Which rows are clustered; absent: all. */
  readonly filter?: RowFilter
  readonly k: number
  readonly init: InitMethod
  /** Centroid CSV for `init: 'file'`. */
  readonly centroidsFile: string | null
  /** Whole number in 0..2^53-1. */
  readonly seed: number
  readonly stop: StopRule
  /** Null takes the rule's default. */
  readonly tolerance: number | null
  readonly maxIterations: number
  readonly nInit: number
  readonly empty: EmptyPolicy
  readonly engine: EngineId | 'auto'
  readonly device: string | null
  readonly variant: VariantId | 'auto'
  /** The variant's regime by name, for development and tests; null takes the plan's. */
  readonly regime: string | null
  /** Workers of `partial-sums` (workers.ts); null takes the study's number. */
  readonly workers: number | null
  /** Of points, distances and centroids; float64 only in the variants of precision.ts. */
  readonly precision: Precision
  readonly timing: TimingLevel
  /** Keep inertia, shift and changed labels of every iteration. */
  readonly history: boolean
  /** Keep the centroids of every iteration too (time line, history-centroids.csv). */
  readonly centroidHistory: boolean
}

/** What of the rows is clustered, and in what units. */
export type PreparationChoice = Pick<
  RunConfig,
  'features' | 'missing' | 'scaling' | 'columnScalings' | 'filter' | 'oneHot'
> &
  Partial<Pick<RunConfig, 'precision'>>

export const defaultRunConfig: RunConfig = {
  features: null,
  missing: 'drop',
  scaling: 'none',
  k: 3,
  init: 'k-means++',
  centroidsFile: null,
  seed: 1,
  stop: 'relative-shift',
  tolerance: null,
  maxIterations: 300,
  nInit: 1,
  empty: 'keep',
  engine: 'auto',
  device: null,
  variant: 'auto',
  regime: null,
  workers: null,
  precision: 'float32',
  timing: 'phases',
  history: false,
  centroidHistory: false,
}

/** The tolerance that holds for a configuration. */
export function toleranceOf(config: Pick<RunConfig, 'stop' | 'tolerance'>): number {
  return config.tolerance ?? defaultTolerance[config.stop]
}

/** The fields of a configuration that say what is clustered; those that are absent stay absent. */
export function preparationChoice(config: PreparationChoice): Omit<PreparationChoice, 'precision'> {
  const { features, missing, scaling, columnScalings, filter, oneHot } = config
  return {
    ...{ features, missing, scaling },
    ...(columnScalings && { columnScalings }),
    ...(filter && { filter }),
    ...(oneHot && { oneHot }),
  }
}

export type ScalingChoice = Pick<RunConfig, 'scaling' | 'columnScalings' | 'oneHot'>

/** Are distances in units of the file? */
export function isUnscaled({ scaling, columnScalings = [], oneHot = [] }: ScalingChoice): boolean {
  return oneHot.length === 0 && scaling === 'none' && columnScalings.every((own) => own.scaling === 'none')
}

/** Do two choices of the same dataset make the same points? Features are named in both. */
export function samePoints(a: PreparationChoice, b: PreparationChoice): boolean {
  return JSON.stringify(canonical(a)) === JSON.stringify(canonical(b))
}

/** One text for one meaning: the scaling of each feature. */
function canonical(choice: PreparationChoice): unknown {
  const { features, missing, filter, oneHot } = choice
  return { missing, filter, oneHot, features: features?.map((name) => [name, scalingOf(choice, name)]) }
}

/** The scaling of a feature: its own, or that of all. */
export function scalingOf({ scaling, columnScalings = [] }: ScalingChoice, feature: string): Scaling {
  return columnScalings.find(({ column }) => column === feature)?.scaling ?? scaling
}
