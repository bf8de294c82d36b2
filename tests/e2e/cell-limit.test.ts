import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe'
import { launch, type Lab } from './harness'

let lab: Lab

beforeAll(async () => {
  lab = await launch()
})
afterAll(() => lab.close())

const patient = { timeout: 60_000, interval: 50 } as const

describe('a limit of each cell', () => {
  it('is set under Advanced, and the plan says what it leaves out', async () => {
    await lab.openExample('iris.csv')
    await lab.at('view-benchmark').click()
    await lab.at('bench-matrix').waitFor()
    await lab.at('bench-pick-none').click()
    for (const key of ['cpu/sequential', 'cpu/fused']) await lab.at(`bench-tick-${key}`).check()
    await lab.at('bench-stop').selectOption('none')
    await lab.at('bench-limit').fill('1000000')
    await lab.at('bench-advanced').click()
    await lab.at('bench-cell-limit').fill('0.00001')
    await expect
      .poll(() => lab.at('bench-plan').textContent(), patient)
      .toMatch(/Not run: \d+ (s|min) predicted on 1 thread; one run of 3 iterations alone would take/)
    await lab.at('bench-cell-limit').fill('2')
    await expect
      .poll(() => lab.at('bench-plan').textContent(), patient)
      .toMatch(/\d+ of 1.000.000 iterations, 1 of 5 repeats, no warm-up/)
    expect(await violations(lab.page)).toEqual([])
    await lab.at('bench-missing').scrollIntoViewIfNeeded()
    await lab.picture('benchmark limit plan')
  })

  it('marks in the table what is scaled from fewer iterations, or says that it was ended', async () => {
    await lab.at('bench-start').click()
    const state = () => lab.at('bench-bar').getAttribute('data-state')
    await expect.poll(state, patient).toBe('done')
    const table = await lab.at('bench-times').textContent()
    // On a machine that others use meanwhile, a cell may take twice what was foretold.
    expect(table).toMatch(/≈ [\d\s]+.*\d+ of 1000000|Ended after 10 s: far longer than predicted/)
    expect(await violations(lab.page)).toEqual([])
    await lab.picture('benchmark limit done')
  })
})
