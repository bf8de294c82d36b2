/** The scatter plot as a file wants it: at a size of its own, in colours of its own. */
import type { Figure } from '@/plots/figure/figure'
import { filePainter } from '@/plots/figure/paint-worker'
import type { FigureAdjustments, FigureWish } from '@/plots/figure/print-size'
import { roomForWords, scatterFigure } from '@/plots/figure/scatter-figure'
import type { ScatterFigureState } from '@/plots/scatter/figure-state'
import { readTheme } from '@/plots/theme'

export const adjustsScatter: FigureAdjustments = {
  colours: true,
  width: true,
  height: true,
  title: true,
  legend: true,
  trails: true,
}

export function wishedScatter(state: ScatterFigureState, title: string, wish?: FigureWish): Promise<Figure> {
  if (!wish) return scatterFigure(state, readTheme(document.body), title)
  const size = { width: wish.width, height: wish.height - roomForWords }
  return scatterFigure(
    { ...state, ...size },
    readTheme(wish.element),
    wish.title ? title : '',
    filePainter(),
    wish,
  )
}
