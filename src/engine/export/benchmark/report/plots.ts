import { Buffer } from 'node:buffer'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import { figuresOf, type SvgFigure } from '@shared/benchmark/figures'
import type { PlotFormat, TitledPlot } from '@shared/plot-image'
import { t } from '@shared/locale/translate'
import type { BenchmarkView } from '../workbook'
import { html, nothing, type Html } from '../../page/html'

const types: Readonly<Record<PlotFormat, string>> = { png: 'image/png', svg: 'image/svg+xml' }

/** The plots that the window shows, or, where there is no window, our own. */
export function plotsSection(document: BenchmarkDocument, { plots, baseline }: BenchmarkView): Html {
  const { times, speedups, scaling, ratios, phases } = figuresOf(document, baseline)
  const drawn = [...ratios, ...times, ...speedups, ...scaling, ...phases]
  const figures = plots.length > 0 ? sharpest(plots).map(plotFigure) : drawn.map(drawnFigure)
  if (figures.length === 0) return nothing
  return html`<section>
    <h2>${t('benchmark-tables.sheetPlots')}</h2>
    ${figures}
  </section>`
}

/** Inline, so that it follows the reader's light or dark. */
function drawnFigure({ title, svg }: SvgFigure): Html {
  return html`<figure>
    <figcaption>${title}</figcaption>
    ${{ markup: svg }}
  </figure>`
}

/**
 * A plot of the window as an image inside the document. As an image, an SVG runs no script and loads nothing, whatever
 * is in it.
 */
function plotFigure({ title, format, bytes }: TitledPlot): Html {
  const source = `data:${types[format]};base64,${Buffer.from(bytes).toString('base64')}`
  return html`<figure>
    <figcaption>${title}</figcaption>
    <img src="${source}" alt="${title}" />
  </figure>`
}

/** Where a plot came as both, the SVG, which prints at any size. */
function sharpest(plots: readonly TitledPlot[]): readonly TitledPlot[] {
  const drawn = new Set(plots.filter(({ format }) => format === 'svg').map(({ name }) => name))
  return plots.filter(({ name, format }) => format === 'svg' || !drawn.has(name))
}
