/** Starting what is set up, by the button or the menu, and why that cannot be at the moment. */
import { computed } from 'vue'
import { t } from '@/i18n'
import { useAppStore } from '@/stores/app'
import { useBenchmarkStore } from '@/stores/benchmark'
import { useBenchmarkSetupStore } from '@/stores/benchmark-setup'
import { useQueueStore } from '@/stores/queue'
import { useRunStore } from '@/stores/run'

export function useBenchmarkStart() {
  const app = useAppStore()
  const benchmark = useBenchmarkStore()
  const queue = useQueueStore()
  const run = useRunStore()
  const setup = useBenchmarkSetupStore()

  const firstError = computed(
    () => Object.values(setup.errors.fields)[0] ?? [...setup.errors.cases.values()][0] ?? '',
  )
  const allSkipped = computed(
    () => !setup.stale && (setup.plan?.cells.every(({ skipped }) => skipped !== null) ?? false),
  )
  /** One sentence; empty when it can start, or wait for its turn. */
  const refusal = computed(() => {
    if (app.hostState.state === 'failed') return t('benchmark.thereIsNoEngineToRun')
    if (!app.isReady) return t('benchmark.waitingForTheEnginesToStart')
    if (!setup.sound) return firstError.value
    return allSkipped.value ? t('benchmark.everythingIsSkippedChooseOtherContenders') : ''
  })
  const canStart = computed(
    () => refusal.value === '' && benchmark.pending !== 'starting' && benchmark.page === 'setup',
  )
  /** Beside other work no time could be taken. */
  const waits = computed(() => run.busy || benchmark.runningId !== null)

  async function start(): Promise<void> {
    if (!canStart.value) return
    if (waits.value) queue.add({ kind: 'comparison', suite: setup.suite })
    else await benchmark.start(setup.suite)
  }
  return { refusal, canStart, waits, start }
}
