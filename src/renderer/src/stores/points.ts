/** The two columns on the axes and the labels that colour them. Typed arrays are plain, never made reactive. */
import type { DatasetSummary } from '@shared/dataset'
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import { columnValues, rowLabels } from '@/api'
import { usableColumns } from '@/text/validation'
import type { PlotColumn } from '@/plots/plot-column'

/** An axis of row numbers, for data with a single numeric column. */
export const rowNumberAxis = -1
const cachedColumns = 4

function rowNumbers(rows: number): PlotColumn {
  const values = Float32Array.from({ length: rows }, (_, row) => row)
  return { index: rowNumberAxis, name: 'row', values, offset: 1, unit: 1, min: 1, max: Math.max(1, rows) }
}

export const usePointsStore = defineStore('points', () => {
  const x = shallowRef<PlotColumn | null>(null)
  const y = shallowRef<PlotColumn | null>(null)
  const xAxis = ref(rowNumberAxis)
  const yAxis = ref(rowNumberAxis)
  const labels = shallowRef<Int32Array | null>(null)
  let dataset: DatasetSummary | null = null
  let labelsOf = ''
  const cache = new Map<number, PlotColumn>()

  async function fetchColumn(of: DatasetSummary, index: number): Promise<PlotColumn> {
    if (index === rowNumberAxis) return rowNumbers(of.rows)
    const known = cache.get(index)
    if (known) return known
    const info = of.columns.find((column) => column.index === index)
    const { values, offset, unit } = await columnValues(of.id, index, of.rows)
    const column = {
      index,
      name: info?.name ?? '',
      values,
      offset,
      unit,
      min: info?.min ?? 0,
      max: info?.max ?? 1,
    }
    if (dataset === of) remember(column)
    return column
  }

  function remember(column: PlotColumn): void {
    cache.set(column.index, column)
    const oldest = cache.keys().next().value
    if (cache.size > cachedColumns && oldest !== undefined) cache.delete(oldest)
  }

  async function show(axis: 'x' | 'y', index: number): Promise<void> {
    const of = dataset
    if (!of) return
    const chosen = axis === 'x' ? xAxis : yAxis
    chosen.value = index
    const column = await fetchColumn(of, index)
    if (dataset !== of || chosen.value !== index) return
    if (axis === 'x') x.value = column
    else y.value = column
  }

  /** Shows the first two features of a dataset; one alone is set against the row number. */
  async function adopt(next: DatasetSummary): Promise<void> {
    dataset = next
    cache.clear()
    x.value = null
    y.value = null
    clearLabels()
    const usable = usableColumns(next.columns)
    const proposed = usable.filter((column) => column.proposed)
    const order = proposed.length > 0 ? proposed : usable
    await show('x', order[0]?.index ?? rowNumberAxis)
    await show('y', order[1]?.index ?? rowNumberAxis)
  }

  async function colour(runId: string): Promise<void> {
    if (!dataset) return
    labelsOf = runId
    const fetched = await rowLabels(runId, dataset.rows)
    if (labelsOf === runId) labels.value = fetched
  }

  function clearLabels(): void {
    labelsOf = ''
    labels.value = null
  }

  return { x, y, xAxis, yAxis, labels, show, adopt, colour, clearLabels }
})
