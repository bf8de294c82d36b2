/** One look for every axis: thin, quiet, four significant digits. */
import { localNumber } from '@shared/locale/translate'
import { dateText, secondsOfDay, type DateUnit } from '@shared/dates'
import type { ScaleOptions } from 'chart.js'
import type { PlotTheme } from './theme'

/** Short tick labels: as many digits as neighbouring ticks need, no more. */
export function tickLabel(value: number, step: number): string {
  const size = Math.abs(value)
  // Far from 1 a power of ten, without the zeros that only a table needs.
  if (size !== 0 && (size >= 1e7 || size < 1e-4))
    return localNumber(Number(value.toPrecision(4)).toExponential().replace('+', ''))
  const decimals = Math.min(10, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)))
  return localNumber(
    value.toLocaleString('en', { maximumFractionDigits: decimals }).replaceAll(',', '\u202f'),
  )
}

/** A date, with its time where neighbouring ticks are less than a day apart. */
export function dateTick(value: number, step: number, unit: DateUnit): string {
  const seconds = unit === 'days' ? value * secondsOfDay : value
  const isWithinDay = step < (unit === 'days' ? 1 : secondsOfDay)
  if (!isWithinDay) return dateText(Math.floor(seconds / secondsOfDay), 'days')
  return dateText(seconds, 'seconds').slice(0, step * (unit === 'days' ? secondsOfDay : 1) < 60 ? 19 : 16)
}

/**
 * Options of a linear axis; without a title where a drop-down on the axis names it.
 * @param dates what the numbers of dates count; undefined for other numbers
 */
export function linearAxis(
  theme: PlotTheme,
  title: string | null,
  dates: () => DateUnit | undefined = () => undefined,
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
        const step = other ? Math.abs(Number(value) - other.value) : 1
        const unit = dates()
        return unit === undefined ? tickLabel(Number(value), step) : dateTick(Number(value), step, unit)
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
