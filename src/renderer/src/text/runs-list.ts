/** The runs of the session as they are listed: by dataset, filtered by text, in an order of one's own. */
import type { FileState } from '@shared/session'
import { isUnscaled } from '@shared/run-config'
import type { RunRecord } from '@shared/run-record'
import type { VerificationMark } from '@shared/verification'
import { t } from '@/i18n'
import { formatDuration, formatNumber, plural } from './numbers'
import { runTitle as plainTitle } from './running'
import { scalingsInWords } from './words'

/** A run, with what a person wrote about it. */
export interface ListedRun {
  readonly record: RunRecord
  readonly datasetId: string
  readonly number: number
  readonly note: string
  readonly silhouette: number | null
  /** What making it again came to; null where nobody did. */
  readonly mark: VerificationMark | null
}

/** A dataset that runs are grouped under. */
export interface RunGroup {
  readonly id: string
  readonly name: string
  readonly file: FileState
}

/** What the list draws: heads only where there is more than one dataset. */
export type RunsRow =
  | { readonly kind: 'dataset'; readonly group: RunGroup; readonly runs: number }
  | { readonly kind: 'run'; readonly run: ListedRun; readonly points: string }

export const runOrders = ['newest', 'k', 'inertia', 'silhouette', 'time', 'variant', 'note'] as const
export type RunOrder = (typeof runOrders)[number]

const orderKeys = {
  newest: 'session.newest',
  k: 'session.byK',
  inertia: 'session.byInertia',
  silhouette: 'session.bySilhouette',
  time: 'session.byTime',
  variant: 'session.byVariant',
  note: 'session.byNote',
} as const satisfies Record<RunOrder, unknown>

/** What an order is called. */
export function orderWords(order: RunOrder): string {
  return t(orderKeys[order])
}

/** `#3 k 5, fused, CPU`. */
export function runTitle({ record, number }: Pick<ListedRun, 'record' | 'number'>): string {
  return `#${number} ${plainTitle(record)}`
}

/** What it came to, the most telling first: a narrow list cuts the end. @param points what it ran on */
export function runDetail({ record, silhouette }: ListedRun, points = ''): string {
  const parts = [
    t('session.inertia', [formatNumber(record.inertia)]),
    points,
    silhouette === null ? '' : t('session.silhouette', [formatNumber(silhouette)]),
    plural(record.iterations, 'iteration'),
  ]
  return parts.filter(Boolean).join(', ')
}

/** What of its points tells a run from another of the same file, whose inertia is then another quantity. */
const pointsParts: readonly ((record: RunRecord) => string)[] = [
  ({ config }) => (isUnscaled(config) ? t('session.unscaled') : scalingsInWords(config)),
  ({ n }) => plural(n, 'row'),
  ({ features }) => plural(features.length, 'feature'),
]

/** In what the points of a run are others than those of some of its neighbours; empty where all ran on the same. */
function pointsWords(run: ListedRun, among: readonly ListedRun[]): string {
  return pointsParts
    .filter((part) => among.some(({ record }) => part(record) !== part(run.record)))
    .map((part) => part(run.record))
    .join(', ')
}

type Compare = (a: ListedRun, b: ListedRun) => number

const compares: Readonly<Record<RunOrder, Compare>> = {
  newest: (a, b) => b.record.startedAt.localeCompare(a.record.startedAt) || b.number - a.number,
  k: (a, b) => a.record.k - b.record.k,
  inertia: (a, b) => a.record.inertia - b.record.inertia,
  // The best first; what nobody computed comes last.
  silhouette: (a, b) => (b.silhouette ?? -2) - (a.silhouette ?? -2),
  time: (a, b) => a.record.timings.totalMs - b.record.timings.totalMs,
  variant: (a, b) => a.record.variant.localeCompare(b.record.variant),
  note: (a, b) => Number(a.note === '') - Number(b.note === '') || a.note.localeCompare(b.note),
}

/** Every word of the filter stands somewhere in what is told of the run. */
function holds(run: ListedRun, group: RunGroup | undefined, words: readonly string[]): boolean {
  const time = formatDuration(run.record.timings.totalMs)
  const text = [runTitle(run), runDetail(run), run.note, group?.name ?? '', time].join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}

/** Of files that nobody named: by what their runs say. */
function groupsOf(runs: readonly ListedRun[]): readonly RunGroup[] {
  return runs.map(({ datasetId: id, record }) => ({ id, name: record.file.name, file: 'there' }))
}

/** @param shown the dataset on screen, whose runs come first */
export function runsRows(
  runs: readonly ListedRun[],
  groups: readonly RunGroup[],
  { filter, order, shown }: { filter: string; order: RunOrder; shown: string | null },
): readonly RunsRow[] {
  const words = filter.toLowerCase().split(/\s+/u).filter(Boolean)
  const byId = new Map([...groupsOf(runs), ...groups].map((group) => [group.id, group]))
  const kept = runs.filter((run) => holds(run, byId.get(run.datasetId), words))
  const sorted = kept.toSorted((a, b) => compares[order](a, b) || compares.newest(a, b))
  const all = [...byId.values()]
  const ordered = all.toSorted((a, b) => Number(b.id === shown) - Number(a.id === shown))
  return ordered.flatMap((group): RunsRow[] => {
    const own = sorted.filter(({ datasetId }) => datasetId === group.id)
    if (own.length === 0) return []
    const head = { kind: 'dataset', group, runs: own.length } as const
    const among = runs.filter(({ datasetId }) => datasetId === group.id)
    return [
      ...(all.length > 1 ? [head] : []),
      ...own.map((run) => ({ kind: 'run', run, points: pointsWords(run, among) }) as const),
    ]
  })
}
