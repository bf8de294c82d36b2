/** Dates and times as numbers since 1970-01-01, UTC (the Gregorian calendar, also before it was in use). */
import { t } from './locale/translate'

/** In what order a date has day, month and year. */
export const dateOrders = ['ymd', 'dmy', 'mdy'] as const
export type DateOrder = (typeof dateOrders)[number]

export type DateUnit = 'days' | 'seconds'

export const secondsOfDay = 86_400

export interface CalendarDay {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  readonly day: number
}

const monthDays = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const daysOfEra = 146_097
/** From 0000-03-01 to 1970-01-01. */
const daysBefore1970 = 719_468

/** Is there such a day? */
export function isDay({ year, month, day }: CalendarDay): boolean {
  const most = monthDays[month - 1] ?? 0
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day >= 1 && day <= (month === 2 && !isLeap ? 28 : most)
}

/** Days since 1970-01-01 of a day there is (Hinnant, "chrono-compatible low-level date algorithms"). */
export function daysOf({ year, month, day }: CalendarDay): number {
  const fromMarch = month > 2 ? year : year - 1
  const era = Math.floor(fromMarch / 400)
  const yearOfEra = fromMarch - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * daysOfEra + dayOfEra - daysBefore1970
}

/** The inverse of `daysOf`. @param days whole */
export function dayOf(days: number): CalendarDay {
  const sinceMarch = days + daysBefore1970
  const era = Math.floor(sinceMarch / daysOfEra)
  const dayOfEra = sinceMarch - era * daysOfEra
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / (daysOfEra - 1))) /
      365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return { year, month, day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1 }
}

const two = (value: number): string => String(value).padStart(2, '0')

/** `2024-03-17`, or with the time to the second: `2024-03-17 14:05:09`; both rounded to the nearest. */
export function dateText(value: number, unit: DateUnit): string {
  if (!Number.isFinite(value)) return String(value)
  const seconds = unit === 'days' ? Math.round(value) * secondsOfDay : Math.round(value)
  const days = Math.floor(seconds / secondsOfDay)
  const { year, month, day } = dayOf(days)
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
  if (unit === 'days') return date
  const rest = seconds - days * secondsOfDay
  return `${date} ${two(Math.floor(rest / 3600))}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}`
}

export const unitWords: Readonly<Record<DateUnit, string>> = {
  get days() {
    return t('common.daysSince19700101')
  },
  get seconds() {
    return t('common.secondsSince19700101Utc')
  },
}

export const orderWords: Readonly<Record<DateOrder, string>> = {
  get ymd() {
    return t('common.yearFirst')
  },
  get dmy() {
    return t('common.dayFirst')
  },
  get mdy() {
    return t('common.monthFirst')
  },
}
