/** Axes of the plots of a comparison. */
import { formatPlain } from '@/text/numbers'
import type { FigureAxis, FigureTick } from '../figure/figure'
import { shareOf } from '../figure/figure'
import { aboutWidth } from '../figure/svg-text'
import { exactAxis, linearTicks } from '../figure/ticks'

/** Ranges wider than this have ticks at powers of ten only. */
const maxParted = 3000

/** Powers of ten are kept before what lies between them. */
const rankOf = (value: number): number => (Math.abs(Math.log10(value) % 1) < 1e-9 ? 0 : 1)

/** Ticks whose words do not touch along a horizontal axis of a length in CSS pixels. */
function roomy(axis: FigureAxis, length: number): FigureAxis {
  const taken: { from: number; to: number }[] = []
  const kept = new Set<FigureTick>()
  const byRank = [...axis.ticks].sort((a, b) => rankOf(a.value) - rankOf(b.value))
  for (const tick of byRank) {
    const middle = shareOf(axis, tick.value) * length
    const half = aboutWidth(tick.label, 11) / 2 + 4
    if (taken.some(({ from, to }) => middle + half > from && middle - half < to)) continue
    taken.push({ from: middle - half, to: middle + half })
    kept.add(tick)
  }
  // Some of the ticks between powers would mislead; all or none.
  const powers = byRank.filter((tick) => kept.has(tick) && rankOf(tick.value) === 0)
  const shown = kept.size < axis.ticks.length && powers.length >= 3 ? new Set(powers) : kept
  return { ...axis, ticks: axis.ticks.filter((tick) => shown.has(tick)) }
}

/** 1, 2 and 5 times powers of ten over a few decades, powers alone over many, round steps within one. */
function logTicks(min: number, max: number): readonly FigureTick[] {
  const { ticks } = exactAxis({ label: '', min, max, parts: 4, log: true })
  if (max / min > maxParted && ticks.length >= 3) return ticks
  const first = Math.floor(Math.log10(min))
  const decades = Math.ceil(Math.log10(max)) - first + 1
  const values = Array.from({ length: decades }, (_, at) => first + at)
    .flatMap((power) => [1, 2, 5].map((factor) => Number((factor * 10 ** power).toPrecision(12))))
    .filter((value) => value >= min && value <= max)
  if (values.length < 3) return linearTicks(min, max, 5).filter(({ value }) => value > 0)
  return values.map((value) => ({ value, label: formatPlain(value) }))
}

/** A logarithmic axis over exactly min..max, level or upright. `length` in CSS pixels. */
export function logAxis(label: string, min: number, max: number, length: number, level = true): FigureAxis {
  const axis = { label, min, max, log: true, ticks: logTicks(min, max) }
  return level ? roomy(axis, length) : axis
}

/** From zero to a round number. `length` in CSS pixels. */
export function fromZero(label: string, max: number, length: number, apart = 80): FigureAxis {
  const most = max > 0 ? max : 1
  return exactAxis({ label, min: 0, max: most, parts: Math.max(2, Math.floor(length / apart)) })
}

/** Smallest and largest positive value; 1 to 10 where there is none. */
export function positiveRange(values: readonly number[]): { readonly min: number; readonly max: number } {
  let [min, max] = [Infinity, 0]
  for (const value of values) {
    if (!(value > 0) || !Number.isFinite(value)) continue
    min = Math.min(min, value)
    max = Math.max(max, value)
  }
  return max > 0 ? { min, max } : { min: 1, max: 10 }
}

/** Named rows from top to bottom; row i lies from `rows - i - 1` to `rows - i`. */
export function rowAxis(labels: readonly string[]): FigureAxis {
  const rows = Math.max(1, labels.length)
  const ticks = labels.map((label, at) => ({ value: rows - at - 0.5, label }))
  return { label: '', min: 0, max: rows, log: false, ticks }
}
