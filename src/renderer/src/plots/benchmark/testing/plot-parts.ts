/** What the tests of the plots share. */
import type { BenchmarkDocument } from '@shared/benchmark/document'
import { comparisonDocument } from '@shared/benchmark/testing/document'
import type { FigureLayer } from '../../figure/figure'
import type { BenchmarkTheme } from '../benchmark-theme'
import { groupOf, type Group } from '../groups'
import { type BenchmarkPlot } from '../plot'

export const theme: BenchmarkTheme = {
  ink: '#1d2125',
  quietInk: '#5a626b',
  grid: '#eeeeee',
  ground: '#ffffff',
  accent: '#1560b8',
  neutralPoint: '#8a929b',
  font: 'sans-serif',
  error: '#a8231b',
}
export const comparison = comparisonDocument()
export const group = (dataset: string, k: number): Group => {
  const found = groupOf(comparison, dataset, k)
  if (!found) throw new Error('no such group')
  return found
}
export function layersOf<K extends FigureLayer['kind']>(plot: BenchmarkPlot | null, kind: K) {
  const layers = plot?.body({ width: 720, height: plot.height(720) }, theme).layers ?? []
  return layers.filter((layer): layer is Extract<FigureLayer, { kind: K }> => layer.kind === kind)
}
/** The first repeats of every cell only. */
export function repeated(document: BenchmarkDocument, repeats: number): BenchmarkDocument {
  const rows = document.rows.map((row) => ({ ...row, totalsMs: row.totalsMs.slice(0, repeats) }))
  return { ...document, rows }
}
export const wordsOf = (plot: BenchmarkPlot | null): string[] =>
  layersOf(plot, 'texts').flatMap(({ texts }) => texts.map(({ text }) => text))

/** Of two colours, after WCAG 2. */
