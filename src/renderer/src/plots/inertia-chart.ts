/** History -> Chart.js data: inertia per iteration, one line a restart. */
import type { ChartConfiguration, ChartDataset } from 'chart.js'
import type { IterationRow } from '@shared/run-record'
import { formatNumber } from '@/text/numbers'
import { linearAxis } from './axis'
import type { PlotTheme } from './theme'

interface Place {
  readonly x: number
  readonly y: number
}

export interface InertiaLine {
  readonly run: number
  readonly places: readonly Place[]
}

/** Rows grouped by restart, those without an inertia left out. */
export function inertiaLines(rows: readonly IterationRow[]): readonly InertiaLine[] {
  const lines = new Map<number, Place[]>()
  for (const { run, iteration, inertia } of rows) {
    if (inertia === null) continue
    const places = lines.get(run) ?? []
    places.push({ x: iteration, y: inertia })
    lines.set(run, places)
  }
  return [...lines].map(([run, places]) => ({ run, places }))
}

function datasetOf(line: InertiaLine, leading: boolean, theme: PlotTheme): ChartDataset<'line', Place[]> {
  const few = line.places.length <= 60
  return {
    label: `restart ${line.run + 1}`,
    data: [...line.places],
    borderColor: leading ? theme.accent : theme.grid,
    backgroundColor: theme.accent,
    borderWidth: leading ? 1.5 : 1,
    pointRadius: leading && few ? 2 : 0,
    pointHitRadius: 8,
    order: leading ? 0 : 1,
  }
}

/** Data sets in drawing order; the leading run (the best, or the one under way) carries the accent. */
export function inertiaDatasets(
  rows: readonly IterationRow[],
  leadingRun: number,
  theme: PlotTheme,
): ChartDataset<'line', Place[]>[] {
  return inertiaLines(rows).map((line) => datasetOf(line, line.run === leadingRun, theme))
}

/** The whole chart, with no data yet. */
export function inertiaChart(theme: PlotTheme): ChartConfiguration<'line', Place[]> {
  return {
    type: 'line',
    data: { datasets: [] },
    options: {
      animation: false,
      parsing: false,
      normalized: true,
      maintainAspectRatio: false,
      interaction: { mode: 'nearest', axis: 'x', intersect: false },
      layout: { padding: { top: 6, right: 12 } },
      scales: {
        x: {
          ...linearAxis(theme, 'iteration'),
          min: 1,
          ticks: { ...linearAxis(theme, null).ticks, precision: 0 },
        },
        y: {
          ...linearAxis(theme, 'inertia'),
          ticks: { ...linearAxis(theme, null).ticks, maxTicksLimit: 5 },
        },
      },
      plugins: {
        decimation: { enabled: true, algorithm: 'min-max', threshold: 2000 },
        tooltip: {
          displayColors: false,
          callbacks: {
            title: () => '',
            label: ({ parsed }) => `iteration ${parsed.x}: inertia ${formatNumber(parsed.y)}`,
          },
        },
      },
    },
  }
}
