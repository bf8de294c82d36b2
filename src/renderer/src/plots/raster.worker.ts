/** The thread that draws points. It sees the columns, or holds a copy of its own, so a pan or zoom moves six numbers only. */
import { isShared } from '../shared-arrays'
import { paintView, type RasterPoints, type RasterView } from './raster'
import { KeptCounts } from './scatter/kept-counts'
import type { PickAnswer, RasterAnswer, RasterRequest } from './raster-messages'
import { pointsInside, type Polygon } from './scatter/lasso'
import { nearestPoint, pickGrid, type PickGrid, type PickPosition } from './scatter/picking'

/** Its picture goes to the window whole, which shows it in the same frame as the axes that belong to it. */
const canvas = new OffscreenCanvas(1, 1)
let image: ImageData | null = null
const kept = new KeptCounts()
let points: RasterPoints = { x: new Float32Array(), y: new Float32Array(), labels: null, selected: null }
/** Built when a point is first asked for: who never hovers never pays. */
let grid: PickGrid | null = null

function imageOf(width: number, height: number): ImageData {
  if (image && image.width === width && image.height === height) return image
  image = new ImageData(width, height)
  return image
}

function paint(target: OffscreenCanvas, view: RasterView, frame: number): RasterAnswer {
  const started = performance.now()
  if (target.width !== view.width) target.width = view.width
  if (target.height !== view.height) target.height = view.height
  const buffer = imageOf(view.width, view.height)
  const painted = paintView(new Uint32Array(buffer.data.buffer), points, view, kept)
  target.getContext('2d')?.putImageData(buffer, 0, 0)
  const milliseconds = performance.now() - started
  const picture = target.transferToImageBitmap()
  return { kind: 'painted', frame, picture, ...painted, milliseconds, coloured: points.labels !== null }
}

function pick(position: PickPosition): Uint32Array<ArrayBuffer> {
  grid ??= pickGrid(points)
  const found = nearestPoint(grid, position)
  return found < 0 ? new Uint32Array() : Uint32Array.of(found)
}

/** Frames and picks that came meanwhile are answered between its slices; other columns end it with nothing. */
async function lasso(polygon: Polygon): Promise<Uint32Array<ArrayBuffer>> {
  const { x } = points
  const run = pointsInside(points, polygon)
  for (let step = run.next(); points.x === x; step = run.next()) {
    if (step.done) return step.value
    await new Promise((resolve) => setTimeout(resolve))
  }
  return new Uint32Array()
}

/** A place that is missing is not drawn. */
const missing = (n: number): Float32Array => new Float32Array(n).fill(NaN)

/** What may be written to: never memory that the window sees too. */
function ownLabels(): Int32Array {
  const { labels } = points
  if (labels === null) return new Int32Array(points.x.length).fill(-1)
  return isShared(labels) ? labels.slice() : labels
}

/** Labels that are the whole take the place of the old ones; a part is put among them. */
function withLabels(part: Int32Array, start: number): Int32Array {
  if (start === 0 && part.length === points.x.length) return part
  const labels = ownLabels()
  labels.set(part, start)
  return labels
}

/** Flags by row; null when none is picked out. */
function flagsOf(rows: Uint32Array | null): Uint8Array | null {
  if (rows === null) return null
  const flags = new Uint8Array(points.x.length)
  for (const row of rows) flags[row] = 1
  return flags
}

function receive(request: RasterRequest): RasterAnswer | PickAnswer | null {
  switch (request.kind) {
    case 'reserve':
      points = { x: missing(request.n), y: missing(request.n), labels: null, selected: null }
      grid = null
      return null
    case 'columns':
      points = { x: request.x, y: request.y, labels: null, selected: null }
      grid = null
      return null
    case 'part':
      points[request.axis].set(request.values, request.start)
      kept.forget()
      grid = null
      return null
    case 'labels':
      points = { ...points, labels: withLabels(request.labels, request.start) }
      return null
    case 'no-labels':
      points = { ...points, labels: null }
      return null
    case 'selected':
      points = { ...points, selected: flagsOf(request.rows) }
      return null
    case 'paint':
      return paint(canvas, request.view, request.frame)
    case 'pick':
      return { kind: 'picked', id: request.id, rows: pick(request.position) }
    case 'lasso':
      void lasso(request.polygon).then((rows) => answer({ kind: 'picked', id: request.id, rows }))
      return null
  }
}

function answer(found: RasterAnswer | PickAnswer): void {
  postMessage(found, { transfer: [found.kind === 'picked' ? found.rows.buffer : found.picture] })
}

addEventListener('message', ({ data }: MessageEvent<RasterRequest>) => {
  const found = receive(data)
  if (found) answer(found)
})
