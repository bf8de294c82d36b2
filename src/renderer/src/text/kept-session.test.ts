import { expect, it } from 'vitest'
import { keptWords, whenWords } from './kept-session'

it('says what a session holds', () => {
  expect(keptWords({ runs: 1, isCutOff: false })).toBe('1 run')
  expect(keptWords({ runs: 3, isCutOff: true })).toBe('3 runs, and one to go on with')
  expect(keptWords({ runs: 0, isCutOff: true })).toBe('a run to go on with')
})

it('says when it was used by the calendar, not by hours', () => {
  const now = new Date(2026, 10, 23, 0, 30)
  const at = (...of: [number, number, number, number, number]) =>
    whenWords(new Date(...of).toISOString(), now)
  expect(at(2026, 10, 23, 0, 5)).toBe('today, 00:05')
  expect(at(2026, 10, 22, 23, 50)).toBe('yesterday, 23:50')
  expect(at(2026, 10, 21, 14, 5)).toBe('21 Nov 2026, 14:05')
})
