/** What is wrong with the setup of a comparison as typed, one sentence a field. */
import { parseNumber } from '../numbers'
import { formatCount } from '../numbers'
import { maxCellSeconds } from '@shared/benchmark/cell-limit'
import { maxWorkers } from '@shared/workers'
import { haveWorkers, kOf, tooCoarse, type SetupDraft } from './draft'
import { parseKList, tooManyClusters } from './k-list'
import { t } from '@/i18n'

export type SetupField =
  | 'cases'
  | 'k'
  | 'contenders'
  | 'seed'
  | 'tolerance'
  | 'maxIterations'
  | 'warmup'
  | 'repeats'
  | 'workers'
  | 'maxCellSeconds'
  | 'precision'

export interface SetupErrors {
  readonly fields: Partial<Record<SetupField, string>>
  /** About the k of single datasets, by the id of their case. */
  readonly cases: ReadonlyMap<string, string>
}

interface Whole {
  readonly field: SetupField
  readonly name: string
  readonly least: number
  readonly most: number
}

const wholes: readonly (Whole & { readonly of: (draft: SetupDraft) => string })[] = [
  {
    field: 'seed',
    get name() {
      return t('benchmark.theSeed')
    },
    least: 0,
    most: Number.MAX_SAFE_INTEGER,
    of: ({ seed }) => seed,
  },
  {
    field: 'maxIterations',
    get name() {
      return t('benchmark.theNumberOfIterations')
    },
    least: 1,
    most: 1e9,
    of: (d) => d.maxIterations,
  },
  {
    field: 'warmup',
    get name() {
      return t('benchmark.theNumberOfWarmUpRuns')
    },
    least: 0,
    most: 100,
    of: ({ warmup }) => warmup,
  },
  {
    field: 'repeats',
    get name() {
      return t('benchmark.theNumberOfRepeats')
    },
    least: 1,
    most: 1000,
    of: ({ repeats }) => repeats,
  },
]

function wholeError(text: string, { name, least, most }: Whole): string | null {
  const value = parseNumber(text)
  if (value !== null && Number.isInteger(value) && value >= least && value <= most) return null
  const typed = text.trim() === '' ? t('benchmark.isEmpty') : t('benchmark.is', [text.trim()])
  const range =
    most === Number.MAX_SAFE_INTEGER
      ? t('benchmark.orMore', [least])
      : t('benchmark.to2', [formatCount(least), formatCount(most)])
  return t('benchmark.giveAWholeNumberOf', [name, typed, range])
}

function toleranceError({ stop, tolerance }: SetupDraft): string | null {
  if (stop === 'none' || tolerance.trim() === '') return null
  const value = parseNumber(tolerance)
  if (value !== null && value >= 0 && (stop !== 'labels' || value <= 1)) return null
  const range = stop === 'labels' ? t('benchmark.aShareOfThePoints0') : t('benchmark.aNumberOf0OrMore')
  return t('benchmark.theToleranceIsGive', [tolerance.trim(), range])
}

function workersError(draft: SetupDraft): string | null {
  if (!haveWorkers(draft) || draft.workers.trim() === '') return null
  const whole = {
    field: 'workers',
    name: t('benchmark.theNumberOfWorkers'),
    least: 1,
    most: maxWorkers,
  } as const
  return wholeError(draft.workers, whole)
}

function cellSecondsError({ maxCellSeconds: typed }: SetupDraft): string | null {
  if (typed.trim() === '') return null
  const value = parseNumber(typed)
  if (value !== null && value > 0 && value <= maxCellSeconds) return null
  return t('benchmark.theLimitOfACellIs', [typed.trim(), formatCount(maxCellSeconds)])
}

function precisionError(draft: SetupDraft): string | null {
  const contender = tooCoarse(draft)
  if (contender === null) return null
  return t('benchmark.worksInFloat32OnlyChooseFloat32', [contender])
}

function caseErrors(draft: SetupDraft): ReadonlyMap<string, string> {
  const found = draft.cases
    .filter(({ chosen }) => chosen)
    .map((each) => {
      const typed = each.k.trim() === '' ? null : parseKList(each.k)
      if (typed && 'error' in typed) return [each.id, typed.error] as const
      return [each.id, tooManyClusters(kOf(each, draft), each.rows, each.dataset.name)] as const
    })
  return new Map(found.filter((entry): entry is readonly [string, string] => entry[1] !== null))
}

/** Whether any chosen case takes the values of k given for all. */
const needsK = ({ cases }: SetupDraft): boolean =>
  cases.length === 0 || cases.some(({ chosen, k }) => chosen && k.trim() === '')

export function setupErrors(draft: SetupDraft): SetupErrors {
  const list = parseKList(draft.k)
  const found: (readonly [SetupField, string | null])[] = [
    ['cases', draft.cases.some(({ chosen }) => chosen) ? null : t('benchmark.noDatasetIsChosenTickOne')],
    ['k', 'error' in list && needsK(draft) ? list.error : null],
    ['contenders', draft.contenders.length > 0 ? null : t('benchmark.noContenderIsChosenTickAt')],
    ['tolerance', toleranceError(draft)],
    ['workers', workersError(draft)],
    ['maxCellSeconds', cellSecondsError(draft)],
    ['precision', precisionError(draft)],
    ...wholes.map((whole) => [whole.field, wholeError(whole.of(draft), whole)] as const),
  ]
  const fields = Object.fromEntries(found.filter(([, sentence]) => sentence !== null))
  return { fields, cases: caseErrors(draft) }
}

export const isSound = ({ fields, cases }: SetupErrors): boolean =>
  Object.keys(fields).length === 0 && cases.size === 0
