/** The pairs of an opened folder, on two of its features. */
import type { StepPair, StepsFolder } from '@shared/steps'
import { computed, ref, watch } from 'vue'
import { t } from '@/i18n'
import { stepLabels, stepValues } from '@/api'
import { paletteOf } from '@/plots/palette'
import { maxPanels, plainColumn, type PanelColumn, type StepPanel } from '@/plots/steps/panel'
import { wholeView } from '@/plots/viewport'
import { useStepsStore } from '@/stores/steps'
import { plural } from '@/text/numbers'
import type { ShownSteps } from './shown-steps'

const unit = { min: 0, max: 1 }

function valuesColumn(folder: StepsFolder, step: number, feature: number): PanelColumn<Float32Array> {
  const points = folder.steps[step]?.points ?? 0
  return {
    key: `${folder.id} ${step} feature ${feature}`,
    load: (wanted) => stepValues({ stepsId: folder.id, step }, feature, points, wanted),
  }
}

function labelColumn(folder: StepsFolder, step: number): PanelColumn<Int32Array> {
  const points = folder.steps[step]?.points ?? 0
  return {
    key: `${folder.id} ${step} labels`,
    async load(wanted) {
      const labels = await stepLabels({ stepsId: folder.id, step }, points, wanted)
      return labels && plainColumn(labels)
    },
  }
}

function panelOf(folder: StepsFolder, step: number, pair: StepPair, x: number, y: number): StepPanel {
  const { iteration, points, clusters, centroids } = pair
  const marks = clusters.map((cluster, at) => ({
    cluster,
    x: centroids[at]?.[x] ?? NaN,
    y: centroids[at]?.[y] ?? NaN,
  }))
  return {
    iteration,
    title: t('steps.iteration', [iteration]),
    facts: [plural(points, 'point'), plural(clusters.length, 'cluster')],
    points,
    marks,
    x: valuesColumn(folder, step, x),
    y: valuesColumn(folder, step, y),
    labels: labelColumn(folder, step),
  }
}

/** One more than the largest cluster of any step. */
function clustersOf({ steps }: StepsFolder): number {
  let largest = 0
  for (const { clusters } of steps) for (const cluster of clusters) largest = Math.max(largest, cluster)
  return largest + 1
}

export function useFolderSteps() {
  const store = useStepsStore()
  const xFeature = ref(0)
  const yFeature = ref(1)

  // Another folder shows its first two features; the same one, read again, keeps those that were chosen.
  watch(
    () => store.folder?.features.join('\n'),
    () => {
      xFeature.value = 0
      yFeature.value = Math.min(1, (store.folder?.features.length ?? 1) - 1)
    },
  )

  const palette = computed(() => paletteOf(store.folder ? clustersOf(store.folder) : 1))
  const shown = computed<ShownSteps | null>(() => {
    const { folder } = store
    if (!folder) return null
    const [x, y] = [xFeature.value, yFeature.value]
    const pairs = folder.steps.slice(0, maxPanels)
    const all = folder.steps.length
    return {
      panels: pairs.map((pair, step) => panelOf(folder, step, pair, x, y)),
      available: all,
      view: wholeView(folder.ranges[x] ?? unit, folder.ranges[y] ?? unit),
      palette: palette.value,
      xName: folder.features[x] ?? '',
      yName: folder.features[y] ?? '',
      what:
        all > maxPanels
          ? t('steps.firstOf', [maxPanels, plural(all, 'iteration')])
          : plural(all, 'iteration'),
    }
  })
  const choices = computed(() =>
    (store.folder?.features ?? []).map((word, at) => ({ value: String(at), word })),
  )
  const axis = (feature: typeof xFeature) =>
    computed({ get: () => String(feature.value), set: (value: string) => (feature.value = Number(value)) })

  return { shown, choices, xAxis: axis(xFeature), yAxis: axis(yFeature) }
}
