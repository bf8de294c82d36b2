/** A scatter plot in numbers: of a million points nobody reads each, so clusters stand for them. */
import { t } from '@/i18n'
import { columnFormat, formatCount, formatShare } from '@/text/numbers'
import type { PlotColumn } from '../plot-column'
import type { PlotTable } from '../plot-table'

/** Rows between two looks at the window. */
const sliceRows = 1 << 19

interface Sums {
  readonly count: Float64Array
  /** Of the values as they are held: about the offset, in which no digits are lost. */
  readonly sum: readonly [Float64Array, Float64Array]
  readonly squares: readonly [Float64Array, Float64Array]
}

/** Rows with both values by label, -1 last; null when no longer wanted. Cost O(rows), in slices. */
async function sumsOf(
  axes: readonly [PlotColumn, PlotColumn],
  labels: Int32Array | null,
  k: number,
  wanted: () => boolean,
): Promise<Sums | null> {
  const floats = () => new Float64Array(k + 1)
  const sums: Sums = { count: floats(), sum: [floats(), floats()], squares: [floats(), floats()] }
  const [x, y] = [axes[0].values, axes[1].values]
  for (let start = 0; start < x.length; start += sliceRows) {
    const end = Math.min(x.length, start + sliceRows)
    for (let row = start; row < end; row++) {
      const [a, b] = [x[row] ?? NaN, y[row] ?? NaN]
      if (Number.isNaN(a) || Number.isNaN(b)) continue
      const label = labels?.[row] ?? -1
      const at = label >= 0 && label < k ? label : k
      sums.count[at] = (sums.count[at] ?? 0) + 1
      add(sums, 0, at, a)
      add(sums, 1, at, b)
    }
    await new Promise((resolve) => setTimeout(resolve, 0))
    if (!wanted()) return null
  }
  return sums
}

function add({ sum, squares }: Sums, axis: 0 | 1, at: number, value: number): void {
  sum[axis][at] = (sum[axis][at] ?? 0) + value
  squares[axis][at] = (squares[axis][at] ?? 0) + value * value
}

/** Size, middle and spread of each cluster on both axes; null when no longer wanted. */
export async function scatterTable(
  axes: readonly [PlotColumn, PlotColumn],
  labels: Int32Array | null,
  names: readonly string[],
  of: string,
  wanted: () => boolean,
): Promise<PlotTable | null> {
  const k = names.length
  const sums = await sumsOf(axes, labels, k, wanted)
  if (sums === null) return null
  const total = sums.count.reduce((all, one) => all + one, 0)
  const shown = [...names.keys(), k].filter((at) => (sums.count[at] ?? 0) > 0)
  const columns = axes.map((axis, i) => statisticsOf(axis, sums, i === 0 ? 0 : 1, shown))
  return {
    columns: [
      of,
      t('plotTable.rows'),
      t('plotTable.share'),
      ...axes.flatMap(({ name }) => [t('plotTable.meanOf', [name]), t('plotTable.sdOf', [name])]),
    ],
    rows: shown.map((at, i) => [
      names[at] ?? t('plotTable.none'),
      formatCount(sums.count[at] ?? 0),
      formatShare((sums.count[at] ?? 0) / Math.max(1, total)),
      ...columns.flatMap(({ mean, sd }) => [mean[i] ?? '–', sd[i] ?? '–']),
    ]),
    note: t('plotTable.scatterNote'),
  }
}

function statisticsOf(axis: PlotColumn, sums: Sums, i: 0 | 1, shown: readonly number[]) {
  const numbers = shown.map((at) => {
    const n = sums.count[at] ?? 0
    const mean = (sums.sum[i][at] ?? 0) / n
    const variance = Math.max(0, (sums.squares[i][at] ?? 0) - n * mean * mean) / (n - 1)
    return { mean: axis.offset + mean * axis.unit, sd: n > 1 ? Math.sqrt(variance) * axis.unit : null }
  })
  const [mean, sd] = [
    columnFormat(numbers.map((one) => one.mean)),
    columnFormat(numbers.map((one) => one.sd)),
  ]
  return { mean: numbers.map((one) => mean(one.mean)), sd: numbers.map((one) => sd(one.sd)) }
}
