/** What the scatter plot shows, in words. */
import { computed, ref, type Ref } from 'vue'
import { t } from '@/i18n'
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

  const axes = computed(() => t('plots.against', [points.y?.name ?? '', points.x?.name ?? '']))
  const title = computed(() => {
    const what = axes.value
    if (density.value) return t('plots.densityOfPoints', [what])
    if (colouring.classes) return t('plots.colouredBy', [what, colouring.classes.name])
    if (run.live) return t('plots.centroidsAsTheyMove', [what])
    if (!run.result) return what
    if (timeline.available && timeline.position < timeline.last)
      return timeline.position === 0
        ? t('plots.initialCentroids', [what])
        : t('plots.clustersOfIteration', [what, timeline.position])
    return t('plots.colouredByCluster', [what])
  })
  return { title, axes }
}
