/** The scatter plot made known to exports, as it stands. */
import type { Ref } from 'vue'
import type { Figure } from '@/plots/figure/figure'
import { scatterFigure } from '@/plots/figure/scatter-figure'
import type { ScatterFigureState } from '@/plots/scatter/figure-state'
import { readTheme } from '@/plots/theme'
import { useFigure } from '@/stores/figures'
import { emptyScatter } from './empty-plot'

export function useClustersFigure(
  plot: Ref<{ figure(): ScatterFigureState | null } | null>,
  title: Ref<string>,
): void {
  const figure = (): Promise<Figure> => {
    const state = plot.value?.figure()
    if (!state) throw emptyScatter()
    return scatterFigure(state, readTheme(document.body), title.value)
  }
  useFigure({ name: 'clusters', title: 'Clusters', figure }, () => plot.value !== null)
}
