/** What a plot shows, in a sentence or two, for who does not see it. */
import { t } from '@/i18n'
import { historyLines, type HistoryQuantity } from '@/plots/history-chart'
import type { ReadProfile } from '@/plots/profile/read-profile'
import type { CentroidMark } from '@/plots/scatter-chart'
import type { IterationRow, PhaseTimings } from '@shared/run-record'
import { formatCount, formatDuration, formatNumber, formatPlain, formatShare } from './numbers'
import { timedPhases } from './phases'

/** From where to where a quantity went. */
export function historySummary(
  rows: readonly IterationRow[],
  quantity: HistoryQuantity,
  leadingRun: number,
): string {
  const lines = historyLines(rows, quantity)
  const line = lines.find(({ run }) => run === leadingRun) ?? lines[0]
  const [first, last] = [line?.points[0], line?.points.at(-1)]
  if (!line || !first || !last) return t('plotTable.noPoints')
  const went = t('plotTable.history', [formatPlain(first.y), formatPlain(last.y), formatCount(last.x)])
  return lines.length > 1 ? `${went} ${t('plotTable.historyRestarts', [line.run + 1, lines.length])}` : went
}

/** Centroids that a sentence names. */
const maxNamed = 6

/** Where the clusters lie; empty while there is none. */
export function scatterSummary(marks: readonly CentroidMark[], nameOf: (cluster: number) => string): string {
  if (marks.length === 0) return ''
  const named = marks
    .slice(0, maxNamed)
    .map(({ cluster, x, y }) =>
      t('plotTable.scatterCentre', [nameOf(cluster), formatNumber(x), formatNumber(y)]),
    )
    .join('; ')
  const more = marks.length - maxNamed
  return t('plotTable.scatterCentres', [more > 0 ? t('plotTable.scatterMore', [named, more]) : named])
}

/** What the panels are, and for each feature the two clusters whose means differ most. */
export function matrixSummary(
  { clusters, features }: ReadProfile,
  chosen: readonly number[],
  nameOf: (cluster: number) => string,
): string {
  const names = chosen.map((feature) => features[feature] ?? '')
  const ends = chosen.flatMap((feature) => {
    const byMean = clusters
      .map(({ cluster, spreads }) => ({ cluster, mean: spreads[feature]?.mean ?? NaN }))
      .sort((a, b) => a.mean - b.mean)
    const [low, high] = [byMean[0], byMean.at(-1)]
    if (!low || !high || low === high) return []
    return [
      t('plotTable.matrixFeature', [features[feature] ?? '', nameOf(low.cluster), nameOf(high.cluster)]),
    ]
  })
  return [t('plotTable.matrix', [names.join(', ')]), ...ends].join(' ')
}

/** The total, and the phase that took most of it. */
export function phasesSummary(timings: PhaseTimings): string {
  const [most] = [...timedPhases(timings)].sort((a, b) => b.ms - a.ms)
  const total = formatDuration(timings.totalMs)
  return most ? t('plotTable.phases', [total, most.word, formatShare(most.share)]) : total
}
