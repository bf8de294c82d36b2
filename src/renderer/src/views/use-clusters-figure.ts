/** The scatter plot made known to exports, as it stands. */
import type { Ref } from 'vue'
import { t } from '@/i18n'
import type { Figure } from '@/plots/figure/figure'
import type { FigureWish } from '@/plots/figure/print-size'
import type { ScatterFigureState } from '@/plots/scatter/figure-state'
import { useFigure } from '@/stores/figures'
import { emptyScatter } from './empty-plot'
import { adjustsScatter, wishedScatter } from './wished-scatter'

export function useClustersFigure(
  plot: Ref<{ figure(): ScatterFigureState | null } | null>,
  title: Ref<string>,
): void {
  const figure = (wish?: FigureWish): Promise<Figure> => {
    const state = plot.value?.figure()
    if (!state) throw emptyScatter()
    return wishedScatter(state, title.value, wish)
  }
  useFigure(
    {
      name: 'clusters',
      title: t('plots.clusters'),
      adjusts: adjustsScatter,
      hasTrails: () => (plot.value?.figure()?.trails ?? null) !== null,
      figure,
    },
    () => plot.value !== null,
  )
}
