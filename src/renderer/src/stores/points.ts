/** The two columns on the axes. Typed arrays are plain, never made reactive. */
import type { DatasetSummary } from '@shared/dataset'
import type { ProjectionSource } from '@shared/projection'
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import { t } from '@/i18n'
import { columnValues } from '@/api'
import { sharedFloats } from '@/shared-arrays'
import { formatShare } from '@/text/numbers'
import { usableColumns } from '@/text/validation'
import { axisKey, type AxisRef, type PlotColumn } from '@/plots/plot-column'
import { useProjectionStore } from './projection'

const cachedColumns = 4
const rowAxis: AxisRef = { kind: 'row' }
type Side = 'x' | 'y'

function rowNumbers(rows: number): PlotColumn {
  const values = sharedFloats(rows)
  for (let row = 0; row < rows; row++) values[row] = row
  return {
    axis: rowAxis,
    name: t('window.rowNumber'),
    values,
    offset: 1,
    unit: 1,
    min: 1,
    max: Math.max(1, rows),
  }
}

async function fileColumn(
  of: DatasetSummary,
  axis: AxisRef & { kind: 'column' },
  wanted: () => boolean,
): Promise<PlotColumn | null> {
  const info = of.columns.find((column) => column.index === axis.column)
  const held = await columnValues(of.id, axis.column, of.rows, wanted)
  if (held === null) return null
  const range = { min: info?.min ?? 0, max: info?.max ?? 1 }
  return { axis, name: info?.name ?? '', ...held, ...range, ...(info?.date && { dateUnit: info.date.unit }) }
}

export const usePointsStore = defineStore('points', () => {
  const projection = useProjectionStore()
  const x = shallowRef<PlotColumn | null>(null)
  const y = shallowRef<PlotColumn | null>(null)
  const axes = ref<Record<Side, AxisRef>>({ x: rowAxis, y: rowAxis })
  let dataset: DatasetSummary | null = null
  let source: ProjectionSource | null = null
  const cache = new Map<string, PlotColumn>()
  const shown = { x, y } as const

  async function componentColumn(
    of: DatasetSummary,
    axis: AxisRef & { kind: 'component' },
    wanted: () => boolean,
  ): Promise<PlotColumn | null> {
    const fitted = source
    if (!fitted) return null
    const { id, explained, ranges, map, exponent } = await projection.fit(fitted)
    const { component } = axis
    const values = await projection.scores(id, component, of.rows, wanted)
    if (!values) return null
    const share = formatShare(explained[component] ?? 0)
    const name = t('window.pcOfVariance', [component + 1, share, map ? '' : t('window.unitLengthRows')])
    const unit = 2 ** exponent
    const range = ranges[component] ?? { min: 0, max: 1 }
    return { axis, name, values, offset: 0, unit, ...range, projection: { id, source: fitted } }
  }

  async function fetchColumn(of: DatasetSummary, axis: AxisRef, wanted: () => boolean) {
    const known = cache.get(axisKey(axis))
    if (known) return known
    const column = await freshColumn(of, axis, wanted)
    if (column && wanted()) remember(column)
    return column
  }

  function freshColumn(of: DatasetSummary, axis: AxisRef, wanted: () => boolean): Promise<PlotColumn | null> {
    if (axis.kind === 'row') return Promise.resolve(rowNumbers(of.rows))
    return axis.kind === 'column' ? fileColumn(of, axis, wanted) : componentColumn(of, axis, wanted)
  }

  function remember(column: PlotColumn): void {
    cache.set(axisKey(column.axis), column)
    const oldest = cache.keys().next().value
    if (cache.size > cachedColumns && oldest !== undefined) cache.delete(oldest)
  }

  /** Puts a column on an axis; a newer wish for the same axis wins. */
  async function show(side: Side, axis: AxisRef): Promise<void> {
    const of = dataset
    if (!of) return
    axes.value = { ...axes.value, [side]: axis }
    const key = axisKey(axis)
    const sourceThen = source
    const wanted = (): boolean =>
      dataset === of &&
      axisKey(axes.value[side]) === key &&
      (axis.kind !== 'component' || source === sourceThen)
    try {
      const column = await fetchColumn(of, axis, wanted)
      if (column && wanted()) shown[side].value = column
    } catch (thrown) {
      if (!wanted()) return
      // The drop-down names what is drawn, not what could not be had.
      const drawn = shown[side].value?.axis
      if (drawn) axes.value = { ...axes.value, [side]: drawn }
      throw thrown
    }
  }

  /** What principal components are taken of; those on screen are fitted anew when it changed. */
  async function project(next: ProjectionSource): Promise<void> {
    if (JSON.stringify(source) === JSON.stringify(next)) return
    source = next
    for (const key of [...cache.keys()]) if (key.startsWith('component')) cache.delete(key)
    const moved = (['x', 'y'] as const).filter((side) => axes.value[side].kind === 'component')
    const count = (next.features?.length ?? dataset?.columns.length ?? 0) + textsOf(dataset, next.oneHot)
    for (const side of moved) {
      const axis = axes.value[side]
      const component = axis.kind === 'component' ? Math.min(axis.component, count - 1) : 0
      await show(side, count > 1 ? { kind: 'component', component } : firstAxes(dataset)[side])
    }
  }

  /** The engine process was replaced, and what it had fitted is gone with it. */
  async function refit(): Promise<void> {
    projection.forget()
    const again = source
    source = null
    if (again) await project(again)
  }

  /** Shows the first two features of a dataset; one alone is set against the row number. */
  async function adopt(next: DatasetSummary): Promise<void> {
    dataset = next
    source = null
    cache.clear()
    projection.forget()
    x.value = null
    y.value = null
    const first = firstAxes(next)
    await Promise.all([show('x', first.x), show('y', first.y)])
  }

  return { x, y, axes, show, project, refit, adopt }
})

function firstAxes(dataset: DatasetSummary | null): Record<Side, AxisRef> {
  const usable = usableColumns(dataset?.columns ?? [])
  const proposed = usable.filter((column) => column.proposed)
  const order = proposed.length > 0 ? proposed : usable
  const axis = (position: number): AxisRef => {
    const column = order[position]
    return column ? { kind: 'column', column: column.index } : rowAxis
  }
  return { x: axis(0), y: axis(1) }
}

/** Different texts of columns, which are as many features. */
function textsOf(dataset: DatasetSummary | null, names: readonly string[] = []): number {
  const columns = dataset?.columns.filter(({ name }) => names.includes(name)) ?? []
  return columns.reduce((sum, { categories = 0 }) => sum + categories, 0)
}
