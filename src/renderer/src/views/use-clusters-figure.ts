/** The scatter plot made known to exports, as it stands. */
import type { Ref } from 'vue'
import { LabError } from '@shared/errors'
import { scatterFigure } from '@/plots/figure/scatter-figure'
import type { ScatterFigureState } from '@/plots/scatter/figure-state'
import { readTheme } from '@/plots/theme'
import { useFigure } from '@/stores/figures'

export function useClustersFigure(
  plot: Ref<{ figure(): ScatterFigureState | null } | null>,
  title: Ref<string>,
): void {
  useFigure({
    name: 'clusters',
    title: 'Clusters',
    figure() {
      const state = plot.value?.figure()
      if (!state)
        throw new LabError('input', 'plot.empty', 'The scatter plot shows nothing yet: open a file first.')
      return Promise.resolve(scatterFigure(state, readTheme(document.body), title.value))
    },
  })
}
