/** A result that comes in the place of another has the colours and names of the clusters that its own overlap most. */
import { onScopeDispose, watch } from 'vue'
import { useLooksStore } from '@/stores/looks'
import { useRunStore, type Adopted } from '@/stores/run'
import { useTimelineStore } from '@/stores/timeline'

export function keepLooks(): void {
  const looks = useLooksStore()
  const run = useRunStore()
  const timeline = useTimelineStore()
  /** Until its labels are there. */
  let awaited: (Adopted & { readonly was: Int32Array }) | null = null

  const stop = run.onAdopted(({ before, after }) => {
    const was = timeline.resultLabels()
    awaited = was && { before, after, was }
    // The same result: its labels need not come first, and no colour changes meanwhile.
    if (was && after.resultSha256 !== undefined && after.resultSha256 === before.resultSha256) carryOver(was)
  })
  onScopeDispose(stop)

  // At once, so that nothing is drawn in other colours in between.
  watch(
    () => timeline.labels,
    (is) => {
      const isOfResult = timeline.atResult && run.result?.record.id === awaited?.after.id
      if (is && isOfResult) carryOver(is)
    },
    { flush: 'sync' },
  )

  function carryOver(is: Int32Array): void {
    if (awaited) looks.carryOver(awaited.before, awaited.after, awaited.was, is)
    awaited = null
  }
}
