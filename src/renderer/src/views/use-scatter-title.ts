/** What the scatter plot shows, in words. */
import { computed } from 'vue'
import { usePointsStore } from '@/stores/points'
import { useRunStore } from '@/stores/run'
import { useTimelineStore } from '@/stores/timeline'

export function useScatterTitle() {
  const points = usePointsStore()
  const run = useRunStore()
  const timeline = useTimelineStore()

  return computed(() => {
    const what = `${points.y?.name ?? ''} against ${points.x?.name ?? ''}`
    if (run.live) return `${what}, centroids as they move`
    if (!run.result) return what
    if (timeline.available && timeline.position < timeline.last)
      return timeline.position === 0
        ? `${what}, initial centroids`
        : `${what}, clusters of iteration ${timeline.position}`
    return `${what}, coloured by cluster`
  })
}
