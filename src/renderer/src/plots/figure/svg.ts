/** A figure as the text of an SVG file: valid XML, nothing outside it referred to, the same text every time. */
import type { PlotTheme } from '../theme'
import { leftOf, topOf, type Figure, type FigurePanel } from './figure'
import { captionSvg, layerSvg } from './svg-layers'
import { colourOf, escaped, px, textAt, wrapped } from './svg-text'

export const titleSize = 13
export const titleLineHeight = 18
const margin = 12
const tickLength = 4
const small = 11
/** From one line above a panel to the next. */
export const panelLine = 15

/** Lines of a figure's title at its width. */
export function titleLines(title: string, width: number): readonly string[] {
  return title === '' ? [] : wrapped(title, width - 2 * margin, titleSize)
}

function titleSvg({ title, width, theme }: Figure): string {
  const style = { size: titleSize, colour: theme.ink, bold: true }
  const lines = titleLines(title, width)
  return lines.map((text, at) => textAt(margin, margin + 10 + at * titleLineHeight, text, style)).join('')
}

/** Grid lines with their ticks; the ticks reach out of the frame. */
function gridSvg(panel: FigurePanel, theme: PlotTheme): string {
  const { left, top, width, height } = panel.frame
  const upright = panel.x.ticks.map(({ value }) => {
    const x = px(leftOf(panel, value))
    return `M${x} ${px(top)}L${x} ${px(top + height + tickLength)}`
  })
  const level = panel.y.ticks.map(({ value }) => {
    const y = px(topOf(panel, value))
    return `M${px(left - tickLength)} ${y}L${px(left + width)} ${y}`
  })
  const border = `M${px(left)} ${px(top)}L${px(left)} ${px(top + height)}L${px(left + width)} ${px(top + height)}`
  const grid = `<path d="${[...upright, ...level].join('')}" fill="none" ${colourOf('stroke', theme.grid)}/>`
  return `${grid}<path d="${border}" fill="none" ${colourOf('stroke', theme.quietInk)}/>`
}

function labelsSvg(panel: FigurePanel, theme: PlotTheme): string {
  const { left, top, width, height } = panel.frame
  const style = { size: small, colour: theme.quietInk }
  const below = panel.x.ticks.map(({ value, label }) =>
    textAt(leftOf(panel, value), top + height + 16, label, { ...style, anchor: 'middle' }),
  )
  const beside = panel.y.ticks.map(({ value, label }) =>
    textAt(left - 7, topOf(panel, value) + 4, label, { ...style, anchor: 'end' }),
  )
  return [...below, ...beside, ...axisNames(panel, theme, left + width / 2, top + height / 2)].join('')
}

function axisNames({ frame, x, y }: FigurePanel, theme: PlotTheme, middle: number, centre: number): string[] {
  const style = { size: small, colour: theme.quietInk, anchor: 'middle' } as const
  const across = x.label === '' ? [] : [textAt(middle, frame.top + frame.height + 32, x.label, style)]
  const widest = Math.max(0, ...y.ticks.map(({ label }) => label.length))
  const beside = Math.max(11, frame.left - 14 - widest * small * 0.56)
  const up = y.label === '' ? [] : [textAt(beside, centre, y.label, { ...style, turned: -90 })]
  return [...across, ...up]
}

/** Title and details, one below the other as the window has them. */
function panelTitle({ title, details, frame }: FigurePanel, theme: PlotTheme): string {
  const lineTop = (fromBelow: number): number => frame.top - 7 - fromBelow * panelLine
  const name = { size: small, colour: theme.ink, bold: true }
  const quiet = { size: small, colour: theme.quietInk }
  const first = title === '' ? '' : textAt(frame.left, lineTop(details.length), title, name)
  const others = details.map((text, at) => textAt(frame.left, lineTop(details.length - 1 - at), text, quiet))
  return [first, ...others].join('')
}

/** Where layers are cut off. */
function clipOf({ frame, overhang }: FigurePanel): string {
  const corner = `x="${px(frame.left - overhang)}" y="${px(frame.top - overhang)}"`
  const size = `width="${px(frame.width + 2 * overhang)}" height="${px(frame.height + 2 * overhang)}"`
  return `<rect ${corner} ${size}/>`
}

function panelSvg(panel: FigurePanel, index: number, theme: PlotTheme): string {
  const id = `frame-${index + 1}`
  const written = (words: boolean): string =>
    panel.layers
      .filter(({ kind }) => (kind === 'texts') === words)
      .map((layer) => layerSvg(panel, layer, theme))
      .join('\n')
  return [
    '<g>',
    panelTitle(panel, theme),
    gridSvg(panel, theme),
    `<clipPath id="${id}">${clipOf(panel)}</clipPath>`,
    `<g clip-path="url(#${id})">${written(false)}</g>`,
    written(true),
    labelsSvg(panel, theme),
    '</g>',
  ].join('\n')
}

/** The text of the file. `scale` enlarges the size it asks for; what is drawn stays the same. */
export function svgOf(figure: Figure, scale = 1): string {
  const { width, height, theme, title } = figure
  const size = `width="${px(width * scale)}" height="${px(height * scale)}" viewBox="0 0 ${px(width)} ${px(height)}"`
  const font = `font-family="${escaped(theme.font)}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${font} role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${px(width)}" height="${px(height)}" ${colourOf('fill', theme.ground)}/>`,
    titleSvg(figure),
    ...(figure.captions ?? []).map((caption) => captionSvg(caption, theme)),
    ...figure.panels.map((panel, index) => panelSvg(panel, index, theme)),
    '</svg>\n',
  ].join('\n')
}
