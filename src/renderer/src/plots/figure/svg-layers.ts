/** What lies between the axes, as SVG elements. */
import { assertNever } from '@shared/assert-never'
import type { ClusterShape } from '../colours'
import type { PlotTheme } from '../theme'
import {
  leftOf,
  topOf,
  type BandLayer,
  type BarsLayer,
  type FigureCaption,
  type FigureLayer,
  type FigureMark,
  type FigurePanel,
  type LineLayer,
  type MarkerLayer,
  type MarksLayer,
  type PointsLayer,
  type TextsLayer,
} from './figure'
import { colourOf, escaped, px, textAt } from './svg-text'

export type AngularShape = Exclude<ClusterShape, 'circle'>

/** CSS pixels from the middle of a mark to the words beside it. */
export const markRoom = 7

/** An outline around a place, with the proportions of the points on screen (glyphs.ts). */
export function pathOf(shape: AngularShape, left: number, top: number, radius: number): string {
  const corner = (dx: number, dy: number): string => `${px(left + dx * radius)} ${px(top + dy * radius)}`
  switch (shape) {
    case 'square':
      return `M${corner(-0.89, -0.89)}L${corner(0.89, -0.89)}L${corner(0.89, 0.89)}L${corner(-0.89, 0.89)}Z`
    case 'triangle':
      return `M${corner(0, -1.2)}L${corner(1.18, 0.85)}L${corner(-1.18, 0.85)}Z`
    case 'inverted-triangle':
      return `M${corner(0, 1.2)}L${corner(1.18, -0.85)}L${corner(-1.18, -0.85)}Z`
    case 'diamond':
      return `M${corner(0, -1.25)}L${corner(1.25, 0)}L${corner(0, 1.25)}L${corner(-1.25, 0)}Z`
    default:
      return assertNever(shape, 'cluster shape')
  }
}

function shapeAt(shape: ClusterShape, left: number, top: number, radius: number, paint: string): string {
  return shape === 'circle'
    ? `<circle cx="${px(left)}" cy="${px(top)}" r="${px(radius)}" ${paint}/>`
    : `<path d="${pathOf(shape, left, top, radius)}" ${paint}/>`
}

const opacityOf = (opacity: number): string => (opacity === 1 ? '' : ` opacity="${px(opacity)}"`)

function points(panel: FigurePanel, { xs, ys, look, looks, radius, opacity = 1 }: PointsLayer): string {
  const paints = looks.map(({ colour }) => colourOf('fill', colour))
  const { left, top, width, height } = panel.frame
  const parts: string[] = []
  for (let i = 0; i < xs.length; i++) {
    const style = looks[look[i]]
    const across = leftOf(panel, xs[i])
    const down = topOf(panel, ys[i])
    // Written so that NaN fails the test and is left out, as is what lies out of view.
    if (!(across >= left - radius && across <= left + width + radius)) continue
    if (!(down >= top - radius && down <= top + height + radius) || !style) continue
    parts.push(shapeAt(style.shape, across, down, radius, paints[look[i]] ?? ''))
  }
  return `<g${opacityOf(opacity)}>${parts.join('')}</g>`
}

export interface LineOutline {
  /** Of an SVG path. */
  readonly path: string
  /** Left and top of every place, in pixels of the figure. */
  readonly spots: readonly (readonly [number, number])[]
}

/** Where a line runs; a place that is not there interrupts it. */
export function lineOutline(panel: FigurePanel, { xs, ys }: LineLayer): LineOutline {
  const strokes: string[] = []
  const spots: (readonly [number, number])[] = []
  let drawing = false
  for (let i = 0; i < xs.length; i++) {
    const [across, down] = [leftOf(panel, xs[i]), topOf(panel, ys[i])]
    const there = Number.isFinite(across) && Number.isFinite(down)
    if (there) {
      strokes.push(`${drawing ? 'L' : 'M'}${px(across)} ${px(down)}`)
      spots.push([across, down])
    }
    drawing = there
  }
  return { path: strokes.join(''), spots }
}

function line(panel: FigurePanel, layer: LineLayer): string {
  const { colour, width, opacity, dots, name } = layer
  const { path: outline, spots } = lineOutline(panel, layer)
  const spot = ([left, top]: readonly [number, number]): string =>
    shapeAt('circle', left, top, dots, colourOf('fill', colour))
  const drawn = dots > 0 ? spots.map(spot) : []
  const stroke = `fill="none" ${colourOf('stroke', colour)} stroke-width="${px(width)}" stroke-linejoin="round"`
  const path = outline === '' ? '' : `<path d="${outline}" ${stroke}/>`
  const title = name === '' ? '' : `<title>${escaped(name)}</title>`
  return `<g${opacityOf(opacity)}>${title}${path}${drawn.join('')}</g>`
}

function markAt(panel: FigurePanel, mark: FigureMark, layer: MarksLayer, theme: PlotTheme): string {
  const width = `stroke-width="${px(layer.outline)}"`
  const paint = `${colourOf('fill', mark.colour)} ${colourOf('stroke', theme.ink)} ${width}`
  return shapeAt(mark.shape, leftOf(panel, mark.x), topOf(panel, mark.y), layer.radius, paint)
}

/** Words twice: their rim in the ground's colour, then themselves, since not every program knows `paint-order`. */
function rimmed(text: string, theme: PlotTheme): string {
  const rim = `${colourOf('stroke', theme.ground)} stroke-width="3" stroke-linejoin="round"`
  return `<g ${rim} aria-hidden="true">${text}</g>${text}`
}

function labelAt(panel: FigurePanel, mark: FigureMark, radius: number, theme: PlotTheme): string {
  const [left, top] = [leftOf(panel, mark.x) + radius + 3, topOf(panel, mark.y) + 4]
  const text = textAt(left, top, mark.label, { size: 11, colour: theme.ink, bold: true })
  return rimmed(text, theme)
}

function marks(panel: FigurePanel, layer: MarksLayer, theme: PlotTheme): string {
  const finite = layer.marks.filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))
  const ring = (mark: FigureMark): string =>
    shapeAt('circle', leftOf(panel, mark.x), topOf(panel, mark.y), layer.radius + layer.ring, '')
  const rings = `<g ${colourOf('fill', theme.ground)}>${finite.map(ring).join('')}</g>`
  const shapes = finite.map((mark) => markAt(panel, mark, layer, theme)).join('')
  const labelled = finite.filter(({ label }) => label !== '')
  const labels = labelled.map((mark) => labelAt(panel, mark, layer.radius, theme)).join('')
  return `<g>${rings}${shapes}${labels}</g>`
}

function marker(panel: FigurePanel, { axis, at, colour }: MarkerLayer): string {
  const { left, top, width, height } = panel.frame
  const across = axis === 'x'
  const [x, y] = across ? [leftOf(panel, at), top] : [left, topOf(panel, at)]
  const [x2, y2] = across ? [x, top + height] : [left + width, y]
  if (!Number.isFinite(x) || !Number.isFinite(y)) return ''
  return `<path d="M${px(x)} ${px(y)}L${px(x2)} ${px(y2)}" ${colourOf('stroke', colour)} stroke-width="1"/>`
}

function bars(panel: FigurePanel, layer: BarsLayer, theme: PlotTheme): string {
  const parts = layer.bars.map(({ x0, x1, y0, y1, colour, label, hollow = false }) => {
    const [left, right] = [leftOf(panel, x0), leftOf(panel, x1)]
    const [top, bottom] = [topOf(panel, Math.max(y0, y1)), topOf(panel, Math.min(y0, y1))]
    const size = `width="${px(Math.max(0.5, right - left))}" height="${px(bottom - top)}"`
    const paint = hollow ? `fill="none" ${colourOf('stroke', colour)}` : colourOf('fill', colour)
    const rect = `<rect x="${px(left)}" y="${px(top)}" ${size} ${paint}/>`
    const text = textAt(right + 4, (top + bottom) / 2 + 4, label, { size: 11, colour: theme.ink })
    return label === '' ? rect : rect + text
  })
  return `<g>${parts.join('')}</g>`
}

/** The outline of a band, in pixels of the figure; empty for fewer than two places. */
export function bandOutline(panel: FigurePanel, { xs, low, high, turned = false }: BandLayer): string {
  if (xs.length < 2) return ''
  const spot = (at: number, value: number): string => {
    const [across, up] = turned ? [value, at] : [at, value]
    return `${px(leftOf(panel, across))} ${px(topOf(panel, up))}`
  }
  const there = xs.map((x, at) => spot(x, high[at] ?? NaN))
  const back = xs.map((x, at) => spot(x, low[at] ?? NaN))
  return `M${[...there, ...back.reverse()].join('L')}Z`
}

function band(panel: FigurePanel, layer: BandLayer): string {
  const outline = bandOutline(panel, layer)
  const paint = `${colourOf('fill', layer.colour)}${opacityOf(layer.opacity)}`
  return outline === '' ? '' : `<path d="${outline}" ${paint}/>`
}

function texts(panel: FigurePanel, layer: TextsLayer, theme: PlotTheme): string {
  const written = layer.texts.map(({ x, y, dx, dy, text, colour, anchor, mark, rim = false }) => {
    const [left, middle] = [leftOf(panel, x) + dx, topOf(panel, y) + dy]
    const shape = mark ? shapeAt(mark.shape, left - markRoom, middle, 3.5, colourOf('fill', mark.colour)) : ''
    const words = textAt(left, middle + 4, text, { size: 11, colour, anchor })
    return shape + (rim ? rimmed(words, theme) : words)
  })
  return `<g>${written.join('')}</g>`
}

/** Words outside the frames with their swatch. */
export function captionSvg({ left, top, text, swatch }: FigureCaption, theme: PlotTheme): string {
  const style = { size: 11, colour: swatch ? theme.ink : theme.quietInk }
  if (!swatch) return textAt(left, top + 4, text, style)
  const rim = `${colourOf('fill', theme.ground)} ${colourOf('stroke', swatch.colour)} stroke-width="1.5"`
  const paint = swatch.hollow ? rim : colourOf('fill', swatch.colour)
  const mark =
    swatch.shape === 'bar'
      ? `<rect x="${px(left)}" y="${px(top - 5)}" width="10" height="10" ${paint}/>`
      : shapeAt(swatch.shape, left + 5, top, swatch.hollow ? 3.5 : 4, paint)
  return mark + textAt(left + 15, top + 4, text, style)
}

/** One layer of a panel. */
export function layerSvg(panel: FigurePanel, layer: FigureLayer, theme: PlotTheme): string {
  const { left, top, width, height } = panel.frame
  switch (layer.kind) {
    case 'points':
      return points(panel, layer)
    case 'image':
      return `<image x="${px(left)}" y="${px(top)}" width="${px(width)}" height="${px(height)}" preserveAspectRatio="none" href="${escaped(layer.href)}"/>`
    case 'line':
      return line(panel, layer)
    case 'marks':
      return marks(panel, layer, theme)
    case 'marker':
      return marker(panel, layer)
    case 'bars':
      return bars(panel, layer, theme)
    case 'band':
      return band(panel, layer)
    case 'texts':
      return texts(panel, layer, theme)
    default:
      return assertNever(layer, 'figure layer')
  }
}
