/** The first iterations of the result on screen, on the axes of the Clusters view. */
import type { IterationRow, RunRecord } from '@shared/run-record'
import { computed, onScopeDispose, ref, shallowRef, watch, type ComputedRef } from 'vue'
import { t } from '@/i18n'
import { iterationLabels, trail } from '@/api'
import type { PlotColumn } from '@/plots/plot-column'
import type { CentroidMark } from '@/plots/scatter-chart'
import { maxPanels, plainColumn, type PanelColumn, type StepPanel } from '@/plots/steps/panel'
import { trailAxis } from '@/plots/trail-axis'
import { wholeView } from '@/plots/viewport'
import { useAppStore } from '@/stores/app'
import { useLooksStore } from '@/stores/looks'
import { usePointsStore } from '@/stores/points'
import { useRunStore } from '@/stores/run'
import { useSettingsStore } from '@/stores/settings'
import { useTimelineStore } from '@/stores/timeline'
import { columnFormat, formatPlain, plural } from '@/text/numbers'
import { spanWords, type ShownSteps } from './shown-steps'

/** Centroids of iterations 1 to n on the axes, (n, k, 2), and of which result. */
interface RunCoordinates {
  readonly runId: string
  readonly values: Float64Array
}

/** `inertia 78.86` and `14 points changed`; neither where no history was kept. */
export function stepFacts(
  row: IterationRow | undefined,
  inertiaText: (inertia: number) => string = formatPlain,
): readonly string[] {
  const inertia = row?.inertia ?? null
  const changed = row?.changed ?? null
  return [
    inertia === null ? '' : t('steps.inertia', [inertiaText(inertia)]),
    changed === null ? '' : t('steps.changed', [plural(changed, 'point')]),
  ].filter(Boolean)
}

/** The centroids of one iteration; those without a place (dropped, or no feature on an axis) are left out. */
export function marksAt(values: Float64Array, iteration: number, k: number): readonly CentroidMark[] {
  const from = 2 * k * (iteration - 1)
  return Array.from({ length: k }, (_, cluster) => ({
    cluster,
    x: values[from + 2 * cluster] ?? NaN,
    y: values[from + 2 * cluster + 1] ?? NaN,
  })).filter(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))
}

/** Columns are told apart by their arrays: components of other fits may bear the same name. */
const columnKeys = new WeakMap<Float32Array, string>()
let columnsSeen = 0

function pointColumn({ values, offset, unit }: PlotColumn): PanelColumn<Float32Array> {
  const key = columnKeys.get(values) ?? t('steps.points', [++columnsSeen])
  columnKeys.set(values, key)
  return { key, load: () => Promise.resolve({ values, offset, unit }) }
}

function labelColumn(runId: string, iteration: number, rows: number): PanelColumn<Int32Array> {
  return {
    key: `${runId} ${iteration}`,
    async load(wanted) {
      const labels = await iterationLabels(runId, iteration, rows, wanted)
      return labels && plainColumn(labels)
    },
  }
}

export interface RunSteps {
  readonly shown: ComputedRef<ShownSteps | null>
  /** When the centroids are where they belong, or cannot be had. */
  located(): Promise<void>
}

export function useRunSteps(): RunSteps {
  const app = useAppStore()
  const looks = useLooksStore()
  const points = usePointsStore()
  const run = useRunStore()
  const settings = useSettingsStore()
  const timeline = useTimelineStore()
  const coordinates = shallowRef<RunCoordinates | null>(null)
  const generation = ref(0)
  let locating: Promise<void> = Promise.resolve()

  const record = computed(() => run.result?.record ?? null)
  const available = computed(() => (record.value ? timeline.kept : 0))
  const count = computed(() => Math.min(settings.values.stepCount, available.value, maxPanels))

  async function locate(): Promise<void> {
    const mine = ++generation.value
    coordinates.value = null
    const [of, { x, y }] = [record.value, points]
    const axes = of && x && y ? [trailAxis(x, of), trailAxis(y, of)].filter((axis) => axis !== null) : []
    if (!of || axes.length < 2 || count.value === 0) return
    const wanted = (): boolean => mine === generation.value
    const values = await trail(of.id, axes, 1, count.value, 2 * of.k, wanted)
    if (values && wanted()) coordinates.value = { runId: of.id, values }
  }

  watch(
    () => [record.value, points.x, points.y, count.value] as const,
    () => (locating = locate().catch(app.fail)),
    { immediate: true },
  )
  onScopeDispose(() => generation.value++)

  const rowOf = ({ history, bestRun }: RunRecord, iteration: number): IterationRow | undefined =>
    history.find((each) => each.run === bestRun && each.iteration === iteration)
  /** The same for all panels. */
  const inertiaText = computed(() => {
    const of = record.value
    if (!of) return formatPlain
    return columnFormat(Array.from({ length: count.value }, (_, at) => rowOf(of, at + 1)?.inertia ?? null))
  })

  function panelOf(of: RunRecord, iteration: number, x: PlotColumn, y: PlotColumn): StepPanel {
    const { id, k } = of
    const known = coordinates.value?.runId === id ? coordinates.value.values : null
    return {
      iteration,
      title: t('steps.iteration', [iteration]),
      facts: stepFacts(rowOf(of, iteration), inertiaText.value),
      points: x.values.length,
      marks: known ? marksAt(known, iteration, k) : [],
      x: pointColumn(x),
      y: pointColumn(y),
      labels: labelColumn(id, iteration, x.values.length),
    }
  }

  const shown = computed(() => {
    const [of, { x, y }] = [record.value, points]
    if (!of || !x || !y || count.value === 0) return null
    return {
      panels: Array.from({ length: count.value }, (_, at) => panelOf(of, at + 1, x, y)),
      available: available.value,
      view: wholeView(x, y),
      palette: looks.paletteFor(of),
      xName: x.name,
      yName: y.name,
      what: spanWords(count.value, available.value),
    }
  })
  return { shown, located: () => locating }
}
