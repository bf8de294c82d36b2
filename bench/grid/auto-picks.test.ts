import { expect, it } from 'vitest'
import { contenderOn } from '@tests/parity/faulty-engine'
import { referenceEngine } from '@tests/parity/reference-engine'
import { measurePicks, picksPage, regretOf, type Pick } from './auto-picks'
import { dataMaker } from './kinds'

const cell = { kind: 'normal', n: 300, d: 3, k: 5 } as const

it('holds whole runs of the choice against those of everything else', async () => {
  const { picks, calibrationMs } = await measurePicks([contenderOn(referenceEngine)], [cell], 1, dataMaker(1))
  expect(calibrationMs).toBeGreaterThan(0)
  expect(picks.map(regretOf)).toEqual([1])
  expect(Object.values(picks[0].ms).every((ms) => ms > 0 && ms < 60_000)).toBe(true)
})

it('says in how many cells the choice was within a tenth of the best', () => {
  const pick = (chosen: string): Pick => ({ cell, chosen, ms: { one: 1, other: 1.2 } })
  expect(regretOf(pick('other'))).toBeCloseTo(1.2)
  const page = picksPage({ calibrationMs: 1500, picks: [pick('one'), pick('other'), pick('one')] })
  expect(page).toContain('in 2 of 3 cells')
  expect(page).toContain('1.50 s')
  expect(page).toContain('| other | 1.20 |')
})
