/** The layers of a panel onto a canvas of the page, as svg-layers.ts writes them down. */
import { assertNever } from '@shared/assert-never'
import type { ClusterShape } from '../colours'
import type { PlotTheme } from '../theme'
import {
  leftOf,
  topOf,
  type BarsLayer,
  type FigureLayer,
  type FigurePanel,
  type LineLayer,
  type PointsLayer,
  type TextsLayer,
} from './figure'
import { bandOutline, lineOutline, markRoom, pathOf } from './svg-layers'

type Context = CanvasRenderingContext2D

function shapePath(shape: ClusterShape, left: number, top: number, radius: number): Path2D {
  if (shape !== 'circle') return new Path2D(pathOf(shape, left, top, radius))
  const path = new Path2D()
  path.arc(left, top, radius, 0, 2 * Math.PI)
  return path
}

function drawPoints(context: Context, panel: FigurePanel, layer: PointsLayer): void {
  const { xs, ys, look, looks, radius, opacity = 1 } = layer
  context.globalAlpha = opacity
  for (let i = 0; i < xs.length; i++) {
    const style = looks[look[i]]
    const [left, top] = [leftOf(panel, xs[i]), topOf(panel, ys[i])]
    if (!style || !Number.isFinite(left) || !Number.isFinite(top)) continue
    context.fillStyle = style.colour
    context.fill(shapePath(style.shape, left, top, radius))
  }
}

function drawLine(context: Context, panel: FigurePanel, layer: LineLayer): void {
  const { path, spots } = lineOutline(panel, layer)
  context.globalAlpha = layer.opacity
  context.strokeStyle = layer.colour
  context.fillStyle = layer.colour
  context.lineWidth = layer.width
  context.stroke(new Path2D(path))
  for (const [left, top] of layer.dots > 0 ? spots : [])
    context.fill(shapePath('circle', left, top, layer.dots))
}

function drawBars(context: Context, panel: FigurePanel, { bars }: BarsLayer, theme: PlotTheme): void {
  for (const { x0, x1, y0, y1, colour, label, hollow = false } of bars) {
    const [left, right] = [leftOf(panel, x0), leftOf(panel, x1)]
    const [top, bottom] = [topOf(panel, Math.max(y0, y1)), topOf(panel, Math.min(y0, y1))]
    context.fillStyle = colour
    context.strokeStyle = colour
    context.lineWidth = 1
    const width = Math.max(0.5, right - left)
    if (hollow) context.strokeRect(left, top, width, bottom - top)
    else context.fillRect(left, top, width, bottom - top)
    context.fillStyle = theme.ink
    context.fillText(label, right + 4, (top + bottom) / 2)
  }
}

function drawTexts(context: Context, panel: FigurePanel, { texts }: TextsLayer, theme: PlotTheme): void {
  context.strokeStyle = theme.ground
  context.lineWidth = 3
  for (const { x, y, dx, dy, text, colour, anchor, mark, rim = false } of texts) {
    const [left, middle] = [leftOf(panel, x) + dx, topOf(panel, y) + dy]
    context.textAlign = anchor === 'middle' ? 'center' : anchor
    context.fillStyle = colour
    if (rim) context.strokeText(text, left, middle)
    context.fillText(text, left, middle)
    context.fillStyle = mark?.colour ?? colour
    if (mark) context.fill(shapePath(mark.shape, left - markRoom, middle, 3.5))
  }
}

function drawMarker(context: Context, panel: FigurePanel, axis: 'x' | 'y', at: number): void {
  const { left, top, width, height } = panel.frame
  context.beginPath()
  if (axis === 'x') {
    context.moveTo(leftOf(panel, at), top)
    context.lineTo(leftOf(panel, at), top + height)
  } else {
    context.moveTo(left, topOf(panel, at))
    context.lineTo(left + width, topOf(panel, at))
  }
  context.stroke()
}

function drawLayer(context: Context, panel: FigurePanel, layer: FigureLayer, theme: PlotTheme): void {
  switch (layer.kind) {
    case 'points':
      return drawPoints(context, panel, layer)
    case 'line':
      return drawLine(context, panel, layer)
    case 'bars':
      return drawBars(context, panel, layer, theme)
    case 'texts':
      return drawTexts(context, panel, layer, theme)
    case 'marker':
      context.strokeStyle = layer.colour
      context.lineWidth = 1
      return drawMarker(context, panel, layer.axis, layer.at)
    case 'band':
      context.globalAlpha = layer.opacity
      context.fillStyle = layer.colour
      return context.fill(new Path2D(bandOutline(panel, layer)))
    case 'image':
    case 'marks':
      // Pictures and centroids are drawn on canvases of their own (raster-layer.ts, scatter-chart.ts).
      return
    default:
      return assertNever(layer, 'figure layer')
  }
}

/** All layers in their order; only words may leave the frame. Draws in CSS pixels of the figure. */
export function drawLayers(context: Context, panel: FigurePanel, theme: PlotTheme): void {
  const { left, top, width, height } = panel.frame
  const reach = panel.overhang
  for (const layer of panel.layers) {
    context.save()
    context.font = `11px ${theme.font}`
    context.textBaseline = 'middle'
    context.lineJoin = 'round'
    if (layer.kind !== 'texts') {
      context.beginPath()
      context.rect(left - reach, top - reach, width + 2 * reach, height + 2 * reach)
      context.clip()
    }
    drawLayer(context, panel, layer, theme)
    context.restore()
  }
}
