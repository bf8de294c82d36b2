/** The numbers behind the scatter plot, computed only while they are shown. */
import { shallowRef, watch, type Ref } from 'vue'
import { t } from '@/i18n'
import type { PlotTable } from '@/plots/plot-table'
import { scatterTable } from '@/plots/scatter/scatter-table'
import { useAppStore } from '@/stores/app'
import { useColouringStore } from '@/stores/colouring'
import { useLooksStore } from '@/stores/looks'
import { usePointsStore } from '@/stores/points'

export function useScatterTable(shown: Ref<boolean>, labels: Ref<Int32Array | null>) {
  const app = useAppStore()
  const colouring = useColouringStore()
  const looks = useLooksStore()
  const points = usePointsStore()
  const table = shallowRef<PlotTable | null>(null)
  let newest = 0

  async function compute(): Promise<void> {
    const mine = ++newest
    const { x, y } = points
    table.value = null
    if (!shown.value || !x || !y) return
    const palette = colouring.palette ?? looks.palette
    const names = Array.from({ length: palette.k }, (_, cluster) => palette.name(cluster))
    const of = t(colouring.classes ? 'plotTable.class' : 'plotTable.cluster')
    const made = await scatterTable([x, y], labels.value, names, of, () => mine === newest)
    if (made && mine === newest) table.value = made
  }

  watch(
    () => [shown.value, points.x, points.y, labels.value, colouring.palette, looks.palette],
    () => void compute().catch(app.fail),
    { immediate: true },
  )
  return table
}
