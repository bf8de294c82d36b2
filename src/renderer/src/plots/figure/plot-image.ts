/** A figure as the bytes of a file. */
import { LabError } from '@shared/errors'
import type { PlotFormat, PlotImage } from '@shared/plot-image'
import type { Figure } from './figure'
import { filePainter } from './paint-worker'
import { withResolution } from './png-resolution'
import { t } from '@/i18n'

/** How large a file is drawn, for one pixel of the figure; `dpi` is written into a PNG. */
export interface PrintScale {
  readonly svg: number
  readonly png: number
  readonly dpi: number | null
}

/** Device pixels of a PNG for one CSS pixel. */
const usualScale: PrintScale = { svg: 1, png: 2, dpi: null }

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
async function pngOf(figure: Figure, { png: pngScale, dpi }: PrintScale): Promise<Uint8Array> {
  const image = await loaded(await filePainter().flatSvg(figure, pngScale))
  const canvas = new OffscreenCanvas(
    Math.round(figure.width * pngScale),
    Math.round(figure.height * pngScale),
  )
  canvas.getContext('2d')?.drawImage(image, 0, 0)
  const blob = await canvas.convertToBlob({ type: 'image/png' })
  const bytes = new Uint8Array(await blob.arrayBuffer())
  return dpi === null ? bytes : withResolution(bytes, dpi)
}

/** A figure as SVG, or as a PNG, without a scale of twice its size. Throws a LabError when it cannot be drawn. */
export async function imageOf(
  name: string,
  figure: Figure,
  format: PlotFormat,
  scale = usualScale,
): Promise<PlotImage> {
  try {
    const bytes = format === 'svg' ? await filePainter().svg(figure, scale.svg) : await pngOf(figure, scale)
    return { name, format, bytes }
  } catch (thrown) {
    if (thrown instanceof LabError) throw thrown
    const message = t('plots.thePlotCouldNotBeDrawn', [name, format.toUpperCase()])
    throw new LabError('internal', 'plot.undrawn', message, String(thrown))
  }
}
