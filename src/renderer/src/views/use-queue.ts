/** Carries out what waits, one after the other, as soon as nothing else is at work. */
import type { RunConfig } from '@shared/run-config'
import { computed, watch } from 'vue'
import { t } from '@/i18n'
import { useAppStore } from '@/stores/app'
import { useBenchmarkStore } from '@/stores/benchmark'
import { useDatasetStore } from '@/stores/dataset'
import { useQueueStore, type Waiting } from '@/stores/queue'
import { useRunStore } from '@/stores/run'
import { useSessionStore } from '@/stores/session'
import { wishWords, type Hold } from '@/text/queue'

export function useQueue() {
  const app = useAppStore()
  const benchmark = useBenchmarkStore()
  const dataset = useDatasetStore()
  const queue = useQueueStore()
  const run = useRunStore()
  const session = useSessionStore()

  /** A run that failed may be resumed: what waits would take that away. */
  const failed = computed(() => run.error !== null && !run.busy && !benchmark.busy)
  /** Another file takes the result of the run off the screen for good: not before a person has seen it. */
  const unseen = computed(
    () => run.state === 'done' && !benchmark.busy && queue.waiting[0]?.kind === 'open' && !failed.value,
  )
  const held = computed<Hold | null>(() => {
    if (unseen.value) return 'result'
    if (!failed.value) return null
    return run.broken ? 'broken' : 'failed'
  })
  const until = computed(() => (benchmark.busy ? t('window.theComparison') : t('window.theRun')))
  const free = computed(
    () =>
      queue.waiting.length > 0 &&
      app.isReady &&
      !run.busy &&
      !benchmark.busy &&
      held.value === null &&
      dataset.opening === null &&
      dataset.review === null,
  )
  watch(free, (isFree) => {
    if (isFree) void carryOut()
  })

  async function carryOut(): Promise<void> {
    while (free.value) {
      const item = queue.next()
      if (item) await begin(item)
    }
  }

  async function begin(item: Waiting): Promise<void> {
    if (item.kind === 'open') return await openItem(item)
    if (item.kind === 'show') return session.show(item.datasetId)
    if (item.kind === 'comparison') return benchmark.start(item.suite)
    if (item.datasetId === dataset.summary?.id) return run.start(item.datasetId, item.config)
    app.message = t('window.notRunBecauseTheFileIs', [wishWords(item)])
  }

  async function openItem({ token, name, isSession }: Waiting & { kind: 'open' }): Promise<void> {
    await dataset.take({ token, name, kind: isSession ? 'session' : 'file' })
  }

  /** Waits for its turn, unless it is what runs already. */
  function addRun(config: RunConfig): void {
    const { summary } = dataset
    const runsAlready = run.busy && JSON.stringify(run.asked) === JSON.stringify(config)
    if (!summary || runsAlready) return
    queue.add({ kind: 'run', datasetId: summary.id, fileName: summary.file.name, config })
  }

  function goOn(): void {
    if (held.value !== 'result') return run.dismiss()
    const item = queue.next()
    if (item) void begin(item)
  }

  return { held, until, addRun, goOn }
}
