/** Speed-ups and crossovers of what is shown, computed beside the window, the newest answer kept. */
import type { BenchmarkDocument } from '@shared/benchmark/document'
import type { Speedup } from '@shared/benchmark/speedups'
import { toErrorReport } from '@shared/errors'
import { ref, shallowRef, watch, type Ref } from 'vue'
import type { Sweep } from '@/plots/benchmark/statistics'
import { speedupsFor, sweepsFor } from '@/plots/benchmark/statistics-worker'

interface Asked {
  readonly document: BenchmarkDocument
  readonly baseline: string
}

export interface Found<T> {
  readonly document: BenchmarkDocument
  readonly statistics: readonly T[]
}

export interface ShownStatistics<T> {
  /** With the document they belong to; null until the first are there. */
  readonly found: Readonly<Ref<Found<T> | null>>
  /** One sentence: why there are none; empty otherwise. */
  readonly failure: Readonly<Ref<string>>
}

export function useSpeedups(of: () => Asked): ShownStatistics<Speedup> {
  return useStatistics(of, ({ document, baseline }) => speedupsFor(document, baseline))
}

export function useSweeps(of: () => Asked): ShownStatistics<Sweep> {
  return useStatistics(of, ({ document }) => sweepsFor(document))
}

/**
 * A growing document keeps its last statistics until the next are there; another one starts empty. One is computed at a
 * time: of the documents that came meanwhile, the newest comes next.
 */
function useStatistics<T>(
  of: () => Asked,
  compute: (asked: Asked) => Promise<readonly T[]>,
): ShownStatistics<T> {
  const found = shallowRef<Found<T> | null>(null)
  const failure = ref('')
  let next: Asked | null = null
  let isComputing = false

  const isNewest = (asked: Asked): boolean =>
    next === null || (next.document.id === asked.document.id && next.baseline === asked.baseline)

  async function computeNext(): Promise<void> {
    const asked = next
    next = null
    if (asked === null) return
    try {
      const statistics = await compute(asked)
      if (!isNewest(asked)) return
      failure.value = ''
      found.value = { document: asked.document, statistics }
    } catch (thrown) {
      if (isNewest(asked)) failure.value = toErrorReport(thrown).message
    }
  }

  async function computeAll(): Promise<void> {
    if (isComputing) return
    isComputing = true
    while (next !== null) await computeNext()
    isComputing = false
  }

  watch(
    () => [of().document, of().baseline] as const,
    ([document, baseline], before) => {
      if (before?.[0]?.id !== document.id || before[1] !== baseline) found.value = null
      next = { document, baseline }
      void computeAll()
    },
    { immediate: true },
  )
  return { found, failure }
}
