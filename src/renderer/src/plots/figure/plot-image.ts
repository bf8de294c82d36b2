/** A figure as the bytes of a file. */
import { LabError } from '@shared/errors'
import type { PlotFormat, PlotImage } from '@shared/plot-image'
import type { Figure } from './figure'
import { filePainter } from './paint-worker'

/** Device pixels of a PNG for one CSS pixel. */
const pngScale = 2

async function loaded(svg: Uint8Array<ArrayBuffer>): Promise<HTMLImageElement> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  try {
    const image = new Image()
    image.src = address
    await image.decode()
    return image
  } finally {
    URL.revokeObjectURL(address)
  }
}

/** Browsers draw SVG on the thread of the page only; the picture is then compressed beside it. */
async function pngOf(figure: Figure): Promise<Uint8Array> {
  const image = await loaded(await filePainter().flatSvg(figure, pngScale))
  const canvas = new OffscreenCanvas(
    Math.round(figure.width * pngScale),
    Math.round(figure.height * pngScale),
  )
  canvas.getContext('2d')?.drawImage(image, 0, 0)
  const blob = await canvas.convertToBlob({ type: 'image/png' })
  return new Uint8Array(await blob.arrayBuffer())
}

/** A figure as a PNG of twice its size or as SVG. Throws a LabError when it cannot be drawn. */
export async function imageOf(name: string, figure: Figure, format: PlotFormat): Promise<PlotImage> {
  try {
    const bytes = format === 'svg' ? await filePainter().svg(figure) : await pngOf(figure)
    return { name, format, bytes }
  } catch (thrown) {
    if (thrown instanceof LabError) throw thrown
    const message = `The plot “${name}” could not be drawn as ${format.toUpperCase()}; make the window smaller and repeat it.`
    throw new LabError('internal', 'plot.undrawn', message, String(thrown))
  }
}
