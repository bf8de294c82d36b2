/** A plot of a view as something that can be saved and copied. */
import { readBenchmarkTheme } from '@/plots/benchmark/benchmark-theme'
import { fileFigure, fileWidth, type BenchmarkPlot } from '@/plots/benchmark/plot'
import type { FigureEntry } from '@/plots/figure/figure-entry'
import type { FigureWish } from '@/plots/figure/print-size'
import { figureEntry } from './figures'

/** @param fileTitle in a file, such as with the name of the data; absent: that of the plot */
export function plotEntry(plot: BenchmarkPlot, fileTitle?: string): FigureEntry {
  const shown = fileTitle === undefined ? plot : { ...plot, title: fileTitle }
  const figure = (wish?: FigureWish) =>
    Promise.resolve(
      fileFigure(shown, wish?.width ?? fileWidth, readBenchmarkTheme(wish?.element ?? document.body)),
    )
  return figureEntry({
    name: plot.name,
    title: plot.title,
    adjusts: { colours: true, width: true },
    figure,
  })
}
