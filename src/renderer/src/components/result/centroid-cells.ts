/** How the centroids of a cluster table read: one number format a feature, and how far from the mean of all rows each lies. */
import type { ColumnInfo } from '@shared/dataset'
import { dateText, unitWords } from '@shared/dates'
import type { RecordedFeature, RunRecord } from '@shared/run-record'
import { t } from '@/i18n'
import { featureFormat } from '@/text/feature-format'
import { formatShare } from '@/text/numbers'

/** Ends of a bar in a cell, as shares of its width; the mean of all rows lies at a half. */
export interface MiniBar {
  readonly from: number
  readonly to: number
}

/** Values of a column in the file: what its bars are measured by. */
export type Range = Pick<ColumnInfo, 'min' | 'max'>

/** Below this share of the range a bar would be no more than a mark in the middle. */
const minShown = 0.004

/** Coordinates of a feature in all clusters that have a centroid. */
const coordinates = ({ clusters }: RunRecord, feature: number): number[] =>
  clusters.flatMap(({ centroid }) => centroid?.[feature] ?? [])

/** Of dates the date, of a text the share of the rows that have it; rounding may leave it a little beside 0 or 1. */
export function coordinateFormat(record: RunRecord, feature: number): (value: number) => string {
  const { category, dateUnit } = record.features[feature] ?? {}
  if (dateUnit !== undefined) return (value) => dateText(value, dateUnit)
  if (category !== undefined) return (value) => formatShare(Math.min(1, Math.max(0, value)))
  return featureFormat(coordinates(record, feature))
}

/** With every digit, and the unit where that is not what is shown. */
export function exactCoordinate(value: number, { dateUnit }: Partial<RecordedFeature>): string {
  return dateUnit === undefined ? String(value) : `${value} ${unitWords[dateUnit]}`
}

/** Of a text itself: the columns of one column's texts stand side by side, and their names begin alike. */
export function headOf({ name, category }: RecordedFeature): string {
  return category === undefined ? name : `= ${category}`
}

export function unitOf({ category, dateUnit }: RecordedFeature): string {
  if (dateUnit !== undefined) return unitWords[dateUnit]
  return category === undefined ? t('plots.unitsOfTheFile') : t('plots.shareOfTheRows')
}

/** Mean of a feature over all rows that were clustered; NaN where there are none. */
export function overallMean({ clusters }: RunRecord, feature: number): number {
  let [sum, count] = [0, 0]
  for (const { size, centroid } of clusters) {
    if (!centroid) continue
    sum += size * (centroid[feature] ?? 0)
    count += size
  }
  return sum / count
}

/** The farther end of a column's values from the mean fills half of a cell. */
function reachOf(record: RunRecord, feature: number, mean: number, range: Range | undefined): number {
  const { category } = record.features[feature] ?? {}
  const [min, max] = category === undefined ? [range?.min, range?.max] : [0, 1]
  const ends = [min, max, ...coordinates(record, feature)].filter((end) => typeof end === 'number')
  return Math.max(...ends.map((end) => Math.abs(end - mean)))
}

/** Bars of a feature by cluster index: how far a centroid lies below or above the mean of all rows. */
export function barsOf(record: RunRecord, feature: number, range?: Range): readonly (MiniBar | null)[] {
  const mean = overallMean(record, feature)
  const reach = reachOf(record, feature, mean, range)
  return record.clusters.map(({ centroid }) => {
    const share = ((centroid?.[feature] ?? Number.NaN) - mean) / (2 * reach)
    if (!(Math.abs(share) >= minShown)) return null
    return { from: 0.5 + Math.min(0, share), to: 0.5 + Math.max(0, share) }
  })
}

/** As the style sheet takes it. */
export function barStyle(bar: MiniBar | null | undefined, colour: string): Record<string, string> {
  if (!bar) return {}
  return { '--bar-from': `${100 * bar.from}%`, '--bar-to': `${100 * bar.to}%`, '--bar-colour': colour }
}
