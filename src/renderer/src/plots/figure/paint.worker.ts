/** The thread that paints pictures of points for small multiples and files, and writes figures as SVG. */
import { PaintColumns } from './paint-columns'
import type { PaintAnswer, PaintRequest, PaintResults, Picture } from './paint-messages'
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

async function hrefOf(picture: Picture): Promise<string> {
  const blob = await canvasOf(picture).convertToBlob({ type: 'image/png' })
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable image')))
    reader.readAsDataURL(blob)
  })
}

function resultOf(request: Asking): PaintResults[keyof PaintResults] | Promise<string> {
  if (request.kind === 'bitmap') return canvasOf(request.picture).transferToImageBitmap()
  if (request.kind === 'href') return hrefOf(request.picture)
  return new TextEncoder().encode(svgOf(request.figure, request.scale))
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
