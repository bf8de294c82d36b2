/** What is wrong with the settings as typed, field by field, one sentence each; and the RunConfig they make. */
import { rulesOfApproximate, unanswerable } from '@shared/approximate'
import { maxOneHotValues, type ColumnInfo } from '@shared/dataset'
import {
  defaultRunConfig,
  type EmptyPolicy,
  type InitMethod,
  type RunConfig,
  type StopRule,
  type TimingLevel,
} from '@shared/run-config'
import type { MissingPolicy, NamedScaling, Scaling } from '@shared/dataset'
import { offersFloat64, type Precision } from '@shared/precision'
import { isGroup, type Condition, type RowFilter } from '@shared/row-filter/row-filter'
import type { EngineId, VariantId } from '@shared/variant'
import { maxWorkers, workersVariant } from '@shared/workers'
import { formatCount, parseNumber, plural } from './numbers'
import { t } from '@/i18n'

/** What a run keeps of its iterations. */
export const recordChoices = ['iterations-and-centroids', 'iterations', 'nothing'] as const
export type RecordChoice = (typeof recordChoices)[number]

/** The settings as they stand in the controls: numbers are still text. */
export interface ConfigDraft {
  k: string
  tolerance: string
  seed: string
  maxIterations: string
  /** Empty: as many as are quickly done. */
  nInit: string
  stop: StopRule
  init: InitMethod
  centroids: { readonly token: string; readonly name: string } | null
  empty: EmptyPolicy
  engine: EngineId | 'auto'
  /** '' lets the engine choose. */
  device: string
  variant: VariantId | 'auto'
  /** Of the variant that has workers; empty: the study's number. */
  workers: string
  /** Of a variant that has both. */
  precision: Precision
  timing: TimingLevel
  record: RecordChoice
  missing: MissingPolicy
  scaling: Scaling
  /** Also of columns that are not ticked, which keep theirs. */
  columnScalings: readonly NamedScaling[]
  features: readonly string[]
  /** Columns of texts that become features. */
  oneHot: readonly string[]
  /** Null keeps every row. */
  filter: RowFilter | null
}

export type DraftField =
  | 'k'
  | 'stop'
  | 'empty'
  | 'tolerance'
  | 'seed'
  | 'maxIterations'
  | 'nInit'
  | 'workers'
  | 'features'
  | 'centroids'
export type DraftErrors = Partial<Record<DraftField, string>>

const largestWhole = Number.MAX_SAFE_INTEGER

interface WholeRange {
  readonly name: string
  readonly least: number
  readonly most: number
  readonly maxBecause: string
}

function wholeError(text: string, range: WholeRange): string | null {
  const { name, least, most } = range
  if (text.trim() === '') return t('settings.isEmptyGiveAWholeNumber', [name, least])
  const value = parseNumber(text)
  if (value === null || !Number.isInteger(value))
    return t('settings.isWhichIsNotAWhole', [name, text.trim(), least])
  if (value < least) return t('settings.isGiveOrMore', [name, text.trim(), least])
  if (value > most)
    return t('settings.isButGiveOrLess', [name, formatCount(value), range.maxBecause, formatCount(most)])
  return null
}

function toleranceError(draft: ConfigDraft): string | null {
  if (draft.stop === 'none' || draft.tolerance.trim() === '') return null
  const value = parseNumber(draft.tolerance)
  if (value === null) return t('settings.theToleranceIsWhichIsNot', [draft.tolerance.trim()])
  if (value < 0) return t('settings.theToleranceIsNegativeGive0')
  if (draft.stop === 'labels' && value > 1) return t('settings.theToleranceIsAShareOf')
  return null
}

function wholeErrors(draft: ConfigDraft, rows: number): (readonly [DraftField, string | null])[] {
  const limit = { maxBecause: t('settings.thatIsMoreThanCanBe'), most: largestWhole }
  return [
    [
      'k',
      wholeError(draft.k, {
        name: 'k',
        least: 1,
        most: rows,
        maxBecause: t('settings.theDataHas', [plural(rows, 'row')]),
      }),
    ],
    ['seed', wholeError(draft.seed, { name: t('settings.theSeed'), least: 0, ...limit })],
    [
      'maxIterations',
      wholeError(draft.maxIterations, { name: t('settings.theIterationLimit'), least: 1, ...limit }),
    ],
    [
      'nInit',
      draft.nInit.trim() === ''
        ? null
        : wholeError(draft.nInit, { name: t('settings.theNumberOfRestarts'), least: 1, ...limit }),
    ],
  ]
}

function workersError({ variant, workers }: ConfigDraft): string | null {
  if (variant !== workersVariant || workers.trim() === '') return null
  const maxBecause = t('settings.eachKeepsASumOfEvery')
  return wholeError(workers, {
    name: t('settings.theNumberOfWorkers'),
    least: 1,
    most: maxWorkers,
    maxBecause,
  })
}

/** What a variant that looks at a few points in an iteration cannot answer. */
function unansweredErrors(draft: ConfigDraft): (readonly [DraftField, string | null])[] {
  const found = unanswerable(draft)
  if (found === null) return []
  const why = t('settings.looksAtAFewPointsIn', [draft.variant])
  const instead =
    found === 'stop' ? t('settings.take', [rulesOfApproximate]) : t('settings.keepOrDropEmptyClusters')
  return [[found, t('settings.orAnotherVariant', [why, instead])]]
}

function featuresError({ features, oneHot, scaling }: ConfigDraft): string | null {
  if (features.length === 0 && oneHot.length === 0) return t('settings.noFeatureIsChosenTickAt')
  if (oneHot.length === 0 || scaling !== 'unit-length') return null
  return t('settings.rowsWithOneHotFeaturesHave', [oneHot.join(', ')])
}

/** Every complaint about a draft for a dataset of `rows` rows; an empty object means it can run. */
export function validateDraft(draft: ConfigDraft, rows: number): DraftErrors {
  const found: (readonly [DraftField, string | null])[] = [
    ...wholeErrors(draft, rows),
    ['tolerance', toleranceError(draft)],
    ['workers', workersError(draft)],
    ...unansweredErrors(draft),
    ['features', featuresError(draft)],
    [
      'centroids',
      draft.init === 'file' && draft.centroids === null ? t('settings.noCentroidFileIsChosenChoose') : null,
    ],
  ]
  return Object.fromEntries(found.filter(([, sentence]) => sentence !== null))
}

/** Columns that can be features: those with numbers in them. */
export function usableColumns(columns: readonly ColumnInfo[]): readonly ColumnInfo[] {
  return columns.filter(
    (column) => column.min !== null && column.type !== 'text' && column.type !== 'categorical',
  )
}

/** Columns of texts that can become features. */
export function oneHotColumns(columns: readonly ColumnInfo[]): readonly ColumnInfo[] {
  return columns.filter(({ categories = Infinity }) => categories <= maxOneHotValues)
}

export function proposedFeatures(columns: readonly ColumnInfo[]): readonly string[] {
  return columns.filter((column) => column.proposed).map((column) => column.name)
}

const numberOr = (text: string, otherwise: number): number => parseNumber(text) ?? otherwise

/** Under `unit-length` no feature has its own. */
function scalingsOf({ scaling, columnScalings, features }: ConfigDraft): Pick<RunConfig, 'columnScalings'> {
  const own = features.flatMap((name) =>
    // Plain objects: what Vue watches over does not travel.
    columnScalings.filter(({ column }) => column === name).map((one) => ({ ...one })),
  )
  return scaling === 'unit-length' || own.length === 0 ? {} : { columnScalings: own }
}

/** Without what Vue watches over, which does not travel. */
export function plainFilter(filter: RowFilter): RowFilter {
  const copy = (part: RowFilter['parts'][number]): RowFilter['parts'][number] => {
    if (isGroup(part)) return { ...part, conditions: part.conditions.map(copyOf) }
    return copyOf(part)
  }
  return { ...filter, parts: filter.parts.map(copy) }
}

const copyOf = (condition: Condition): Condition =>
  condition.kind === 'one-of' ? { ...condition, values: [...condition.values] } : { ...condition }

/** The configuration a valid draft stands for. */
export function configOf(draft: ConfigDraft): RunConfig {
  return {
    ...defaultRunConfig,
    features: [...draft.features],
    missing: draft.missing,
    scaling: draft.scaling,
    ...scalingsOf(draft),
    ...(draft.oneHot.length > 0 && { oneHot: [...draft.oneHot] }),
    ...(draft.filter && { filter: plainFilter(draft.filter) }),
    k: numberOr(draft.k, defaultRunConfig.k),
    init: draft.init,
    centroidsFile: draft.init === 'file' ? (draft.centroids?.token ?? null) : null,
    seed: numberOr(draft.seed, defaultRunConfig.seed),
    stop: draft.stop,
    tolerance: draft.stop === 'none' ? null : parseNumber(draft.tolerance),
    maxIterations: numberOr(draft.maxIterations, defaultRunConfig.maxIterations),
    nInit: numberOr(draft.nInit, defaultRunConfig.nInit),
    empty: draft.empty,
    engine: draft.engine,
    device: draft.device === '' ? null : draft.device,
    variant: draft.variant,
    workers: draft.variant === workersVariant ? parseNumber(draft.workers) : null,
    precision: offersFloat64(draft.variant) ? draft.precision : defaultRunConfig.precision,
    timing: draft.timing,
    history: draft.record !== 'nothing',
    centroidHistory: draft.record === 'iterations-and-centroids',
  }
}

/** A window keeps everything until it is told otherwise: the time line shows it. */
function recordOf({ history, centroidHistory }: Partial<RunConfig>): RecordChoice {
  if (centroidHistory !== false) return 'iterations-and-centroids'
  return history === false ? 'nothing' : 'iterations'
}

/** A draft from remembered settings; features and centroid file belong to one dataset and are not remembered. */
export function draftOf(config: Partial<RunConfig>): ConfigDraft {
  const whole = { ...defaultRunConfig, ...config }
  return {
    k: String(whole.k),
    tolerance: whole.tolerance === null ? '' : String(whole.tolerance),
    seed: String(whole.seed),
    maxIterations: String(whole.maxIterations),
    nInit: config.nInit === undefined ? '' : String(config.nInit),
    stop: whole.stop,
    init: whole.init === 'file' ? defaultRunConfig.init : whole.init,
    centroids: null,
    empty: whole.empty,
    engine: whole.engine,
    device: whole.device ?? '',
    variant: whole.variant,
    workers: whole.workers === null ? '' : String(whole.workers),
    precision: whole.precision,
    timing: whole.timing,
    record: recordOf(config),
    missing: whole.missing,
    scaling: whole.scaling,
    columnScalings: [],
    filter: null,
    oneHot: [],
    features: [],
  }
}
