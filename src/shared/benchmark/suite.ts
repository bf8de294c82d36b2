import type { ImportOverrides } from '../dataset'
import type { GeneratorSpec } from '../generator'
import type { RunConfig, TimingLevel } from '../run-config'
import type { EngineId, VariantId } from '../variant'

/** Where the points of a case come from. */
export type SuiteDataset =
  /** The file that is loaded in the window (or named on the command line). */
  | { readonly kind: 'loaded'; readonly datasetId: string; readonly name: string }
  /** `path`: in the window a token that main resolves, elsewhere relative to the suite's file. */
  | {
      readonly kind: 'file'
      readonly path: string
      readonly name: string
      /** How the file is read where that shall not be detected. */
      readonly overrides?: ImportOverrides
    }
  | { readonly kind: 'generated'; readonly spec: GeneratorSpec; readonly name: string }

/** One dataset with every k it is clustered with. */
export interface SuiteCase {
  readonly dataset: SuiteDataset
  /** Ascending, distinct, at least one. */
  readonly k: readonly number[]
}

/** Baselines outside this program, run by the python3 of the machine where it has them. */
export const outsideSystems = ['numpy', 'scikit-learn', 'scipy'] as const
export type OutsideSystem = (typeof outsideSystems)[number]

/** What takes part in a comparison. */
export type Contender =
  /** `device: null` takes the engine's best. */
  | {
      readonly kind: 'variant'
      readonly engine: EngineId
      readonly variant: VariantId
      readonly device: string | null
    }
  | { readonly kind: 'outside'; readonly system: OutsideSystem }

/** Key of a contender: `cpu/fused`, `cuda:0/fused` where a device is named, `outside/numpy`. One word, unique in a suite. */
export function contenderKey(contender: Contender): string {
  if (contender.kind === 'outside') return `outside/${contender.system}`
  return `${contender.device ?? contender.engine}/${contender.variant}`
}

/** A figure of a study, to be shown beside the one measured here. */
export interface PublishedTime {
  /** Name of the case's dataset. */
  readonly dataset: string
  readonly k: number
  /** Key of the contender that stands for the study's system (its engine on any device). */
  readonly contender: string
  /** The system's name in the study, e.g. `CUDA 1`. */
  readonly system: string
  /** Null where the study gives only a ratio. */
  readonly ms: number | null
  /** Speed-up as printed, and to what; null where none is. */
  readonly speedup: number | null
}

/** What a study prints for one k over several data: how many times faster one of its systems is than another. */
export interface PublishedRatio {
  readonly k: number
  /** What is compared in the study's words, e.g. `GPU only over hybrid`. */
  readonly systems: string
  /** Key of the contender that stands for the faster system (its engine on any device). */
  readonly contender: string
  /** Key of the contender whose time is divided by it. */
  readonly over: string
  /** Smallest, mean and largest ratio; null where the study does not print it. */
  readonly min: number | null
  readonly mean: number | null
  readonly max: number | null
}

export interface Publication {
  /** E.g. `Goldsborough 2017`. */
  readonly title: string
  /** E.g. `Titan X Pascal (the report says GeForce GTX)`. */
  readonly hardware: string
  /** Published measurements and their known faults; sentences. */
  readonly note: string
  readonly times: readonly PublishedTime[]
  readonly ratios: readonly PublishedRatio[]
}

/** Choices of a comparison that hold for every contender. */
export type SuiteConfig = Pick<
  RunConfig,
  | 'features'
  | 'missing'
  | 'scaling'
  | 'init'
  | 'centroidsFile'
  | 'seed'
  | 'stop'
  | 'tolerance'
  | 'maxIterations'
  | 'empty'
> &
  /** `workers`: of the contenders that have them; absent or null: the study's number. `precision`: absent: float32. */
  Partial<Pick<RunConfig, 'workers' | 'precision' | 'columnScalings' | 'filter' | 'oneHot'>>

/** A comparison of execution times: what a SUITE.json holds. Plain data. */
export interface Suite {
  readonly format: 1
  readonly name: string
  /** Sentences; may be empty. */
  readonly description: string
  /** Points of its generated data as a multiple of those of the study, or of the suite it was made from; 1 at full size. */
  readonly scale: number
  readonly cases: readonly SuiteCase[]
  readonly contenders: readonly Contender[]
  readonly config: SuiteConfig
  /** Finest granularity wanted. Totals are measured without finer timing in any case (spec section 5). */
  readonly timing: TimingLevel
  /** Runs before the first counted one. */
  readonly warmup: number
  readonly repeats: number
  /**
   * Seconds, above 0: longer no cell takes, as far as can be foretold. What would is measured with fewer runs, then with
   * fewer iterations, or not at all. Absent: no limit.
   */
  readonly maxCellSeconds?: number
  /** Key of the contender to which speed-ups refer. */
  readonly baseline: string
  readonly publication: Publication | null
}

/** A suite of the program itself: one table, figure or sweep of a study. */
export interface SuitePreset {
  /** One word, e.g. `di-dio-table`. */
  readonly id: string
  readonly suite: Suite
}

export const defaultWarmup = 1
/** Goldsborough's number: the one study of which it is known. */
export const defaultRepeats = 5
