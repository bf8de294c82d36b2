/** One look for every axis: thin, quiet, four significant digits. */
import type { ScaleOptions } from 'chart.js'
import type { PlotTheme } from './theme'

/** Short tick labels: as many digits as neighbouring ticks need, no more. */
export function tickLabel(value: number, step: number): string {
  const size = Math.abs(value)
  // Far from 1 a power of ten, without the zeros that only a table needs.
  if (size !== 0 && (size >= 1e7 || size < 1e-4))
    return Number(value.toPrecision(4)).toExponential().replace('+', '')
  const decimals = Math.min(10, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)))
  return value.toLocaleString('en', { maximumFractionDigits: decimals }).replaceAll(',', '\u202f')
}

/** Options of a linear axis; without a title where a drop-down on the axis names it. */
export function linearAxis(
  theme: PlotTheme,
  title: string | null,
): ScaleOptions<'linear'> & { readonly ticks: object } {
  return {
    type: 'linear',
    border: { color: theme.quietInk },
    grid: { color: theme.grid, tickLength: 4 },
    ticks: {
      color: theme.quietInk,
      font: { family: theme.font, size: 11 },
      maxRotation: 0,
      maxTicksLimit: 9,
      includeBounds: false,
      autoSkipPadding: 12,
      callback: (value, index, ticks) => {
        const other = ticks[index === 0 ? 1 : index - 1]
        return tickLabel(Number(value), other ? Math.abs(Number(value) - other.value) : 1)
      },
    },
    title: {
      display: title !== null,
      text: title ?? '',
      color: theme.quietInk,
      font: { family: theme.font, size: 11 },
      padding: 2,
    },
  }
}
