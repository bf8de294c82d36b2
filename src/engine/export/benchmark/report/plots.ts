import { Buffer } from 'node:buffer'
import type { PlotFormat, PlotImage } from '@shared/ipc'
import { html, type Html } from './html'

const types: Readonly<Record<PlotFormat, string>> = { png: 'image/png', svg: 'image/svg+xml' }

/**
 * A plot of the window as an image inside the document. As an image, an SVG runs no script and loads nothing, whatever
 * is in it.
 */
export function plotFigure({ name, format, bytes }: PlotImage): Html {
  const source = `data:${types[format]};base64,${Buffer.from(bytes).toString('base64')}`
  return html`<figure>
    <figcaption>${name}</figcaption>
    <img src="${source}" alt="${name}" />
  </figure>`
}

/** Where a plot came as both, the SVG, which prints at any size. */
export function sharpest(plots: readonly PlotImage[]): readonly PlotImage[] {
  const drawn = new Set(plots.filter(({ format }) => format === 'svg').map(({ name }) => name))
  return plots.filter(({ name, format }) => format === 'svg' || !drawn.has(name))
}
