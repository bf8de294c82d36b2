import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CDPSession } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launch, type Lab } from './harness'

/** The first files compile what the engine of the page compiles on use. */
const first = 6
const files = 20
const rows = 200_000

let lab: Lab
let debug: CDPSession

beforeAll(async () => {
  lab = await launch()
  debug = await lab.page.context().newCDPSession(lab.page)
  await debug.send('HeapProfiler.enable')
})
afterAll(() => lab.close())

/** What the page holds after a collection: script bytes, elements, listeners; and all of its process, in MiB. */
async function held() {
  for (let round = 0; round < 3; round++) await debug.send('HeapProfiler.collectGarbage')
  const { usedSize } = await debug.send('Runtime.getHeapUsage')
  const { nodes, jsEventListeners } = await debug.send('Memory.getDOMCounters')
  const process = await lab.app.evaluate(
    ({ app }) => app.getAppMetrics().find(({ type }) => type === 'Tab')?.memory.workingSetSize ?? 0,
  )
  return { script: usedSize, nodes, listeners: jsEventListeners, process: process / 1024 }
}

/** By a locator: a handle of the test would itself keep the element. */
const there = (selector: string) => lab.page.locator(selector).waitFor({ state: 'attached' })

async function openAndRun(file: number): Promise<void> {
  const path = join(lab.folder, `file-${file}.csv`)
  const cells = Array.from({ length: rows }, (_, i) => `${(i * (file + 3)) % 1013},${(i * 17) % 911}`)
  await writeFile(path, `x,y\n${cells.join('\n')}\n`)
  await lab.drop(path)
  await lab
    .at('dataset-name')
    .filter({ hasText: `file-${file}.csv` })
    .waitFor()
  await there(`[data-testid=scatter][data-points-drawn="${rows}"]`)
  await lab.at('run').click()
  await there('[data-testid=progress][data-state=done]')
  await there('[data-testid=scatter][data-coloured=true]')
}

it('holds no more after 20 files than after the first ones', async () => {
  await lab.at('drop-zone').waitFor()
  for (let file = 0; file < first; file++) await openAndRun(file)
  const before = await held()
  for (let file = first; file < first + files; file++) await openAndRun(file)
  const after = await held()
  console.warn(`the page after ${first} files and after ${files} more:`, before, after)
  // Compiled code, the records of the session's runs and the allocator's free pages grow by up to 11 MB, however
  // many files follow; files that were not let go would be 1.6 MB of columns each (32 MB) and some 240
  // elements of plots.
  expect(after.script - before.script).toBeLessThan(2_000_000)
  expect(after.nodes - before.nodes).toBeLessThan(1000)
  expect(after.listeners - before.listeners).toBeLessThan(50)
  expect(after.process - before.process).toBeLessThan(16)
})
