/** Plots of Choose k and Profiles that belong to a result, whether they are on screen or not. */
import { samePoints } from '@shared/run-config'
import type { RunRecord } from '@shared/run-record'
import { t } from '@/i18n'
import type { BenchmarkPlot } from '@/plots/benchmark/plot'
import type { FigureEntry } from '@/plots/figure/figure-entry'
import { heatmapPlot } from '@/plots/profile/heatmap-plot'
import { parallelPlot } from '@/plots/profile/parallel-plot'
import { silhouettePlot } from '@/plots/profile/silhouette-plot'
import { curvePlot } from '@/plots/scan/curve-plot'
import { scanCurves } from '@/plots/scan/curves'
import { useDatasetStore } from '@/stores/dataset'
import { plotEntry } from '@/stores/plot-entry'
import { useProfileChoicesStore } from '@/stores/profile-choices'
import { useProfileStore } from '@/stores/profile'
import { useScanStore } from '@/stores/scan'
import { silhouetteExtentWords } from '@/text/silhouette-words'
import { useProfile } from './profile/use-profile'

export function useViewPlots() {
  const choices = useProfileChoicesStore()
  const dataset = useDatasetStore()
  const scan = useScanStore()
  const store = useProfileStore()
  const { profile, palette, chosen } = useProfile()

  /** The curves of a scan of the same points, the k of the result marked. */
  function scanPlots({ config, k }: RunRecord): readonly BenchmarkPlot[] {
    const { shown } = scan
    if (!shown || shown.rows.length === 0 || !samePoints(shown.config.run, config)) return []
    return scanCurves(shown).map((curve) => {
      const plot = curvePlot(curve, k)
      return { ...plot, title: t('plots.overK', [curve.title]) }
    })
  }

  function profilePlots(): readonly BenchmarkPlot[] {
    const of = profile.value
    const found = store.silhouettes
    const silhouettes = found && {
      ...{ mean: found.mean, blocks: found.blocks, how: silhouetteExtentWords(found) },
    }
    const plots = [
      of && heatmapPlot(of, palette.value, choices.units),
      of && parallelPlot(of, chosen.value, palette.value),
      silhouettes && silhouettePlot(silhouettes, palette.value),
    ]
    return plots.filter((plot) => plot !== null)
  }

  /** What is not known yet is computed. */
  return async (record: RunRecord): Promise<readonly FigureEntry[]> => {
    await store.ready(record, dataset.summary?.rows ?? 0)
    const file = record.file.name
    return [...scanPlots(record), ...profilePlots()].map((plot) => plotEntry(plot, `${plot.title}: ${file}`))
  }
}
