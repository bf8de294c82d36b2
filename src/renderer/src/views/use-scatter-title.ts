/** What the scatter plot shows, in words. */
import { computed, ref, type Ref } from 'vue'
import { useColouringStore } from '@/stores/colouring'
import { usePointsStore } from '@/stores/points'
import { useRunStore } from '@/stores/run'
import { useTimelineStore } from '@/stores/timeline'

/** @param density whether the plot shows how many points there are in each place */
export function useScatterTitle(density: Ref<boolean> = ref(false)) {
  const colouring = useColouringStore()
  const points = usePointsStore()
  const run = useRunStore()
  const timeline = useTimelineStore()

  return computed(() => {
    const what = `${points.y?.name ?? ''} against ${points.x?.name ?? ''}`
    if (density.value) return `${what}, density of points`
    if (colouring.classes) return `${what}, coloured by ${colouring.classes.name}`
    if (run.live) return `${what}, centroids as they move`
    if (!run.result) return what
    if (timeline.available && timeline.position < timeline.last)
      return timeline.position === 0
        ? `${what}, initial centroids`
        : `${what}, clusters of iteration ${timeline.position}`
    return `${what}, coloured by cluster`
  })
}
