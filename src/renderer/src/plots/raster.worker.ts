/** The thread that draws points. It holds its own copy of the columns, so a pan or zoom moves six numbers only. */
import { paintPoints, type RasterPoints, type RasterView } from './raster'
import type { RasterAnswer, RasterRequest } from './raster-messages'

let canvas: OffscreenCanvas | null = null
let image: ImageData | null = null
let points: RasterPoints = { x: new Float32Array(), y: new Float32Array(), labels: null }

function imageOf(width: number, height: number): ImageData {
  if (image && image.width === width && image.height === height) return image
  image = new ImageData(width, height)
  return image
}

function paint(target: OffscreenCanvas, view: RasterView): RasterAnswer {
  const started = performance.now()
  if (target.width !== view.width) target.width = view.width
  if (target.height !== view.height) target.height = view.height
  const buffer = imageOf(view.width, view.height)
  const drawn = paintPoints(new Uint32Array(buffer.data.buffer), points, view)
  target.getContext('2d')?.putImageData(buffer, 0, 0)
  return { drawn, milliseconds: performance.now() - started, coloured: points.labels !== null }
}

addEventListener('message', ({ data }: MessageEvent<RasterRequest>) => {
  if (data.kind === 'canvas') canvas = data.canvas
  else if (data.kind === 'points') points = { x: data.x, y: data.y, labels: null }
  else if (data.kind === 'labels') points = { ...points, labels: data.labels }
  else if (canvas) postMessage(paint(canvas, data.view))
})
