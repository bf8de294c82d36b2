import { describe, expect, it } from 'vitest'
import { dateText, dayOf, daysOf, isDay } from './dates'

describe('days of the calendar', () => {
  it('are those that the platform counts, forth and back, over four centuries', () => {
    for (let days = -80_000; days < 80_000; days += 37) {
      const platform = new Date(days * 86_400_000)
      const day = {
        year: platform.getUTCFullYear(),
        month: platform.getUTCMonth() + 1,
        day: platform.getUTCDate(),
      }
      expect(dayOf(days)).toEqual(day)
      expect(daysOf(day)).toBe(days)
      expect(isDay(day)).toBe(true)
    }
  })

  it('know leap years', () => {
    const leap = (year: number) => isDay({ year, month: 2, day: 29 })
    expect([2024, 2023, 1900, 2000].map(leap)).toEqual([true, false, false, true])
    expect([0, 13].map((month) => isDay({ year: 2024, month, day: 1 }))).toEqual([false, false])
    expect(isDay({ year: 2024, month: 4, day: 31 })).toBe(false)
  })

  it('are written as dates, times to the second', () => {
    expect(dateText(19_799, 'days')).toBe('2024-03-17')
    expect(dateText(19_799.6, 'days')).toBe('2024-03-18')
    expect(dateText(19_799 * 86_400 + 50_709.4, 'seconds')).toBe('2024-03-17 14:05:09')
    expect(dateText(-1, 'seconds')).toBe('1969-12-31 23:59:59')
    expect(dateText(NaN, 'days')).toBe('NaN')
  })
})
