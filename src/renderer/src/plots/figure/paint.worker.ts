/** The thread that paints pictures of points for small multiples and files, and writes figures as SVG. */
import type { FigurePanel } from './figure'
import { flattened, type FlatLayer } from './flat'
import { PaintColumns } from './paint-columns'
import type { PaintAnswer, PaintRequest, PaintResults, Picture } from './paint-messages'
import { layersCanvas } from './paint-layers'
import { drawMarks } from './paint-marks'
import { svgOf } from './svg'

type Asking = Extract<PaintRequest, { id: number }>
const columns = new PaintColumns()

function canvasOf(picture: Picture): OffscreenCanvas {
  const { width, height } = picture.view
  const image = new ImageData(width, height)
  columns.paint(new Uint32Array(image.data.buffer), picture)
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  context?.putImageData(image, 0, 0)
  if (context && picture.marks) drawMarks(context, picture.marks)
  return canvas
}

async function hrefOf(canvas: OffscreenCanvas): Promise<string> {
  const blob = await canvas.convertToBlob({ type: 'image/png' })
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable image')))
    reader.readAsDataURL(blob)
  })
}

async function textOf({ figure, scale, flat }: Extract<Asking, { kind: 'svg' }>): Promise<string> {
  if (!flat) return svgOf(figure, scale)
  const draw = (panel: FigurePanel, layers: readonly FlatLayer[]): Promise<string> =>
    hrefOf(layersCanvas(panel, layers, figure.theme, scale))
  return svgOf(await flattened(figure, draw), scale)
}

async function resultOf(request: Asking): Promise<PaintResults[keyof PaintResults]> {
  if (request.kind === 'bitmap') return canvasOf(request.picture).transferToImageBitmap()
  if (request.kind === 'href') return hrefOf(canvasOf(request.picture))
  return new TextEncoder().encode(await textOf(request))
}

function send(answer: PaintAnswer, transfer: Transferable[] = []): void {
  postMessage(answer, { transfer })
}

async function answer(request: Asking): Promise<void> {
  const { id } = request
  try {
    const value = await resultOf(request)
    send({ id, ok: true, value }, value instanceof ImageBitmap ? [value] : [])
  } catch (thrown) {
    send({ id, ok: false, reason: String(thrown) })
  }
}

addEventListener('message', ({ data }: MessageEvent<PaintRequest>) => {
  if ('id' in data) void answer(data)
  else columns.take(data)
})
