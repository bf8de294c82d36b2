import type { DateColumn, GivenType } from '@shared/dataset'
import { dayOf, daysOf, secondsOfDay, type DateOrder, type DateUnit } from '@shared/dates'
import { calendarDay, dateCell, secondsSince1970, type DateCell } from './date-cell'
import { isMissingMark } from './number'

/** Of the cells of the first block that are not missing: as many must be dates. */
const nearlyAll = 0.9

/** Below a microsecond, which is what the digits of a time in days are good for. */
const finest = 1e6

/**
 * Reads the dates of a column as numbers while the file streams by. Whether day or month comes first, and whether there are times
 * of day, may show itself only later: until then dates are read day first, in days, and `correction` mends it at the end.
 */
export class DateReader {
  readonly #isYearFirst: boolean
  /** Set by hand. */
  readonly #order: DateOrder | null
  readonly #unit: DateUnit
  readonly #isDotted: boolean
  /** Dates that only one order allows, and those that both do and mean different days. */
  #dayFirst = 0
  #monthFirst = 0
  #either = 0
  #hasTimes = false
  /** What was read last. */
  #last: DateCell | null = null
  #first: Pick<DateColumn, 'row' | 'cell' | 'value'> | null = null

  constructor(cells: readonly DateCell[], order: DateOrder | null) {
    this.#isYearFirst = order === null ? cells.every(({ isYearFirst }) => isYearFirst) : order === 'ymd'
    this.#order = order
    this.#unit = cells.some(({ seconds }) => seconds !== 0) ? 'seconds' : 'days'
    this.#isDotted = cells.every(({ separator }) => separator === '.')
  }

  /** Since 1970-01-01 UTC, in the unit of the first block; null for what is no date as the column has them. */
  read(text: string): number | null {
    const cell = dateCell(text)
    if (cell === null || cell.isYearFirst !== this.#isYearFirst) return null
    const order = this.#orderOf(cell)
    const seconds = order === null ? null : secondsSince1970(cell, order)
    if (seconds === null) return null
    this.#last = cell
    return this.#unit === 'days' ? seconds / secondsOfDay : seconds
  }

  /** The cell that was read last belongs to a row. @param row its number in the file */
  note(text: string, row: number, value: number): void {
    this.#first ??= { row, cell: text.trim(), value }
    const cell = this.#last
    if (cell === null) return
    if (cell.seconds !== 0) this.#hasTimes = true
    if (this.#isYearFirst || cell.first === cell.second) return
    if (cell.first > 12) this.#dayFirst++
    else if (cell.second > 12) this.#monthFirst++
    else this.#either++
  }

  #orderOf(cell: DateCell): DateOrder | null {
    if (this.#isYearFirst) return 'ymd'
    if (this.#order !== null) return this.#order
    return (['dmy', 'mdy'] as const).find((order) => calendarDay(cell, order) !== null) ?? null
  }

  get #found(): DateOrder {
    if (this.#isYearFirst) return 'ymd'
    return this.#order ?? (this.#monthFirst > this.#dayFirst ? 'mdy' : 'dmy')
  }

  /** What the numbers become now that the whole column is known; null where they stay. */
  correction(): ((value: number) => number) | null {
    const swaps = this.#order === null && this.#found === 'mdy'
    const refines = this.#unit === 'days' && this.#hasTimes
    if (!swaps && !refines) return null
    const days = this.#unit === 'days'
    return (value) => {
      const seconds = days ? Math.round(value * secondsOfDay * finest) / finest : value
      const mended = swaps ? withDayAndMonthSwapped(seconds) : seconds
      return days && !refines ? mended / secondsOfDay : mended
    }
  }

  /** What is said of the column; undefined where no date was read. */
  found(): DateColumn | undefined {
    if (this.#first === null) return undefined
    const isOpen = this.#order === null && !this.#isYearFirst && !this.#isDotted
    return {
      order: this.#found,
      unit: this.#hasTimes ? 'seconds' : this.#unit,
      ambiguous: isOpen && this.#either > 0 && this.#dayFirst === 0 && this.#monthFirst === 0,
      otherOrder: this.#order === null ? Math.min(this.#dayFirst, this.#monthFirst) : 0,
      ...this.#first,
      value: (this.correction() ?? ((value: number) => value))(this.#first.value),
    }
  }
}

/** Read day first where the month comes first: days beyond the twelfth were read rightly. */
function withDayAndMonthSwapped(seconds: number): number {
  const days = Math.floor(seconds / secondsOfDay)
  const { year, month, day } = dayOf(days)
  if (day > 12) return seconds
  return daysOf({ year, month: day, day: month }) * secondsOfDay + (seconds - days * secondsOfDay)
}

/**
 * The reader for a column whose first cells are nearly all dates of one form; null for others.
 * @param given set by hand: then whatever dates there are will do
 */
export function findDates(cells: readonly string[], given?: GivenType): DateReader | null {
  const filled = cells.filter((cell) => !isMissingMark(cell))
  const dates = filled
    .map(dateCell)
    .filter((cell) => cell !== null)
    .filter(isSomeDay)
  if (given === 'date-dmy' || given === 'date-mdy')
    return new DateReader(dates, given === 'date-dmy' ? 'dmy' : 'mdy')
  const [yearFirst, local] = [true, false].map((wanted) =>
    dates.filter(({ isYearFirst }) => isYearFirst === wanted),
  )
  const ofOneForm = local.length > yearFirst.length ? local : yearFirst
  const isClear = filled.length >= 2 && ofOneForm.length >= nearlyAll * filled.length
  return isClear || given !== undefined ? new DateReader(ofOneForm, null) : null
}

function isSomeDay(cell: DateCell): boolean {
  const orders = cell.isYearFirst ? (['ymd'] as const) : (['dmy', 'mdy'] as const)
  return orders.some((order) => calendarDay(cell, order) !== null)
}
