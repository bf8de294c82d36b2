/** The rows of the history plots and what is said about them: of the run under way, or of the result. */
import { computed } from 'vue'
import { historyQuantities } from '@/plots/history-chart'
import { useConfigStore } from '@/stores/config'
import { useRunStore } from '@/stores/run'
import { useTimelineStore } from '@/stores/timeline'
import { historyTitles } from '@/text/words'

export function useHistory() {
  const config = useConfigStore()
  const run = useRunStore()
  const timeline = useTimelineStore()

  const rows = computed(() => run.live?.rows ?? run.result?.record.history ?? [])
  const leadingRun = computed(() => run.live?.restart ?? run.result?.record.bestRun ?? 0)
  const scaling = computed(() => run.live?.config ?? run.result?.asked ?? config.config)
  const titles = computed(() => historyTitles(scaling.value))
  const counted = computed(() => rows.value.some(({ changed }) => changed !== null))
  const shown = computed(() => historyQuantities.filter((name) => name !== 'changed' || counted.value))
  const linked = computed(() => timeline.available && !run.live)
  const marker = computed(() => (linked.value && timeline.position > 0 ? timeline.position : null))

  return { rows, leadingRun, titles, shown, linked, marker }
}

export type History = ReturnType<typeof useHistory>
