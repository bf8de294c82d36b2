import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launch, type Lab } from './harness'

let home: string
let lab: Lab

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'centroid nowhere '))
  await mkdir(join(home, 'user'))
  // No folder can be made where a file lies.
  for (const name of ['results', 'benchmarks']) await writeFile(join(home, 'user', name), '')
  lab = await launch([], home)
  await lab.openExample('iris.csv')
})
afterAll(async () => {
  await lab.close()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

const banner = (text: string) => lab.at('banner').filter({ hasText: text }).waitFor()

it('results that cannot be kept on disk are told in the window', async () => {
  await lab.at('run').click()
  await lab.at('result-inertia').waitFor()
  await banner(`What was computed could not be kept on disk: ${join(home, 'user', 'results')}`)
  await lab.page.locator('[data-testid=banner] button').click()
})

it('so is a comparison', async () => {
  await lab.at('view-benchmark').click()
  await lab.at('bench-matrix').waitFor()
  await lab.at('bench-pick-none').click()
  for (const key of ['cpu/sequential', 'cpu/fused']) await lab.at(`bench-tick-${key}`).check()
  await expect
    .poll(() => lab.at('bench-plan-sentence').textContent(), { timeout: 40_000, interval: 50 })
    .toMatch(/\d+ rows?.*(about|not)/)
  await lab.at('bench-start').click()
  await banner(`cannot be kept on disk and is lost when Centroid Lab ends: make room in`)
})
