/** What a comparison is set up to be, as it stands in the controls, and the suite that it makes. */
import type { MissingPolicy, NamedScaling, Scaling } from '@shared/dataset'
import { defaultGeneratorSpec, type GeneratorSpec } from '@shared/generator'
import {
  defaultRunConfig,
  type EmptyPolicy,
  type InitMethod,
  type StopRule,
  type TimingLevel,
} from '@shared/run-config'
import {
  contenderKey,
  defaultRepeats,
  defaultWarmup,
  type Publication,
  type Suite,
  type SuiteConfig,
  type SuiteDataset,
} from '@shared/benchmark/suite'
import { float32Contender, precisionOf, worksInFloat64, type Precision } from '@shared/precision'
import { workersVariant } from '@shared/workers'
import type { RowFilter } from '@shared/row-filter/row-filter'
import { parseNumber } from '../numbers'
import { plainFilter } from '../validation'
import { contenderOf } from './contenders'
import { kListText, parseKList } from './k-list'
import { t } from '@/i18n'

export interface DraftCase {
  /** Unique in the draft. */
  readonly id: string
  readonly dataset: SuiteDataset
  chosen: boolean
  /** As typed; empty takes the values given for all. */
  k: string
  /** Null where only reading the file would tell. */
  readonly rows: number | null
  readonly features: number | null
}

/** What is taken over from a preset or a suite file and not shown as a control. */
export interface DraftOrigin {
  readonly name: string
  readonly description: string
  readonly scale: number
  readonly publication: Publication | null
  /** As it came: what differs from it is said beside what was taken over. */
  readonly config: SuiteConfig
}

/** Names of columns: they mean something in one file only. */
export type LoadedChoice = Pick<SuiteConfig, 'features' | 'columnScalings' | 'filter' | 'oneHot'>

export interface SetupDraft {
  origin: DraftOrigin | null
  cases: DraftCase[]
  k: string
  /** Keys, in the order in which they will stand in the tables. */
  contenders: readonly string[]
  baseline: string
  init: InitMethod
  seed: string
  stop: StopRule
  tolerance: string
  maxIterations: string
  empty: EmptyPolicy
  scaling: Scaling
  /** As a suite has them. */
  columnScalings: readonly NamedScaling[]
  filter: RowFilter | null
  oneHot: readonly string[]
  missing: MissingPolicy
  timing: TimingLevel
  warmup: string
  repeats: string
  /** Seconds of a cell at most; empty: no limit. */
  maxCellSeconds: string
  /** Of the contenders that have them; empty: the study's number. */
  workers: string
  /** Of all contenders; float64 where all of them have it. */
  precision: Precision
  /** As a suite names them; null takes what the import of each file proposes. */
  features: readonly string[] | null
  /** What is chosen of the loaded file, which holds where it is compared on its own. */
  loaded: LoadedChoice | null
  centroidsFile: string | null
}

export function emptyDraft(): SetupDraft {
  const { init, stop, empty, scaling, missing, seed, maxIterations } = defaultRunConfig
  return {
    ...{ origin: null, cases: [], k: '5', contenders: [], baseline: '' },
    ...{ init, stop, empty, scaling, missing, features: null, loaded: null, centroidsFile: null },
    columnScalings: [],
    filter: null,
    oneHot: [],
    seed: String(seed),
    tolerance: '',
    maxIterations: String(maxIterations),
    timing: 'phases',
    warmup: String(defaultWarmup),
    repeats: String(defaultRepeats),
    maxCellSeconds: '',
    workers: '',
    precision: defaultRunConfig.precision,
  }
}

let cases = 0

/** A case that is ticked and takes the k of all. */
export function draftCase(
  dataset: SuiteDataset,
  rows: number | null = null,
  features: number | null = null,
): DraftCase {
  const known = dataset.kind === 'generated' ? dataset.spec : null
  return {
    id: `case-${++cases}`,
    dataset,
    chosen: true,
    k: '',
    rows: known?.n ?? rows,
    features: known?.d ?? features,
  }
}

/** A draft that makes this suite again. */
export function draftOfSuite(suite: Suite): SetupDraft {
  const { config, name, description, scale, publication } = suite
  const lists = suite.cases.map(({ k }) => kListText(k))
  const [first = ''] = lists
  return {
    origin: { name, description, scale, publication, config },
    // Where not all cases have the same k, each says its own.
    cases: suite.cases.map(({ dataset }, i) => ({
      ...draftCase(dataset),
      k: lists[i] === first ? '' : (lists[i] ?? ''),
    })),
    k: first,
    contenders: suite.contenders.map(contenderKey),
    baseline: suite.baseline,
    init: config.init,
    seed: String(config.seed),
    stop: config.stop,
    tolerance: config.tolerance === null ? '' : String(config.tolerance),
    maxIterations: String(config.maxIterations),
    empty: config.empty,
    scaling: config.scaling,
    columnScalings: config.columnScalings ?? [],
    filter: config.filter ?? null,
    oneHot: config.oneHot ?? [],
    missing: config.missing,
    timing: suite.timing,
    warmup: String(suite.warmup),
    repeats: String(suite.repeats),
    maxCellSeconds: String(suite.maxCellSeconds ?? ''),
    workers: String(config.workers ?? ''),
    precision: precisionOf(config),
    features: config.features,
    loaded: null,
    centroidsFile: config.centroidsFile,
  }
}

/** The suite a valid draft stands for. */
export function suiteOf(draft: SetupDraft): Suite {
  const chosen = draft.cases.filter((each) => each.chosen)
  const { contenders } = draft
  const config = configOf(draft, chosen)
  const origin = draft.origin && withChanges(draft.origin, config)
  const maxCellSeconds = parseNumber(draft.maxCellSeconds)
  return {
    format: 1,
    name: origin?.name ?? nameOf(chosen, draft),
    description: origin?.description ?? '',
    scale: origin?.scale ?? 1,
    cases: chosen.map((each) => ({ dataset: each.dataset, k: kOf(each, draft) })),
    contenders: contenders.map(contenderOf),
    config,
    timing: draft.timing,
    warmup: parseNumber(draft.warmup) ?? defaultWarmup,
    repeats: parseNumber(draft.repeats) ?? defaultRepeats,
    ...(maxCellSeconds !== null && { maxCellSeconds }),
    baseline: baselineOf(draft),
    publication: origin?.publication ?? null,
  }
}

const settingNames = {
  get init() {
    return t('benchmark.initialCentroids')
  },
  get stop() {
    return t('benchmark.stopRule')
  },
  get tolerance() {
    return t('benchmark.tolerance')
  },
  get maxIterations() {
    return t('benchmark.iterations2')
  },
  get empty() {
    return t('benchmark.emptyClusters')
  },
  get scaling() {
    return t('benchmark.scaling')
  },
  get workers() {
    return t('benchmark.numberOfWorkers')
  },
  get precision() {
    return t('benchmark.precision')
  },
} as const

/** Published times must not stand beside other settings as if they were those of the study. */
export function withChanges(origin: DraftOrigin, config: SuiteConfig): DraftOrigin {
  const settings = Object.keys(settingNames) as (keyof typeof settingNames)[]
  const changed = settings.filter((setting) => (config[setting] ?? null) !== (origin.config[setting] ?? null))
  if (changed.length === 0) return origin
  const names = changed.map((setting) => settingNames[setting]).join(', ')
  const sentence = t('benchmark.changedHere', [names])
  const { publication } = origin
  return {
    ...origin,
    description: [origin.description, sentence].join(' ').trim(),
    publication: publication && { ...publication, note: [sentence, publication.note].join(' ').trim() },
  }
}

/** The chosen baseline as long as it takes part, else the first contender. */
export function baselineOf({ baseline, contenders }: Pick<SetupDraft, 'baseline' | 'contenders'>): string {
  return contenders.includes(baseline) ? baseline : (contenders[0] ?? '')
}

/** Empty where what was typed is no list. */
export function kOf({ k }: Pick<DraftCase, 'k'>, draft: Pick<SetupDraft, 'k'>): readonly number[] {
  const list = parseKList(k.trim() === '' ? draft.k : k)
  return 'k' in list ? list.k : []
}

function nameOf(chosen: readonly DraftCase[], draft: SetupDraft): string {
  const [first] = chosen
  if (!first) return t('benchmark.comparison')
  const data =
    chosen.length === 1 ? first.dataset.name : t('benchmark.andMore', [first.dataset.name, chosen.length - 1])
  return `${data}, k = ${kListText(kOf(first, draft))}`
}

const onlyLoaded = (chosen: readonly DraftCase[]): boolean =>
  chosen.length === 1 && chosen.every(({ dataset }) => dataset.kind === 'loaded')

/** Whether one of the contenders has workers to number. */
export function haveWorkers({ contenders }: Pick<SetupDraft, 'contenders'>): boolean {
  return contenders.some((key) => key.endsWith(`/${workersVariant}`))
}

/** Whether one of the contenders could work in float64. */
export function mayBeFloat64({ contenders }: Pick<SetupDraft, 'contenders'>): boolean {
  return contenders.some((key) => !key.startsWith('outside/') && worksInFloat64(contenderOf(key)))
}

/** The first contender that cannot work in the precision chosen; null when all can. */
export function tooCoarse(draft: Pick<SetupDraft, 'contenders' | 'precision'>): string | null {
  if (!mayBeFloat64(draft)) return null
  return float32Contender(draft.contenders.map(contenderOf), draft.precision)
}

function configOf(draft: SetupDraft, chosen: readonly DraftCase[]): SuiteConfig {
  const { missing, scaling, init, stop, empty } = draft
  const workers = haveWorkers(draft) ? parseNumber(draft.workers) : null
  return {
    ...{ missing, scaling, init, stop, empty },
    ...columnsOf(draft, chosen),
    centroidsFile: init === 'file' ? draft.centroidsFile : null,
    seed: parseNumber(draft.seed) ?? defaultRunConfig.seed,
    tolerance: stop === 'none' ? null : parseNumber(draft.tolerance),
    maxIterations: parseNumber(draft.maxIterations) ?? defaultRunConfig.maxIterations,
    ...(workers !== null && { workers }),
    ...(draft.precision === 'float64' && mayBeFloat64(draft) && { precision: draft.precision }),
  }
}

/** What is said of single columns: by the suite, or of the loaded file where that is compared on its own. */
function columnsOf(draft: SetupDraft, chosen: readonly DraftCase[]): LoadedChoice {
  const own = { features: draft.features, columnScalings: draft.columnScalings, oneHot: draft.oneHot }
  const ofSuite = { ...own, ...(draft.filter && { filter: draft.filter }) }
  const isNamed = draft.features !== null || draft.oneHot.length > 0 || draft.filter !== null
  const choice: LoadedChoice = !isNamed && onlyLoaded(chosen) && draft.loaded ? draft.loaded : ofSuite
  const { features, columnScalings = [], oneHot = [], filter } = choice
  // Rows that are divided by their length leave no place for scalings of columns.
  const scalings = draft.scaling === 'unit-length' ? [] : columnScalings
  return {
    features,
    ...(scalings.length > 0 && { columnScalings: scalings.map((one) => ({ ...one })) }),
    ...(filter && { filter: plainFilter(filter) }),
    ...(oneHot.length > 0 && { oneHot: [...oneHot] }),
  }
}

/** Short, as columns of a table want it: `blobs-10000x4`; told apart from those that are there already. */
export function nameInTables(spec: GeneratorSpec, taken: readonly string[]): string {
  const plain = `${spec.shape}-${spec.n}x${spec.d}${spec.seed === defaultGeneratorSpec.seed ? '' : `-seed${spec.seed}`}`
  return freeName(plain, taken)
}

/** Times are filed under the name of their dataset, so that no two may have one name. */
export function freeName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name
  let number = 2
  while (taken.includes(`${name} (${number})`)) number++
  return `${name} (${number})`
}
