/** Layers of a panel onto one canvas of its frame, as svg-layers.ts writes them down. */
import { clusterShapes, pixelOf, rgbOfHex } from '../colours'
import { paintPoints } from '../raster'
import type { PlotTheme } from '../theme'
import { leftOf, topOf, type FigurePanel, type LineLayer, type MarksLayer, type PointsLayer } from './figure'
import type { FlatLayer } from './flat'
import { drawMarks } from './paint-marks'
import { lineOutline } from './svg-layers'
import { paintOf } from './svg-text'

type Context = OffscreenCanvasRenderingContext2D

/** (height, width) ImageData words of a layer of points, `scale` pixels for a CSS pixel. */
export function pointPixels(panel: FigurePanel, layer: PointsLayer, scale: number): Uint32Array {
  const { frame } = panel
  const { xs, ys, look, looks, radius } = layer
  const width = Math.round(frame.width * scale)
  const height = Math.round(frame.height * scale)
  const x = Float32Array.from({ length: xs.length }, (_, i) => leftOf(panel, xs[i]) - frame.left)
  const y = Float32Array.from({ length: ys.length }, (_, i) => frame.top + frame.height - topOf(panel, ys[i]))
  // The painter takes the shape from the label: each look gets a label that stands for its own.
  const shapes = clusterShapes.length
  const labelOf = looks.map(({ shape }, at) => at * shapes + clusterShapes.indexOf(shape))
  const labels = Int32Array.from({ length: xs.length }, (_, i) => labelOf[look[i]] ?? 0)
  const colours = new Uint32Array(looks.length * shapes)
  for (const [at, { colour }] of looks.entries())
    colours.fill(pixelOf(rgbOfHex(paintOf(colour).hex)), at * shapes, (at + 1) * shapes)
  const pixels = new Uint32Array(width * height)
  const all = { minX: 0, maxX: frame.width, minY: 0, maxY: frame.height }
  paintPoints(
    pixels,
    { x, y, labels },
    { width, height, ...all, radius: radius * scale, colours, neutral: 0 },
  )
  return pixels
}

function drawPoints(context: Context, panel: FigurePanel, layer: PointsLayer, scale: number): void {
  const { left, top, width, height } = panel.frame
  const own = new OffscreenCanvas(Math.round(width * scale), Math.round(height * scale))
  const image = new ImageData(own.width, own.height)
  new Uint32Array(image.data.buffer).set(pointPixels(panel, layer, scale))
  own.getContext('2d')?.putImageData(image, 0, 0)
  context.globalAlpha = layer.opacity ?? 1
  context.drawImage(own, left, top, width, height)
  context.globalAlpha = 1
}

function drawLine(context: Context, panel: FigurePanel, layer: LineLayer): void {
  const { path, spots } = lineOutline(panel, layer)
  context.globalAlpha = layer.opacity
  context.strokeStyle = layer.colour
  context.fillStyle = layer.colour
  context.lineWidth = layer.width
  context.stroke(new Path2D(path))
  for (const [left, top] of layer.dots > 0 ? spots : []) {
    context.beginPath()
    context.arc(left, top, layer.dots, 0, 2 * Math.PI)
    context.fill()
  }
  context.globalAlpha = 1
}

function drawMarkLayer(context: Context, panel: FigurePanel, layer: MarksLayer, theme: PlotTheme): void {
  const spots = layer.marks
    .map((mark) => ({ ...mark, left: leftOf(panel, mark.x), top: topOf(panel, mark.y) }))
    .filter(({ left, top }) => Number.isFinite(left) && Number.isFinite(top))
  const { radius, outline, ring } = layer
  drawMarks(context, { spots, radius, outline, ring, ink: theme.ink, ground: theme.ground })
}

/** The frame of a panel with these layers, `scale` pixels for a CSS pixel. */
export function layersCanvas(
  panel: FigurePanel,
  layers: readonly FlatLayer[],
  theme: PlotTheme,
  scale: number,
): OffscreenCanvas {
  const { left, top, width, height } = panel.frame
  const canvas = new OffscreenCanvas(Math.round(width * scale), Math.round(height * scale))
  const context = canvas.getContext('2d')
  if (!context) return canvas
  context.setTransform(scale, 0, 0, scale, -left * scale, -top * scale)
  context.lineJoin = 'round'
  for (const layer of layers) {
    if (layer.kind === 'points') drawPoints(context, panel, layer, scale)
    else if (layer.kind === 'line') drawLine(context, panel, layer)
    else drawMarkLayer(context, panel, layer, theme)
  }
  return canvas
}
