/** From centimetres, points and dots an inch to the pixels in which figures are laid out. */
import type { PlotLook } from '@shared/plot-image'
import { t } from '@/i18n'

/** What a figure is asked to be; whatever it cannot change stays as it is. */
export interface FigureWish {
  /** Pixels of the figure. */
  readonly width: number
  readonly height: number
  readonly title: boolean
  readonly legend: boolean
  /** Paths of centroids. */
  readonly trails: boolean
  /** Whose colours and font are read. */
  readonly element: HTMLElement
  /** Pixels of pictures within, for one of the figure. */
  readonly imageScale: number
}

/** What of a wish a figure can follow. */
export interface FigureAdjustments {
  readonly colours?: boolean
  readonly width?: boolean
  readonly height?: boolean
  readonly title?: boolean
  readonly legend?: boolean
  readonly trails?: boolean
}

/** Letters beside axes, in pixels of a figure. */
const letterPixels = 11
const pixelsOfInch = 96
const pointsOfInch = 72
const centimetresOfInch = 2.54
/** Sides of a picture, in pixels: beyond it no canvas goes. */
const maxSide = 12_000
/** Below it, in pixels of a figure, no axis has room. */
const minSide = { width: 200, height: 140 } as const

export interface PrintSize {
  /** Pixels in which the figure is laid out, so that its letters come out as large as asked for. */
  readonly width: number
  readonly height: number
  /** CSS pixels of the file for one of those. */
  readonly scale: number
}

export function inchesOf(length: number, { unit, dpi }: Pick<PlotLook, 'unit' | 'dpi'>): number {
  return unit === 'cm' ? length / centimetresOfInch : length / dpi
}

export function printSize(look: PlotLook): PrintSize {
  const scale = (look.fontPt * pixelsOfInch) / pointsOfInch / letterPixels
  const pixels = (length: number): number => (inchesOf(length, look) * pixelsOfInch) / scale
  return { width: pixels(look.width), height: pixels(look.height), scale }
}

/** Of a figure that has a size of its own: as wide as asked for. */
export function scaleOf(figure: { readonly width: number }, look: PlotLook): number {
  return (inchesOf(look.width, look) * pixelsOfInch) / figure.width
}

/** Pixels of a PNG for one of the figure. */
export function pixelScale(scale: number, { dpi }: Pick<PlotLook, 'dpi'>): number {
  return (scale * dpi) / pixelsOfInch
}

/** What is wrong with a look, a sentence; null where nothing is. */
export function lookProblem(look: PlotLook, adjusts: FigureAdjustments): string | null {
  const { width, height, dpi, fontPt } = look
  if (!(width > 0) || !(height > 0)) return t('plots.widthAndHeightAreNumbersAbove')
  if (!(dpi >= 36 && dpi <= 1200)) return t('plots.resolutionIsBetween36And1')
  if (!(fontPt >= 4 && fontPt <= 36)) return t('plots.fontSizeIsBetween4And')
  const side = Math.max(inchesOf(width, look), adjusts.height ? inchesOf(height, look) : 0) * dpi
  if (side > maxSide) return t('plots.aSideOfPixelsIsToo', [Math.round(side)])
  const print = printSize(look)
  const isSmall =
    (adjusts.width && print.width < minSide.width) || (adjusts.height && print.height < minSide.height)
  return isSmall ? t('plots.lettersOfThisSizeLeaveNo') : null
}

/** The same size in the other unit, rounded as one would type it. */
export function inUnit(look: PlotLook, unit: PlotLook['unit']): PlotLook {
  if (unit === look.unit) return look
  const converted = (length: number): number => {
    const inches = inchesOf(length, look)
    return unit === 'cm' ? Math.round(inches * centimetresOfInch * 100) / 100 : Math.round(inches * look.dpi)
  }
  return { ...look, unit, width: converted(look.width), height: converted(look.height) }
}
