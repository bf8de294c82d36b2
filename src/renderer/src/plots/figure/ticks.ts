/** Round numbers on an axis. */
import { formatPlain } from '@/text/numbers'
import type { DateUnit } from '@shared/dates'
import { dateTick, tickLabel } from '../axis'
import type { FigureAxis, FigureTick } from './figure'

/** The smallest of 1, 2, 5, 10, ... × 10^n that cuts a span into at most `most` parts. */
function niceStep(span: number, most: number): number {
  const rough = span / Math.max(1, most)
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = [1, 2, 5].find((nice) => nice * power >= rough * (1 - 1e-9)) ?? 10
  return factor * power
}

/** Multiples of a step within a range, each rounded so that 0.1 + 0.2 reads 0.3. */
function multiples(min: number, max: number, step: number): readonly number[] {
  const first = Math.ceil(min / step - 1e-9)
  const last = Math.floor(max / step + 1e-9)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  )
}

/** Parts that are tried beyond those asked for. */
const finer = 4

/** Ticks at round numbers within min..max, about `most` parts; two of them at least, wherever round numbers are that near. */
export function linearTicks(
  min: number,
  max: number,
  most: number,
  { whole = false, sparse = false, dates }: Pick<AxisWish, 'whole' | 'sparse' | 'dates'> = {},
): readonly FigureTick[] {
  if (!(max > min) || !Number.isFinite(max - min)) return [{ value: min, label: formatPlain(min) }]
  const stepOf = (parts: number): number => Math.max(whole ? 1 : 0, niceStep(max - min, parts))
  // One number alone says nothing about the scale.
  const tries = Array.from({ length: sparse ? 1 : finer }, (_, i) => stepOf(most + i))
  const step = tries.find((one) => multiples(min, max, one).length > 1) ?? stepOf(most)
  const labelOf = (value: number) => (dates ? dateTick(value, step, dates) : tickLabel(value, step))
  return multiples(min, max, step).map((value) => ({ value, label: labelOf(value) }))
}

/** Powers of ten within min..max, with 2 and 5 between them where there are few. */
function logTicks(min: number, max: number): readonly FigureTick[] {
  const first = Math.floor(Math.log10(min))
  const last = Math.ceil(Math.log10(max))
  const factors = last - first <= 2 ? [1, 2, 5] : [1]
  const every = Math.max(1, Math.ceil((last - first) / 6))
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
    .filter((power) => (power - first) % every === 0)
    .flatMap((power) => factors.map((factor) => Number((factor * 10 ** power).toPrecision(12))))
    .filter((value) => value >= min * (1 - 1e-9) && value <= max * (1 + 1e-9))
    .map((value) => ({ value, label: formatPlain(value) }))
}

export interface AxisWish {
  readonly label: string
  readonly min: number
  readonly max: number
  /** Most parts it is cut into. */
  readonly parts: number
  readonly log?: boolean
  /** Whole numbers only, such as iterations. */
  readonly whole?: boolean
  /** One number is enough, for want of room. */
  readonly sparse?: boolean
  /** Of dates: what the numbers count. */
  readonly dates?: DateUnit | undefined
}

/** An axis that shows exactly min..max. */
export function exactAxis(wish: AxisWish): FigureAxis {
  const { label, min, max, parts, log = false } = wish
  const ticks = log ? logTicks(min, max) : linearTicks(min, max, parts, wish)
  return { label, min, max, log, ticks }
}

/** An axis widened to round numbers at both ends; a range without width gets one. */
export function roundAxis(wish: AxisWish): FigureAxis {
  if (wish.log) return exactAxis(widenedLog(wish))
  const room = wish.max > wish.min ? 0 : Math.max(1, Math.abs(wish.min) * 0.1)
  const [min, max] = [wish.min - room, wish.max + room]
  const step = niceStep(max - min, wish.parts)
  return exactAxis({
    ...wish,
    min: Number((Math.floor(min / step + 1e-9) * step).toPrecision(12)),
    max: Number((Math.ceil(max / step - 1e-9) * step).toPrecision(12)),
  })
}

function widenedLog(wish: AxisWish): AxisWish {
  const room = wish.max > wish.min ? (wish.max / wish.min) ** 0.04 : 10
  return { ...wish, min: wish.min / room, max: wish.max * room }
}
