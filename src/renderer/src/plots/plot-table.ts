/** What lies behind a plot, as rows of text: for who does not see it, and for who wants the numbers. */
import type { IterationRow } from '@shared/run-record'
import { t } from '@/i18n'
import { columnFormat, formatCount, formatNumber } from '@/text/numbers'
import type { BenchmarkPlot } from './benchmark/plot'
import { historyLines, type HistoryQuantity } from './history-chart'
import type { ReadProfile } from './profile/read-profile'
import type { StepPanel } from './steps/panel'

export interface PlotTable {
  readonly columns: readonly string[]
  /** The first cell of each is what the others are about. */
  readonly rows: readonly (readonly string[])[]
  /** What the rows stand for, where they are not the marks themselves; empty for none. */
  readonly note: string
}

/** Every mark that a tip tells of. */
export function tipsTable({ tips }: Pick<BenchmarkPlot, 'tips'>): PlotTable {
  const rows = tips.map(({ title, lines }) => [title, lines.join('; ')])
  return { columns: [t('plotTable.mark'), t('plotTable.values')], rows, note: '' }
}

/** A quantity by iteration, a column a restart. */
export function historyTable(
  rows: readonly IterationRow[],
  quantity: HistoryQuantity,
  title: string,
): PlotTable {
  const lines = historyLines(rows, quantity)
  const iterations = [...new Set(lines.flatMap(({ points }) => points.map(({ x }) => x)))].sort(
    (a, b) => a - b,
  )
  const values = lines.map(({ points }) => new Map(points.map(({ x, y }) => [x, y])))
  const isOne = lines.length === 1
  return {
    columns: [
      t('plotTable.iteration'),
      ...lines.map(({ run }) => (isOne ? title : `${t('plotTable.restart')} ${run + 1}`)),
    ],
    rows: iterations.map((iteration) => [
      formatCount(iteration),
      ...values.map((of) => formatNumber(of.get(iteration) ?? null)),
    ]),
    note: '',
  }
}

/** Mean and standard deviation of each cluster in some features. */
export function matrixTable(
  { clusters, features }: ReadProfile,
  chosen: readonly number[],
  nameOf: (cluster: number) => string,
): PlotTable {
  const rows = chosen.map((feature) => {
    const spreads = clusters.map(({ spreads: own }) => own[feature])
    const mean = columnFormat(spreads.map((spread) => spread?.mean ?? null))
    const cells = spreads.map((spread) =>
      spread ? `${mean(spread.mean)} ± ${formatNumber(spread.sd)}` : '–',
    )
    return [features[feature] ?? '', ...cells]
  })
  const names = clusters.map(({ cluster }) => `${t('plotTable.cluster')} ${nameOf(cluster)}`)
  return { columns: [t('plotTable.feature'), ...names], rows, note: '' }
}

/** What each panel of the steps says, and where its centroids lie. */
export function stepsTable(
  panels: readonly StepPanel[],
  [xName, yName]: readonly [string, string],
  nameOf: (cluster: number) => string,
): PlotTable {
  return {
    columns: [
      t('plotTable.iteration'),
      t('plotTable.points'),
      t('plotTable.facts'),
      t('plotTable.centroids', [xName, yName]),
    ],
    rows: panels.map(({ title, points, facts, marks }) => [
      title,
      formatCount(points),
      facts.join('; '),
      marks
        .map(({ cluster, x, y }) => `${nameOf(cluster)}: ${formatNumber(x)}, ${formatNumber(y)}`)
        .join('; '),
    ]),
    note: '',
  }
}
