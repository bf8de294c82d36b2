/** Saving and copying of the comparison that is shown; its outcome is told in the status bar. */
import type { BenchmarkExport } from '@shared/benchmark/requests'
import type { TitledPlot } from '@shared/plot-image'
import { ref } from 'vue'
import { t, windowLanguage } from '@/i18n'
import { ask } from '@/api'
import { formatBytes } from '@/text/numbers'
import { useAppStore } from '@/stores/app'
import { useBenchmarkStore } from '@/stores/benchmark'
import { useSettingsStore } from '@/stores/settings'

/** Those that hold pictures of the plots. */
const withPlots: ReadonlySet<BenchmarkExport> = new Set(['xlsx', 'html'])

/** @param plots draws every plot there is of the comparison. */
export function useBenchmarkExports(plots: (what: BenchmarkExport) => Promise<readonly TitledPlot[]>) {
  const app = useAppStore()
  const benchmark = useBenchmarkStore()
  const settings = useSettingsStore()
  const busy = ref(false)

  async function during(work: (benchId: string) => Promise<string>): Promise<void> {
    const benchId = benchmark.document?.id
    if (busy.value || benchId === undefined) return
    busy.value = true
    try {
      app.message = await work(benchId)
    } catch (thrown) {
      app.fail(thrown)
    } finally {
      busy.value = false
    }
  }

  const save = (what: BenchmarkExport): Promise<void> =>
    during(async (benchId) => {
      if (withPlots.has(what)) app.message = t('benchmark.drawingThePlots')
      const images = withPlots.has(what) ? await plots(what) : []
      const { baseline } = benchmark
      const written = await ask('app.bench-export', {
        ...{ benchId, what, baseline, plots: images },
        neutralise: settings.values.neutraliseFormulas,
        dialect: settings.values.exportDialect,
      })
      return written
        ? t('benchmark.saved', [String(written.path.split(/[\\/]/u).at(-1)), formatBytes(written.bytes)])
        : ''
    })

  const copyMarkdown = (): Promise<void> =>
    during(async (benchId) => {
      const { text } = await ask('bench.markdown', {
        ...{ benchId, baseline: benchmark.baseline },
        language: windowLanguage(),
      })
      await ask('app.copy', { text })
      return t('benchmark.copiedTheTablesAsMarkdown')
    })

  return { busy, save, copyMarkdown }
}
