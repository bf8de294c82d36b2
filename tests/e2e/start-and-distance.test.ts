import { afterAll, beforeAll, expect, it } from 'vitest'
import { violations } from './axe'
import { launch, type Lab } from './harness'

let lab: Lab

beforeAll(async () => {
  lab = await launch()
  await lab.openExample('iris.csv')
})
afterAll(() => lab.close())

it('a run starts from random coordinates, with words on what they are', async () => {
  await lab.at('init').selectOption('random-box')
  expect(await lab.page.getByText('Coordinates drawn by the seed between').isVisible()).toBe(true)
  await lab.at('run').click()
  await lab.page.waitForSelector('[data-testid=progress][data-state=done]', { state: 'attached' })
  await lab.picture('random coordinates')
})

it('says near the scaling why there is no other distance, and what to take instead', async () => {
  await lab.at('distance').click()
  const why = lab.at('distance-why')
  expect(await why.isVisible()).toBe(true)
  expect(await why.textContent()).toMatch(/Euclidean.*mean.*Unit length.*cosine.*Manhattan.*k-medians/)
  await why.scrollIntoViewIfNeeded()
  await lab.picture('distance')
  expect(await violations(lab.page)).toEqual([])
})
