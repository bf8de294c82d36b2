/** The columns of the cluster table: how they are called, sorted and copied. */
import type { ClusterRow, RunRecord } from '@shared/run-record'
import { t } from '@/i18n'
import type { ClusterLooks } from '@/plots/palette'
import { columnFormat, formatCount, formatShare } from '@/text/numbers'
import { tsvInSlices, type TsvCell } from '@/text/tsv'
import { coordinateFormat, headOf } from './centroid-cells'
import type { Measure } from './text-width'

/** A number is the position of a feature. */
export type SortKey = 'cluster' | 'name' | 'size' | 'inertia' | number

export interface Sorting {
  readonly key: SortKey
  readonly descending: boolean
}

export interface LeadingColumn {
  readonly key: SortKey
  readonly word: string
  readonly title: string
  /** Wide enough for all of its texts, so that nothing moves while the table is scrolled. */
  readonly pixels: number
}

/** Room of a feature's column, the least and the most, and what stands before its text. */
const featureRoom = { least: 44, most: 168, gap: 14 } as const
/** Features and clusters whose numbers are measured: those of thousands are of one kind. */
const maxMeasured = 200

/** Pixels of each feature's column: its header, as far as that is of a usual length, and its numbers. */
export function featureColumnPixels(record: RunRecord, measure: Measure): readonly number[] {
  const { least, most, gap } = featureRoom
  const clusters = record.clusters.slice(0, maxMeasured)
  const numbers = record.features.slice(0, maxMeasured).map((_, j) => {
    const texts = clusters.map(({ centroid }) => centroid?.[j] ?? 0).map(coordinateFormat(record, j))
    return measure(longestOf(texts))
  })
  const widest = Math.max(0, ...numbers)
  return record.features.map((feature, j) => {
    const text = Math.max(measure(headOf(feature)), numbers[j] ?? widest)
    return Math.min(most, Math.max(least, Math.ceil(text) + gap))
  })
}

export const longestOf = (texts: readonly string[]): string =>
  texts.reduce((long, text) => (text.length > long.length ? text : long), '')

/** In pixels: the gap before a column, the buttons around a number, the least and the most that a name takes. */
const roomy = { gap: 11, buttons: 40, minName: 64, maxName: 96, font: 1 } as const
/**
 * The same in a narrow panel with names: smaller letters and no room for the pencil. `.cluster-table` and its
 * `.compact` set gap and font so too.
 */
const compact = { gap: 6, buttons: 24, minName: 56, maxName: 72, font: 12 / 13 } as const

/** How the columns before the centroids are to fit. */
export interface LeadingLayout {
  readonly named: boolean
  readonly compact: boolean
  readonly measure: Measure
}

/** Each column with the longest of its texts. */
function leadingTexts({ clusters, n }: RunRecord, looks: ClusterLooks, named: boolean) {
  const inertiaText = columnFormat(clusters.map(({ inertia }) => inertia))
  const longest = (textOf: (row: ClusterRow) => string): string => longestOf(clusters.map(textOf))
  const texts = [
    ['cluster', '#', t('results.clusterNumber'), longest(({ cluster }) => String(cluster))],
    [
      'name',
      t('results.nameHead'),
      t('results.nameGivenToTheCluster'),
      longest(({ cluster }) => looks.get(cluster)?.name ?? ''),
    ],
    [
      'size',
      t('results.sizeHead'),
      t('results.pointsInTheCluster'),
      longest(({ size }) => formatCount(size)),
    ],
    [
      'size',
      t('results.shareHead'),
      t('results.shareOfAllPoints'),
      longest(({ size }) => formatShare(size / n)),
    ],
    [
      'inertia',
      t('results.inertiaHead'),
      t('results.sumOfSquaredDistancesUnitsOf'),
      longest(({ inertia }) => inertiaText(inertia)),
    ],
  ] as const
  return texts.filter(([key]) => named || key !== 'name')
}

/** The columns before the centroids. */
export function leadingColumns(
  record: RunRecord,
  looks: ClusterLooks,
  { named, compact: narrow, measure }: LeadingLayout,
): readonly LeadingColumn[] {
  const { gap, buttons, minName, maxName, font } = narrow ? compact : roomy
  return leadingTexts(record, looks, named).map(([key, word, title, text]) => {
    const width = Math.ceil(Math.max(measure(word), measure(text)) * font) + 1
    if (key === 'cluster') return { key, word, title, pixels: buttons + width }
    if (key !== 'name') return { key, word, title, pixels: gap + width }
    return { key, word, title, pixels: gap + Math.min(maxName, Math.max(minName, width)) }
  })
}

function compareBy(key: SortKey, looks: ClusterLooks, a: ClusterRow, b: ClusterRow): number {
  if (key === 'name') {
    // Clusters without a name come after all names.
    const [nameA, nameB] = [looks.get(a.cluster)?.name, looks.get(b.cluster)?.name]
    if (nameA === undefined || nameB === undefined)
      return Number(nameA === undefined) - Number(nameB === undefined)
    return nameA.localeCompare(nameB, undefined, { numeric: true })
  }
  if (typeof key !== 'number') return a[key] - b[key]
  const [valueA, valueB] = [a.centroid?.[key] ?? -Infinity, b.centroid?.[key] ?? -Infinity]
  return valueA === valueB ? 0 : valueA - valueB
}

/** Sorted rows; equal ones stay in the order of their numbers. */
export function sortedClusters(
  clusters: readonly ClusterRow[],
  { key, descending }: Sorting,
  looks: ClusterLooks,
): readonly ClusterRow[] {
  const sign = descending ? -1 : 1
  return [...clusters].sort((a, b) => sign * compareBy(key, looks, a, b) || a.cluster - b.cluster)
}

/** What stands for a cluster without a centroid: under `unit-length` a cluster that is kept without points has none either. */
export function goneWord({ config }: Pick<RunRecord, 'config'>): 'dropped' | 'empty' {
  return config.empty === 'drop' ? 'dropped' : 'empty'
}

/** The same in the language of the window. */
export const goneText = (record: Pick<RunRecord, 'config'>): string =>
  goneWord(record) === 'dropped' ? t('settings.dropped') : t('settings.empty')

/** The whole table for the clipboard, in the order shown; see `goneWord`. */
export function clustersAsText(
  record: RunRecord,
  rows: readonly ClusterRow[],
  looks: ClusterLooks,
  named: boolean,
): Promise<string> {
  const header = [
    'cluster',
    ...(named ? ['name'] : []),
    'size',
    'share',
    'inertia',
    ...record.features.map(({ name }) => name),
  ]
  const blank = record.features.map(() => null)
  const cellsOf = ({ cluster, size, inertia, centroid }: ClusterRow): readonly TsvCell[] => [
    cluster,
    ...(named ? [looks.get(cluster)?.name ?? null] : []),
    ...(centroid ? [size, size / record.n, inertia, ...centroid] : [goneWord(record), null, null, ...blank]),
  ]
  return tsvInSlices(header, rows.length, (index) => {
    const row = rows[index]
    return row ? cellsOf(row) : []
  })
}
