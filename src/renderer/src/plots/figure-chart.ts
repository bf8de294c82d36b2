/** A figure -> Chart.js: its axes and tips; what lies between the axes is drawn as the files have it. */
import type { Chart, ChartConfiguration, Plugin, ScaleOptions } from 'chart.js'
import { shareOf, type Figure, type FigureAxis, type FigurePanel } from './figure/figure'
import type { PlotTip } from './benchmark/plot'
import { drawLayers } from './figure/draw-layers'
import type { PlotTheme } from './theme'

export interface TipPoint {
  readonly x: number
  readonly y: number
  readonly tip: PlotTip
}

export type FigureChart = Chart<'scatter', TipPoint[]>

/** Both axes run from 0 to 1: a figure knows best where its values lie, logarithms included. */
function axisOf(axis: FigureAxis, theme: PlotTheme): ScaleOptions<'linear'> & { readonly ticks: object } {
  const text = { color: theme.quietInk, font: { family: theme.font, size: 11 } }
  return {
    type: 'linear',
    min: 0,
    max: 1,
    border: { color: theme.quietInk },
    grid: { color: theme.grid, tickLength: 4 },
    ticks: {
      ...text,
      autoSkip: false,
      maxRotation: 0,
      callback: (_, index) => axis.ticks[index]?.label ?? '',
    },
    title: { display: axis.label !== '', text: axis.label, ...text, padding: 2 },
    afterBuildTicks: (scale) => {
      scale.ticks = axis.ticks.map(({ value }) => ({ value: shareOf(axis, value) }))
    },
  }
}

function layersOf(panel: FigurePanel, theme: PlotTheme): Plugin<'scatter'> {
  return {
    id: 'figure-layers',
    beforeDatasetsDraw: ({ ctx }) => drawLayers(ctx, panel, theme),
  }
}

/** Tips follow the pointer but for a click, which ends a drag: what was zoomed to is to be seen. */
const tipEvents: readonly (keyof HTMLElementEventMap)[] = ['mousemove', 'mouseout', 'touchstart', 'touchmove']

/**
 * The chart of a figure of one panel without words around it; `tips` in units of its axes. `isHeld`: whether the
 * pointer draws a box, so that no tip follows it.
 */
export function figureChart(
  { panels: [panel], theme, width, height }: Figure,
  tips: readonly PlotTip[],
  tipAxis: 'x' | 'y' | 'xy',
  isHeld: () => boolean,
): ChartConfiguration<'scatter', TipPoint[]> | null {
  if (!panel) return null
  const { frame, x, y } = panel
  // A row's tip is found all along it, wherever its own place lies.
  const along = (share: number): number => (tipAxis === 'y' ? Math.min(1, Math.max(0, share)) : share)
  const data = tips.map((tip) => ({ x: along(shareOf(x, tip.x)), y: shareOf(y, tip.y), tip }))
  const across = axisOf(x, theme)
  const up = axisOf(y, theme)
  return {
    type: 'scatter',
    data: { datasets: [{ data, pointRadius: 0, pointHitRadius: 12, pointHoverRadius: 0 }] },
    plugins: [layersOf(panel, theme), { id: 'held', beforeEvent: () => !isHeld() }],
    options: {
      events: [...tipEvents],
      animation: false,
      parsing: false,
      responsive: false,
      maintainAspectRatio: false,
      interaction: { mode: 'nearest', axis: tipAxis, intersect: false },
      layout: { padding: { top: frame.top, right: width - frame.left - frame.width }, autoPadding: false },
      scales: {
        x: { ...across, afterFit: (scale) => void (scale.height = height - frame.top - frame.height) },
        y: { ...up, afterFit: (scale) => void (scale.width = frame.left) },
      },
      plugins: {
        tooltip: {
          displayColors: false,
          backgroundColor: theme.ink,
          titleColor: theme.ground,
          bodyColor: theme.ground,
          titleFont: { family: theme.font, size: 12 },
          bodyFont: { family: theme.font, size: 12 },
          callbacks: {
            title: ([item]) => tipOf(item?.raw)?.title ?? '',
            label: ({ raw }) => [...(tipOf(raw)?.lines ?? [])],
          },
        },
      },
    },
  }
}

const tipOf = (raw: unknown): PlotTip | null => (raw as TipPoint | undefined)?.tip ?? null

/** Shows the tip at an index as if the pointer were there; null hides it. */
export function showTip(chart: FigureChart, index: number | null): void {
  const active = index === null ? [] : [{ datasetIndex: 0, index }]
  const element = index === null ? null : chart.getDatasetMeta(0).data[index]
  chart.setActiveElements(active)
  chart.tooltip?.setActiveElements(active, element ? { x: element.x, y: element.y } : { x: 0, y: 0 })
  chart.update('none')
}
