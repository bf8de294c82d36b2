/** The times by phase made known to exports as a plot, as long as a result is shown. */
import type { RunRecord } from '@shared/run-record'
import { onBeforeUnmount, watch, type Ref } from 'vue'
import { t } from '@/i18n'
import { barFigure } from '@/plots/figure/bar-figure'
import type { Figure } from '@/plots/figure/figure'
import type { FigureWish } from '@/plots/figure/print-size'
import { readTheme } from '@/plots/theme'
import { formatDuration, formatShare } from '@/text/numbers'
import { timedPhases } from '@/text/phases'
import { engineWords } from '@/text/words'
import { useFiguresStore } from '@/stores/figures'

/** CSS pixels of the plot in a file. */
const width = 640

function figureOf({ timings, variant, engine, file, k }: RunRecord, wish?: FigureWish): Figure {
  return barFigure({
    title: t('plots.timeByPhaseKOn', [file.name, k, variant, engineWords[engine]]),
    xLabel: t('plots.millisecondsOfInAll', [formatDuration(timings.totalMs)]),
    amounts: timedPhases(timings).map(({ word, ms, share }) => ({
      name: word,
      amount: ms,
      says: `${formatDuration(ms)}, ${formatShare(share)}`,
    })),
    width: wish?.width ?? width,
    theme: readTheme(wish?.element ?? document.body),
  })
}

export function usePhasesFigure(record: Readonly<Ref<RunRecord | null>>): void {
  const figures = useFiguresStore()
  let forget = (): void => undefined
  watch(
    record,
    (shown) => {
      forget()
      forget = shown
        ? figures.register({
            name: 'phases',
            title: t('plots.phases'),
            adjusts: { colours: true, width: true },
            figure: (wish) => Promise.resolve(figureOf(shown, wish)),
          })
        : () => undefined
    },
    { immediate: true },
  )
  onBeforeUnmount(() => forget())
}
