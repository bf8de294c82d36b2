import type { DateUnit } from '@shared/dates'
/** Axes, grid and centroids of the scatter plot; its points are a raster layer beneath (raster.ts says why). */
import type { Chart, ChartConfiguration, ChartDataset, Plugin } from 'chart.js'
import { t } from '@/i18n'
import { formatNumber } from '@/text/numbers'
import { linearAxis } from './axis'
import type { ClusterShape } from './colours'
import type { Palette } from './palette'
import type { PlotTheme } from './theme'
import type { Viewport } from './viewport'

/** A centroid in the units of the two shown columns. */
export interface CentroidMark {
  readonly cluster: number
  readonly x: number
  readonly y: number
}

const pointStyles = {
  circle: 'circle',
  square: 'rect',
  triangle: 'triangle',
  diamond: 'rectRot',
  'inverted-triangle': 'triangle',
} as const satisfies Record<ClusterShape, string>

/** Names beside the centroids help up to here; beyond they would cover the points. */
export const maxLabels = 60
/** From here on a wide ring round every centroid would hide the points of its cluster. */
const crowded = 20

/** CSS pixels; smaller where there are many. */
export function centroidRadius(k: number): number {
  if (k > maxLabels) return 4
  return k > crowded ? 5.5 : 7
}
export const outlineWidth = (k: number): number => (k > crowded ? 1 : 1.5)
/** Width of the ring of ground round a centroid. */
export const haloWidth = (k: number): number => (k > crowded ? 1 : 2)

/** One data set of outlined marks. */
export function centroidDataset(
  marks: readonly CentroidMark[],
  palette: Palette,
  theme: PlotTheme,
): ChartDataset<'scatter', { x: number; y: number }[]> {
  const radius = centroidRadius(palette.k)
  return {
    data: marks.map(({ x, y }) => ({ x, y })),
    pointStyle: marks.map(({ cluster }) => pointStyles[palette.shape(cluster)]),
    pointRotation: marks.map(({ cluster }) => (palette.shape(cluster) === 'inverted-triangle' ? 180 : 0)),
    pointBackgroundColor: marks.map(({ cluster }) => palette.css(cluster)),
    pointBorderColor: theme.ink,
    pointBorderWidth: outlineWidth(palette.k),
    pointRadius: radius,
    pointHoverRadius: radius + 1,
    pointHoverBorderColor: theme.ink,
    clip: 8,
  }
}

/** A ring of the ground's colour under each centroid, so that it stands out from points of its own colour. */
function drawHalos(chart: Chart, marks: readonly CentroidMark[], k: number, theme: PlotTheme): void {
  const { ctx, chartArea, scales } = chart
  const { x: scaleX, y: scaleY } = scales
  if (!scaleX || !scaleY) return
  const radius = centroidRadius(k) + haloWidth(k)
  ctx.save()
  ctx.beginPath()
  ctx.rect(chartArea.left, chartArea.top, chartArea.width, chartArea.height)
  ctx.clip()
  ctx.fillStyle = theme.ground
  for (const { x, y } of marks) {
    ctx.beginPath()
    ctx.arc(scaleX.getPixelForValue(x), scaleY.getPixelForValue(y), radius, 0, 2 * Math.PI)
    ctx.fill()
  }
  ctx.restore()
}

function drawNames(chart: Chart, marks: readonly CentroidMark[], palette: Palette, theme: PlotTheme): void {
  const { ctx, chartArea, scales } = chart
  const { x: scaleX, y: scaleY } = scales
  if (!scaleX || !scaleY || marks.length > maxLabels) return
  ctx.save()
  ctx.beginPath()
  ctx.rect(chartArea.left, chartArea.top, chartArea.width, chartArea.height)
  ctx.clip()
  ctx.font = `600 11px ${theme.font}`
  ctx.textBaseline = 'middle'
  ctx.lineWidth = 3
  ctx.lineJoin = 'round'
  ctx.strokeStyle = theme.ground
  ctx.fillStyle = theme.ink
  for (const { cluster, x, y } of marks) {
    const left = scaleX.getPixelForValue(x) + 10
    const top = scaleY.getPixelForValue(y)
    ctx.strokeText(palette.name(cluster), left, top)
    ctx.fillText(palette.name(cluster), left, top)
  }
  ctx.restore()
}

/** Reads marks and theme anew on every draw, so that one chart serves all results. */
export function namesPlugin(
  current: () => {
    readonly marks: readonly CentroidMark[]
    readonly palette: Palette
    readonly theme: PlotTheme
  },
): Plugin<'scatter'> {
  return {
    id: 'centroid-names',
    beforeDatasetsDraw: (chart) => {
      const { marks, palette, theme } = current()
      drawHalos(chart as Chart, marks, palette.k, theme)
    },
    afterDatasetsDraw: (chart) => {
      const { marks, palette, theme } = current()
      drawNames(chart as Chart, marks, palette, theme)
    },
  }
}

function tooltipLine(mark: CentroidMark | undefined, palette: Palette): string {
  return mark
    ? t('plots.centroid', [palette.name(mark.cluster), formatNumber(mark.x), formatNumber(mark.y)])
    : ''
}

/** CSS pixels of the vertical axis with its numbers. */
const minAxis = 56

/** The whole chart; the axes show exactly the view. */
export function scatterChart(
  theme: PlotTheme,
  view: Viewport,
  current: () => {
    readonly marks: readonly CentroidMark[]
    readonly palette: Palette
    readonly dates: { readonly x: DateUnit | undefined; readonly y: DateUnit | undefined }
  },
  resized: () => void = () => undefined,
): ChartConfiguration<'scatter', { x: number; y: number }[]> {
  return {
    type: 'scatter',
    data: { datasets: [] },
    options: {
      animation: false,
      // Parsed although they need not be: unparsed data count as sorted by x, and centroids out of view of
      // that order would not be drawn.
      maintainAspectRatio: false,
      // The points beneath follow the axes, whichever of the two heard of a new size first.
      onResize: resized,
      layout: { padding: { top: 4, right: 12 } },
      scales: {
        x: { ...linearAxis(theme, null, () => current().dates.x), min: view.minX, max: view.maxX },
        y: {
          ...linearAxis(theme, null, () => current().dates.y),
          min: view.minY,
          max: view.maxY,
          // The same width for all but long numbers keeps the plot still while ticks change under a zoom.
          afterFit: (axis) => {
            axis.width = Math.max(minAxis, axis.width)
          },
        },
      },
      plugins: {
        tooltip: {
          displayColors: false,
          callbacks: {
            title: () => '',
            label: ({ dataIndex }) => tooltipLine(current().marks[dataIndex], current().palette),
          },
        },
      },
    },
  }
}
