/** History -> Chart.js: one quantity per iteration, one line a restart. */
import type { Chart, ChartConfiguration, ChartDataset, Scale } from 'chart.js'
import type { IterationRow } from '@shared/run-record'
import { t } from '@/i18n'
import { formatNumber } from '@/text/numbers'
import { linearAxis } from './axis'
import type { PlotTheme } from './theme'
import type { Viewport } from './viewport'

export const historyQuantities = ['inertia', 'shift', 'changed'] as const
export type HistoryQuantity = (typeof historyQuantities)[number]

export interface HistoryPoint {
  readonly x: number
  readonly y: number
}

export interface HistoryLine {
  readonly run: number
  readonly points: readonly HistoryPoint[]
}

const valueOf: Readonly<Record<HistoryQuantity, (row: IterationRow) => number | null>> = {
  inertia: (row) => row.inertia,
  shift: (row) => row.maxShift,
  changed: (row) => row.changed,
}

/** Rows grouped by restart, those without the quantity left out. */
export function historyLines(
  rows: readonly IterationRow[],
  quantity: HistoryQuantity,
): readonly HistoryLine[] {
  const lines = new Map<number, HistoryPoint[]>()
  for (const row of rows) {
    const y = valueOf[quantity](row)
    if (y === null) continue
    const points = lines.get(row.run) ?? []
    points.push({ x: row.iteration, y })
    lines.set(row.run, points)
  }
  return [...lines].map(([run, points]) => ({ run, points }))
}

function datasetOf(
  line: HistoryLine,
  leading: boolean,
  theme: PlotTheme,
): ChartDataset<'line', HistoryPoint[]> {
  const few = line.points.length <= 60
  return {
    label: t('plots.restart', [line.run + 1]),
    data: [...line.points],
    borderColor: leading ? theme.accent : theme.grid,
    backgroundColor: theme.accent,
    borderWidth: leading ? 1.5 : 1,
    pointRadius: leading && few ? 2 : 0,
    pointHitRadius: 8,
    order: leading ? 0 : 1,
  }
}

/** Data sets in drawing order; the leading run (the best, or the one under way) carries the accent. */
export function historyDatasets(
  rows: readonly IterationRow[],
  quantity: HistoryQuantity,
  leadingRun: number,
  theme: PlotTheme,
): ChartDataset<'line', HistoryPoint[]>[] {
  return historyLines(rows, quantity).map((line) => datasetOf(line, line.run === leadingRun, theme))
}

/** Without the last iteration where it stands out of step: its number would run into that of the tick before it. */
function evenTicks(axis: Pick<Scale, 'ticks'>): void {
  const [first, second] = axis.ticks
  if (!first || !second) return
  const step = second.value - first.value
  axis.ticks = axis.ticks.filter(({ value }) => Number.isInteger((value - first.value) / step))
}

/** The whole chart, with no data yet. */
export function historyChart(
  theme: PlotTheme,
  quantity: HistoryQuantity,
  laidOut: () => void,
): ChartConfiguration<'line', HistoryPoint[]> {
  const ticks = linearAxis(theme, null).ticks
  return {
    type: 'line',
    data: { datasets: [] },
    // The mark of the shown iteration is an element of its own, which moves without a drawing of the chart.
    plugins: [{ id: 'laid-out', afterLayout: laidOut }],
    options: {
      animation: false,
      parsing: false,
      normalized: true,
      maintainAspectRatio: false,
      interaction: { mode: 'nearest', axis: 'x', intersect: false },
      layout: { padding: { top: 6, right: 8 } },
      scales: {
        x: {
          ...linearAxis(theme, t('benchmark.iteration')),
          min: 0,
          bounds: 'data',
          afterBuildTicks: evenTicks,
          ticks: { ...ticks, precision: 0, maxTicksLimit: 6 },
        },
        y: {
          ...linearAxis(theme, null),
          ...(quantity === 'inertia' ? {} : { min: 0 }),
          ticks: { ...ticks, maxTicksLimit: 4, ...(quantity === 'changed' ? { precision: 0 } : {}) },
        },
      },
      plugins: {
        decimation: { enabled: true, algorithm: 'min-max', threshold: 2000 },
        tooltip: {
          displayColors: false,
          callbacks: {
            title: () => '',
            label: ({ parsed }) => t('plots.iteration', [String(parsed.x), quantity, formatNumber(parsed.y)]),
          },
        },
      },
    },
  }
}

/** What the axes show at the next drawing: a part, in shares of the whole, or, for null, everything. */
export function showPart(
  { options }: Chart<'line', HistoryPoint[]>,
  quantity: HistoryQuantity,
  zoomed: { readonly part: Viewport; readonly whole: Viewport } | null,
): void {
  const [x, y] = [options.scales?.['x'] ?? {}, options.scales?.['y'] ?? {}]
  if (zoomed === null) {
    Object.assign(x, { min: 0, max: undefined })
    Object.assign(y, { min: quantity === 'inertia' ? undefined : 0, max: undefined })
    return
  }
  const { part, whole } = zoomed
  const [width, height] = [whole.maxX - whole.minX, whole.maxY - whole.minY]
  Object.assign(x, { min: whole.minX + part.minX * width, max: whole.minX + part.maxX * width })
  Object.assign(y, { min: whole.minY + part.minY * height, max: whole.minY + part.maxY * height })
}
