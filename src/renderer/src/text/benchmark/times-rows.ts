/** The execution-time table of a comparison: what is measured, and what is still to come, by dataset and k. */
import { cellId, workloadId, rowsByCell } from '@shared/benchmark/cells'
import type { BenchmarkDocument, CellKey, Measurement, PlannedCell } from '@shared/benchmark/document'
import { speedupGapWords } from '@shared/benchmark/gap-words'
import { standInFor } from '@shared/benchmark/published-match'
import type { Speedup } from '@shared/benchmark/speedups'
import { statisticsOf, type Statistics } from '@shared/benchmark/statistics'
import type { Publication, PublishedTime, Suite } from '@shared/benchmark/suite'
import { t } from '@/i18n'

export type TimesState = Measurement['state'] | 'waiting' | 'running' | 'missing'

export interface TimesRow {
  readonly id: string
  /** Place in the plan. */
  readonly order: number
  readonly cell: PlannedCell
  readonly state: TimesState
  /** Null as long as it is not finished. */
  readonly row: Measurement | null
  readonly statistics: Statistics
  readonly speedup: Speedup | null
  /** Few words in the place of a speed-up that there is not; null where there is one, or it is still computed. */
  readonly speedupGap: string | null
  readonly published: PublishedTime | null
  /** What was published is of CUDA, which did not run in this comparison. */
  readonly standsIn: boolean
}

/** A dataset with a k, and its cells in the order of the plan. */
export interface TimesGroup {
  readonly id: string
  readonly workload: Pick<PlannedCell, 'dataset' | 'n' | 'd' | 'k'>
  readonly cells: readonly { readonly cell: PlannedCell; readonly order: number }[]
}

const groupsOfPlans = new WeakMap<readonly PlannedCell[], readonly TimesGroup[]>()

/** Every planned cell, grouped in the order of the plan. A plan is grouped once. */
export function timesGroups(plan: readonly PlannedCell[]): readonly TimesGroup[] {
  const known = groupsOfPlans.get(plan) ?? grouped(plan)
  groupsOfPlans.set(plan, known)
  return known
}

function grouped(plan: readonly PlannedCell[]): readonly TimesGroup[] {
  const groups = new Map<string, { cell: PlannedCell; order: number }[]>()
  for (const [order, cell] of plan.entries()) {
    const workload = workloadId(cell)
    const group = groups.get(workload)
    if (group) group.push({ cell, order })
    else groups.set(workload, [{ cell, order }])
  }
  return [...groups].map(([id, cells]) => ({ id, workload: cells[0]?.cell ?? noWorkload, cells }))
}

const noWorkload = { dataset: '', n: 0, d: 0, k: 0 } as const

/**
 * Makes rows of cells, when they are looked at: of a long comparison few are in sight at a time. What is being measured
 * stands as waiting.
 * @param speedups computed beside the window; those of newer rows can still be missing
 */
export function rowMaker(
  document: BenchmarkDocument,
  speedups: readonly Speedup[],
): (one: TimesGroup['cells'][number]) => TimesRow {
  const known = rowsByCell(document.rows)
  const speedupOf = new Map(speedups.map((each) => [each.row, each]))
  const publishedOf = publishedFinder(document)
  return ({ cell, order }) => {
    const id = cellId(cell)
    const row = known.get(id) ?? null
    const speedup = (row && speedupOf.get(row)) ?? null
    return {
      ...{ id, order, cell, row },
      state: stateOf(cell, row, document),
      statistics: statisticsOf(row?.totalsMs ?? []),
      speedup,
      speedupGap: speedup?.speedup === null ? speedupGapWords(document, speedup.baseline, cell) : null,
      ...publishedOf(cell),
    }
  }
}

function stateOf(cell: PlannedCell, row: Measurement | null, { state }: BenchmarkDocument): TimesState {
  if (row) return row.state
  if (cell.skipped !== null) return 'skipped'
  return state === 'running' ? 'waiting' : 'missing'
}

type OfStudy = Pick<TimesRow, 'published' | 'standsIn'>

/** A study's system stands for an engine on any of its devices, and CUDA's for WebGPU where there is no CUDA. */
function publishedFinder(document: BenchmarkDocument): (cell: PlannedCell) => OfStudy {
  const found = new Map<string, OfStudy>()
  const add = (key: CellKey, published: PublishedTime, standsIn: boolean) => {
    const id = cellId(key)
    if (!found.has(id)) found.set(id, { published, standsIn })
  }
  const times = document.suite.publication?.times ?? []
  for (const time of times) add({ ...time }, time, false)
  for (const time of times) {
    const instead = standInFor(document, time.contender)
    if (instead !== null) add({ ...time, contender: instead }, time, true)
  }
  const none: OfStudy = { published: null, standsIn: false }
  if (found.size === 0) return () => none
  return (cell) => {
    const contender = cell.contender.replace(/^(\w+):[^/]*\//u, '$1/')
    return found.get(cellId({ ...cell, contender })) ?? found.get(cellId(cell)) ?? none
  }
}

export interface TimesColumn {
  readonly key: string
  readonly word: string
  readonly unit?: string
  readonly says: string
  readonly value: (row: TimesRow) => number | null
  /** The value is a share, shown in percent. */
  readonly share?: true
}

const ms = 'ms'

/**
 * The numeric columns; those of the study only where there is one.
 * @param interval the word of the column of intervals
 */
export function timesColumns(
  suite: Pick<Suite, 'publication' | 'scale'>,
  interval: string,
): readonly TimesColumn[] {
  const measured: readonly TimesColumn[] = [
    {
      key: 'median',
      word: t('benchmark.median3'),
      unit: ms,
      says: t('benchmark.medianOfTheTotalsTransfersIncluded'),
      value: ({ statistics }) => statistics.median,
    },
    {
      key: 'mean',
      word: t('benchmark.mean2'),
      unit: ms,
      says: t('benchmark.meanOfTheTotals'),
      value: ({ statistics }) => statistics.mean,
    },
    {
      key: 'sd',
      word: 'SD',
      unit: ms,
      says: t('benchmark.standardDeviationOfTheTotals'),
      value: ({ statistics }) => statistics.deviation,
    },
    {
      key: 'min',
      word: t('benchmark.min'),
      unit: ms,
      says: t('benchmark.smallestTotal'),
      value: ({ statistics }) => statistics.min,
    },
    {
      key: 'max',
      word: t('benchmark.max'),
      unit: ms,
      says: t('benchmark.largestTotal'),
      value: ({ statistics }) => statistics.max,
    },
    {
      key: 'speedup',
      word: t('benchmark.speedUp'),
      unit: '×',
      says: t('benchmark.medianOfTheBaselineDividedBy'),
      value: ({ speedup }) => speedup?.speedup ?? null,
    },
    {
      key: 'interval',
      word: interval,
      unit: '×',
      says: t('benchmark.intervalOfTheSpeedUpBy'),
      value: ({ speedup }) => speedup?.interval?.low ?? null,
    },
    {
      key: 'iterations',
      word: t('benchmark.iterations'),
      says: t('benchmark.iterationsOfACountedRun'),
      value: ({ row }) => (row && row.totalsMs.length > 0 ? row.iterations : null),
    },
    {
      key: 'iteration',
      word: t('benchmark.iteration3'),
      unit: ms,
      says: t('benchmark.timeOfOneIterationMedian'),
      value: ({ row }) => row?.perIterationMs ?? null,
    },
    {
      key: 'agreement',
      word: t('benchmark.agreement'),
      unit: '%',
      says: t('benchmark.shareOfThePointsWithThe'),
      value: ({ row }) => row?.verification?.labelAgreement ?? null,
      share: true,
    },
    {
      key: 'difference',
      word: t('benchmark.centroids'),
      unit: t('benchmark.ranges'),
      says: t('benchmark.largestDifferenceOfACentroidCoordinate'),
      value: ({ row }) => row?.verification?.centroidDifference ?? null,
    },
  ]
  const { publication } = suite
  return publication ? [...measured, ...publishedColumns(publication, suite.scale)] : measured
}

/** `Interval (94 %)`: few repeats allow no more than what they hold, so that the level is that of the data. */
export function intervalWord(speedups: readonly Speedup[]): string {
  const levels = new Set(
    speedups.flatMap(({ interval }) => (interval ? [Math.round(interval.level * 100)] : [])),
  )
  const [first] = levels
  if (first === undefined) return t('benchmark.interval')
  return levels.size === 1 ? t('benchmark.interval2', [first]) : t('benchmark.intervalLevelsDiffer')
}

function publishedColumns(publication: Publication, scale: number): readonly TimesColumn[] {
  const { title } = publication
  const size = scale === 1 ? '' : t('benchmark.forTheFullSizeHereTimes', [scale])
  const published: readonly TimesColumn[] = [
    {
      key: 'published',
      word: t('benchmark.published6'),
      unit: scale === 1 ? ms : t('benchmark.fullSize', [ms]),
      says: t('benchmark.timePrintedIn', [title, size]),
      value: (row) => row.published?.ms ?? null,
    },
    {
      key: 'published-speedup',
      word: t('benchmark.published6'),
      unit: t('benchmark.ofTheStudy'),
      says: t('benchmark.speedUpPublishedInOverIts', [title, size]),
      value: (row) => row.published?.speedup ?? null,
    },
  ]
  // A study that prints ratios alone has neither.
  const hasRatio = publication.times.some(({ speedup }) => speedup !== null)
  return published.filter(({ key }) => (key === 'published' ? publication.times.length > 0 : hasRatio))
}

export interface TimesSorting {
  /** Key of a column; `contender` is the order of the plan. */
  readonly key: string
  readonly descending: boolean
}

/** What has no number stands last, whichever way the others are sorted. */
export function sortedRows(
  rows: readonly TimesRow[],
  { key, descending }: TimesSorting,
  columns: readonly TimesColumn[],
): readonly TimesRow[] {
  const column = columns.find((each) => each.key === key)
  const sign = descending ? -1 : 1
  if (!column) return [...rows].sort((a, b) => sign * (a.order - b.order))
  const [some, none] = [[] as TimesRow[], [] as TimesRow[]]
  for (const row of rows) (column.value(row) === null ? none : some).push(row)
  const number = (row: TimesRow): number => column.value(row) ?? 0
  return [...some.sort((a, b) => sign * (number(a) - number(b)) || a.order - b.order), ...none]
}
