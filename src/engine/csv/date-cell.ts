import { daysOf, isDay, secondsOfDay, type CalendarDay, type DateOrder } from '@shared/dates'

/** A date as it stands in a cell, day and month not told apart yet where the year comes last. */
export interface DateCell {
  readonly isYearFirst: boolean
  readonly separator: string
  /** Year, then month, then day where the year comes first. */
  readonly year: number
  readonly first: number
  readonly second: number
  /** Since midnight UTC of that day; 0 without a time. */
  readonly seconds: number
}

/** Longer cells are text. */
const longest = 40

const time = String.raw`(?:[T\s]\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:\s?([ap]m))?`
const zone = String.raw`(?:\s?(Z|[+-]\d{2}(?::?\d{2})?))?`
const yearFirst = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${time}${zone})?$`, 'i')
const yearLast = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})${time})?$`, 'i')

/** ISO 8601 with T or a blank, a fraction and an offset from UTC; and days, months and years in the orders people write. */
export function dateCell(cell: string): DateCell | null {
  if (cell.length > longest || cell.length < 8) return null
  const plain = plainCell(cell)
  if (plain !== null) return plain
  const text = cell.trim()
  const iso = yearFirst.exec(text)
  if (iso !== null) {
    const [, year, separator, first, second, ...clock] = iso
    return dated({ isYearFirst: true, separator }, [year, first, second], clock)
  }
  const local = yearLast.exec(text)
  if (local === null) return null
  const [, first, separator, second, year, ...clock] = local
  return dated({ isYearFirst: false, separator }, [year, first, second], clock)
}

const plainLengths: ReadonlySet<number> = new Set([10, 16, 19])
const [dash, slash, colon, blank, letterT, zero] = [...'-/: T0'].map((mark) => mark.charCodeAt(0))

/** What most files have, `2024-03-17` and `2024-03-17 14:05:09`, many times as fast as by pattern; null for anything else. */
function plainCell(cell: string): DateCell | null {
  const { length } = cell
  const mark = cell.charCodeAt(4)
  if (!plainLengths.has(length) || (mark !== dash && mark !== slash) || cell.charCodeAt(7) !== mark)
    return null
  const year = twoDigits(cell, 0) * 100 + twoDigits(cell, 2)
  const [first, second] = [twoDigits(cell, 5), twoDigits(cell, 8)]
  const seconds = length === 10 ? 0 : plainTime(cell)
  if (!(year >= 0 && first >= 0 && second >= 0 && seconds >= 0)) return null
  return { isYearFirst: true, separator: mark === dash ? '-' : '/', year, first, second, seconds }
}

/** `14:05` or `14:05:09` from the eleventh character on; NaN for anything else. */
function plainTime(cell: string): number {
  const between = cell.charCodeAt(10)
  if ((between !== blank && between !== letterT) || cell.charCodeAt(13) !== colon) return NaN
  const [hour, minute] = [twoDigits(cell, 11), twoDigits(cell, 14)]
  if (cell.length === 16) return hour < 24 && minute < 60 ? hour * 3600 + minute * 60 : NaN
  const second = cell.charCodeAt(16) === colon ? twoDigits(cell, 17) : NaN
  return hour < 24 && minute < 60 && second < 60 ? hour * 3600 + minute * 60 + second : NaN
}

/** NaN for what are not two digits. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - zero
  const ones = text.charCodeAt(at + 1) - zero
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN
}

type Clock = readonly (string | undefined)[]

function dated(
  form: Pick<DateCell, 'isYearFirst' | 'separator'>,
  parts: readonly string[],
  clock: Clock,
): DateCell | null {
  const seconds = secondsOf(clock)
  if (seconds === null) return null
  const [year, first, second] = parts.map(Number)
  return { ...form, year, first, second, seconds }
}

/** Null for no time of day. */
function secondsOf([hour, minute, second = '0', fraction = '', half, offset]: Clock): number | null {
  if (hour === undefined || minute === undefined) return 0
  const hours = hourOf(Number(hour), half?.toLowerCase())
  if (hours === null || Number(minute) > 59 || Number(second) > 59) return null
  const whole = hours * 3600 + Number(minute) * 60 + Number(second)
  return whole + (fraction === '' ? 0 : Number(`0.${fraction}`)) - offsetSeconds(offset)
}

function hourOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour <= 23 ? hour : null
  if (hour < 1 || hour > 12) return null
  return (hour % 12) + (half === 'pm' ? 12 : 0)
}

function offsetSeconds(offset: string | undefined): number {
  if (offset === undefined || /^z$/i.test(offset)) return 0
  const digits = offset.slice(1).replace(':', '')
  const seconds = Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2) || '0') * 60
  return offset.startsWith('-') ? -seconds : seconds
}

/** The day in an order; null where there is no such day. */
export function calendarDay({ year, first, second }: DateCell, order: DateOrder): CalendarDay | null {
  const [month, day] = order === 'dmy' ? [second, first] : [first, second]
  const found = { year, month, day }
  return isDay(found) ? found : null
}

/** Seconds since 1970-01-01 UTC; null where there is no such day. */
export function secondsSince1970(cell: DateCell, order: DateOrder): number | null {
  const day = calendarDay(cell, order)
  return day === null ? null : daysOf(day) * secondsOfDay + cell.seconds
}
