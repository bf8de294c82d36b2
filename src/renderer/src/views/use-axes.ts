/** What the two axes can show, and what stands on them. */
import { maxComponents } from '@shared/projection'
import { unitWords } from '@shared/dates'
import { isNumeric } from '@shared/run-record'
import { computed } from 'vue'
import { t } from '@/i18n'
import { usableColumns } from '@/text/validation'
import { axisKey, axisOfKey, type AxisRef } from '@/plots/plot-column'
import { useAppStore } from '@/stores/app'
import { useConfigStore } from '@/stores/config'
import { useDatasetStore } from '@/stores/dataset'
import { usePointsStore } from '@/stores/points'
import { useProjectionStore } from '@/stores/projection'
import { useRunStore } from '@/stores/run'
import { formatShare } from '@/text/numbers'

export function useAxes() {
  const app = useAppStore()
  const config = useConfigStore()
  const dataset = useDatasetStore()
  const points = usePointsStore()
  const projection = useProjectionStore()
  const run = useRunStore()

  /** Of the result on screen, or of the settings while there is none. */
  const featureCount = computed(() => run.result?.record.d ?? config.featureCount)

  function componentWord(component: number): string {
    const share = projection.fitted?.explained[component]
    return `PC ${component + 1}${share === undefined ? '' : t('plots.ofVariance', [formatShare(share)])}`
  }

  const choices = computed(() => {
    const columns: { axis: AxisRef; word: string }[] = usableColumns(dataset.summary?.columns ?? []).map(
      ({ index, name, date }) => ({
        axis: { kind: 'column', column: index },
        word: date === undefined ? name : `${name} (${unitWords[date.unit]})`,
      }),
    )
    const count = featureCount.value > 1 ? Math.min(maxComponents, featureCount.value) : 0
    const components = Array.from({ length: count }, (_, component) => ({
      axis: { kind: 'component', component } as const,
      word: componentWord(component),
    }))
    return [...columns, ...components, { axis: { kind: 'row' } as const, word: t('plots.rowNumber') }].map(
      ({ axis, word }) => ({ value: axisKey(axis), word }),
    )
  })

  function axis(side: 'x' | 'y') {
    return computed({
      get: () => axisKey(points.axes[side]),
      set: (key: string) => void points.show(side, axisOfKey(key)).catch(app.fail),
    })
  }

  /** Whether both axes are the first two principal components. */
  const onComponents = computed(
    () => points.axes.x.kind === 'component' && points.axes.y.kind === 'component',
  )

  async function showComponents(): Promise<void> {
    try {
      await points.show('x', { kind: 'component', component: 0 })
      await points.show('y', { kind: 'component', component: 1 })
    } catch (thrown) {
      app.fail(thrown)
    }
  }

  async function showFeatures(): Promise<void> {
    const features = run.result?.record.features.filter(isNumeric).map(({ index }) => index) ?? []
    const proposed = usableColumns(dataset.summary?.columns ?? []).map(({ index }) => index)
    const [x, y] = features.length > 1 ? features : proposed
    if (x === undefined || y === undefined) return
    try {
      await points.show('x', { kind: 'column', column: x })
      await points.show('y', { kind: 'column', column: y })
    } catch (thrown) {
      app.fail(thrown)
    }
  }

  return {
    choices,
    xAxis: axis('x'),
    yAxis: axis('y'),
    featureCount,
    onComponents,
    showComponents,
    showFeatures,
  }
}
