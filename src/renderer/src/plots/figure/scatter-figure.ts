/** The scatter plot as it stands, as a figure. */
import { pixelOf } from '../colours'
import { pointRadius } from '../glyphs'
import type { Palette } from '../palette'
import type { PlotColumn } from '../plot-column'
import type { RasterView } from '../raster'
import type { ScatterFigureState } from '../scatter/figure-state'
import { densityRamp, groundOf } from '../scatter/density-ramp'
import { firstDrawn, maxDots, trailOf, type CentroidTrails } from '../scatter/trails'
import { centroidRadius } from '../scatter-chart'
import { rgbOfCss, type PlotTheme } from '../theme'
import type { Viewport } from '../viewport'
import { belowLegend, clusterLegend, type ClusterLegend } from './cluster-legend'
import { marksLayer, maxShapes, pickedLayers, pointsLayer } from './cluster-layers'
import type { Figure, FigureLayer, Frame, LineLayer } from './figure'
import { soleFrame } from './layout'
import { filePainter, type PaintWorker } from './paint-worker'
import type { FigureWish } from './print-size'
import { exactAxis } from './ticks'
import { t } from '@/i18n'

/** Image pixels for one CSS pixel of a figure. */
export const imageScale = 2

const asOnScreen = { legend: false, trails: true, imageScale } as const
const noLegend: ClusterLegend = { captions: [], height: 0 }
/** Above the frame, below the title. */
const legendGap = 2

/** Room for the title and the axis names, which the window shows outside the plot. */
export const roomForWords = 44

interface Axes {
  readonly x: Pick<PlotColumn, 'offset' | 'unit'>
  readonly y: Pick<PlotColumn, 'offset' | 'unit'>
}

/** A view as the painter takes it, for `scale` image pixels a CSS pixel. */
export function rasterView(
  { width, height }: Pick<Frame, 'width' | 'height'>,
  view: Viewport,
  { x, y }: Axes,
  look: Pick<RasterView, 'radius' | 'colours' | 'neutral' | 'ring' | 'density' | 'ratio'>,
  scale: number,
): RasterView {
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
    minX: (view.minX - x.offset) / x.unit,
    maxX: (view.maxX - x.offset) / x.unit,
    minY: (view.minY - y.offset) / y.unit,
    maxY: (view.maxY - y.offset) / y.unit,
    ...look,
    radius: look.radius * scale,
  }
}

let pictures = 0

async function picture(
  { x, y, labels, view, palette, selected = null, density = false }: ScatterFigureState,
  frame: Frame,
  theme: PlotTheme,
  { painter, scale }: { readonly painter: PaintWorker; readonly scale: number },
): Promise<FigureLayer> {
  const name = `scatter ${++pictures}`
  const keys = { x: `${name} x`, y: `${name} y`, labels: labels && `${name} labels` }
  const look = {
    radius: pointRadius(x.values.length),
    colours: palette.pixels,
    neutral: pixelOf(rgbOfCss(theme.neutralPoint)),
    ring: pixelOf(rgbOfCss(theme.ink)),
    density: density ? densityRamp(groundOf(theme)) : null,
    ratio: scale,
  }
  try {
    await painter.put(keys.x, x.values)
    await painter.put(keys.y, y.values)
    if (keys.labels !== null && labels) await painter.put(keys.labels, labels)
    const asked = {
      ...keys,
      selected,
      marks: null,
      view: rasterView(frame, view, { x, y }, look, scale),
    }
    return { kind: 'image', href: await painter.href(asked) }
  } finally {
    painter.drop(Object.values(keys).filter((key) => key !== null))
  }
}

function trailLine(trails: CentroidTrails, palette: Palette, cluster: number): LineLayer {
  return {
    kind: 'line',
    name: t('plots.pathOfCentroid', [palette.name(cluster)]),
    colour: palette.css(cluster),
    ...trailOf(trails, cluster),
    width: 1.5,
    opacity: 1,
    dots: trails.upTo - firstDrawn(trails) <= maxDots ? 2 : 0,
  }
}

/**
 * The same points, centroids and paths in the same view, with a title and the axis names. Points beyond
 * `maxShapes` are a picture that the worker paints.
 */
export async function scatterFigure(
  state: ScatterFigureState,
  theme: PlotTheme,
  title: string,
  painter: PaintWorker = filePainter(),
  wish: Pick<FigureWish, 'legend' | 'trails' | 'imageScale'> = asOnScreen,
): Promise<Figure> {
  const { width, view, palette, marks } = state
  const trails = wish.trails ? state.trails : null
  const ofMarks = state.marksPalette ?? palette
  const height = state.height + roomForWords
  const { name: xName, values } = state.x
  const parts = { x: Math.min(9, Math.floor(width / 80)), y: Math.min(9, Math.floor(height / 60)) }
  const x = exactAxis({
    label: xName,
    min: view.minX,
    max: view.maxX,
    parts: parts.x,
    dates: state.x.dateUnit,
  })
  const y = exactAxis({
    label: state.y.name,
    min: view.minY,
    max: view.maxY,
    parts: parts.y,
    dates: state.y.dateUnit,
  })
  const whole = soleFrame(title, width, height, y)
  const legend = wish.legend ? legendOf(state, whole, width, theme) : noLegend
  const frame = belowLegend(whole, legend)
  const points =
    values.length > maxShapes || state.density === true
      ? [await picture(state, frame, theme, { painter, scale: wish.imageScale })]
      : pickedLayers(
          pointsLayer(state, palette, pointRadius(values.length), theme),
          state.selected ?? null,
          theme,
        )
  const paths = trails
    ? Array.from({ length: trails.k }, (_, cluster) => trailLine(trails, ofMarks, cluster))
    : []
  const layers = [...points, ...paths, marksLayer(marks, ofMarks, centroidRadius(ofMarks.k))]
  return {
    title,
    width,
    height,
    theme,
    panels: [{ title: '', details: [], overhang: 0, frame, x, y, layers }],
    ...(legend.captions.length > 0 && { captions: legend.captions }),
  }
}

/** The clusters that the points are coloured by; none where they are not. */
function legendOf(
  { labels, palette, density }: ScatterFigureState,
  frame: Frame,
  width: number,
  theme: PlotTheme,
): ClusterLegend {
  if (labels === null || density === true) return noLegend
  const clusters = Array.from({ length: palette.k }, (_, cluster) => cluster)
  const leftOut = labels.some((label) => label < 0) ? theme.neutralPoint : null
  return clusterLegend(clusters, palette, frame.top - legendGap, width, leftOut)
}
