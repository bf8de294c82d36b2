/** Speed-ups and crossovers of what is shown, computed beside the window, the newest answer kept. */
import { toErrorReport } from '@shared/errors'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import { ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue'
import type { BenchmarkStatistics } from '@/plots/benchmark/statistics'
import { statisticsFor } from '@/plots/benchmark/statistics-worker'

export interface ShownStatistics {
  /** With the document they belong to; null until the first are there. */
  readonly found: Readonly<
    ShallowRef<{ document: BenchmarkDocument; statistics: BenchmarkStatistics } | null>
  >
  /** One sentence: why there are none; empty otherwise. */
  readonly failure: Readonly<Ref<string>>
}

/** A growing document keeps its last statistics until the next are there; another one starts empty. */
export function useStatistics(of: () => { document: BenchmarkDocument; baseline: string }): ShownStatistics {
  const found: ShownStatistics['found'] = shallowRef(null)
  const held = found as ShallowRef<ShownStatistics['found']['value']>
  const failure = ref('')
  let newest = 0
  watch(
    () => [of().document, of().baseline] as const,
    async ([document, baseline], before) => {
      const mine = ++newest
      if (before?.[0]?.id !== document.id || before[1] !== baseline) held.value = null
      try {
        const statistics = await statisticsFor(document, baseline)
        if (mine !== newest) return
        failure.value = ''
        held.value = { document, statistics }
      } catch (thrown) {
        if (mine === newest) failure.value = toErrorReport(thrown).message
      }
    },
    { immediate: true },
  )
  return { found, failure }
}
