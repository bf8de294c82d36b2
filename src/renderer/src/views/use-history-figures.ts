/** The history plots made known to exports, as they stand or as they would. */
import { computed, onScopeDispose, watch } from 'vue'
import { t } from '@/i18n'
import { lineFigure } from '@/plots/figure/line-figure'
import type { FigureWish } from '@/plots/figure/print-size'
import { historyLines, type HistoryQuantity } from '@/plots/history-chart'
import { readTheme } from '@/plots/theme'
import { useFiguresStore } from '@/stores/figures'
import type { History } from './use-history'

/** CSS pixels of a history plot in a file: wide enough to be read on its own. */
const size = { width: 640, height: 320 } as const

export function useHistoryFigures({ rows, leadingRun, titles, shown, marker }: History): void {
  const figures = useFiguresStore()
  let forget: (() => void)[] = []

  function figureOf(quantity: HistoryQuantity, wish?: FigureWish) {
    const theme = readTheme(wish?.element ?? document.body)
    const { what, unit } = titles.value[quantity]
    const lines = historyLines(rows.value, quantity)
    // The leading run is drawn last, above the others.
    const rank = (run: number): number => Number(run === leadingRun.value)
    const ordered = [...lines].sort((a, b) => rank(a.run) - rank(b.run))
    return lineFigure({
      title: t('plots.perIteration', [what]),
      xLabel: t('benchmark.iteration'),
      yLabel: `${what.toLowerCase()}, ${unit}`,
      series: ordered.map(({ run, points }) => ({
        name: t('plots.restart', [run + 1]),
        colour: run === leadingRun.value ? theme.accent : theme.neutralPoint,
        width: run === leadingRun.value ? 1.5 : 1,
        xs: points.map(({ x }) => x),
        ys: points.map(({ y }) => y),
      })),
      ...(marker.value === null ? {} : { marker: marker.value }),
      width: wish?.width ?? size.width,
      height: wish?.height ?? size.height,
      theme,
    })
  }

  function release(): void {
    for (const each of forget) each()
    forget = []
  }

  function register(names: readonly HistoryQuantity[]): void {
    release()
    forget = names.map((name) =>
      figures.register({
        name,
        title: titles.value[name].what,
        adjusts: { colours: true, width: true, height: true },
        figure: (wish) => Promise.resolve(figureOf(name, wish)),
      }),
    )
  }

  const names = computed(() => (rows.value.length > 0 ? shown.value : []))
  watch([names, titles], () => register(names.value), { immediate: true })
  onScopeDispose(release)
}
