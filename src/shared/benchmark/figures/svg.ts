import { printableLines } from '../../printable'
import type { ContenderLook, ContenderShape } from '../contender-look'

/** A plot of a comparison as inline SVG. Colours follow the page's custom properties where it has them. */
export interface SvgFigure {
  /** What is shown, in words. */
  readonly title: string
  /** Markup, every text in it escaped. */
  readonly svg: string
}

/** The window's tokens, with its light colours where the page has none. */
export const ink = 'var(--ink, #1d2125)'
export const quietInk = 'var(--quiet, #5a626b)'
export const gridInk = 'var(--grid, #e4e7ea)'
export const errorInk = 'var(--error, #a8231b)'

type Attributes = Readonly<Record<string, string | number>>

/** One element; children are markup. */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(shortest(value))}"`)
  return `<${name}${list.join('')}>${children.join('')}</${name}>`
}

export interface TextLook {
  readonly anchor?: 'start' | 'middle' | 'end'
  readonly colour?: string
  readonly bold?: boolean
  readonly size?: number
}

/** Around every text, so that no line runs through it. */
const halo = 'paint-order:stroke;stroke:var(--ground, #ffffff);stroke-width:3;stroke-linejoin:round'

/** A text with its baseline at y. */
export function label(x: number, y: number, text: string, look: TextLook = {}): string {
  const { anchor = 'start', colour = ink, bold = false, size = fontSize } = look
  const weight = bold ? ';font-weight:600' : ''
  const style = `fill:${colour}${weight};${halo}`
  return element('text', { x, y, 'text-anchor': anchor, 'font-size': size, style }, escaped(text))
}

export function line(
  from: readonly [number, number],
  to: readonly [number, number],
  colour: string,
  width = 1,
): string {
  const style = `stroke:${colour};stroke-width:${width}`
  return element('line', { x1: from[0], y1: from[1], x2: to[0], y2: to[1], style })
}

/** A contender's mark in its colour and shape, centred; hollow: an outline on the ground. */
export function mark(x: number, y: number, { colour, shape }: ContenderLook, isHollow = false): string {
  const outline = `fill:var(--ground, #ffffff);stroke:${colour};stroke-width:1.5`
  const [style, radius] = isHollow ? [outline, 3.6] : [`fill:${colour}`, 4]
  if (shape === 'circle') return element('circle', { cx: x, cy: y, r: radius, style })
  const corners = corner[shape].map(([right, down]) =>
    [x + right * radius, y + down * radius].map(shortest).join(','),
  )
  return element('polygon', { points: corners.join(' '), style })
}

/** Corners in radii, so that all shapes look alike in size. */
const corner: Readonly<Record<Exclude<ContenderShape, 'circle'>, readonly (readonly [number, number])[]>> = {
  square: [
    [-0.9, -0.9],
    [0.9, -0.9],
    [0.9, 0.9],
    [-0.9, 0.9],
  ],
  triangle: [
    [0, -1.25],
    [1.15, 0.85],
    [-1.15, 0.85],
  ],
  diamond: [
    [0, -1.3],
    [1.3, 0],
    [0, 1.3],
    [-1.3, 0],
  ],
}

/** The whole figure; `width` and `height` in pixels, shrunk with the page. */
export function drawing(title: string, width: number, height: number, parts: readonly string[]): SvgFigure {
  const size = {
    viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`,
    width: Math.ceil(width),
    height: Math.ceil(height),
  }
  const look = { role: 'img', 'aria-label': title, 'font-family': fontFamily }
  return { title, svg: element('svg', { ...size, ...look }, ...parts) }
}

export const fontSize = 12
const fontFamily = "system-ui, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif"

/** Room that a text needs, rather too much than too little. */
export function aboutWidth(text: string, size = fontSize): number {
  return text.length * size * 0.6
}

/** Hundredths of a pixel are enough. */
function shortest(value: string | number): string {
  return typeof value === 'number' ? String(Math.round(value * 100) / 100) : value
}

function escaped(text: string): string {
  return printableLines(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
