/**
 * From the drop of a CSV file to the frame that shows its points, by the clock of the page. `CENTROID_LAB_DROP_ROWS=1000000` measures
 * as many rows, a start of the program each time, and prints what it saw; 20 000 are enough to see that it works.
 */
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launch, type Lab } from './harness'

const isMeasured = process.env['CENTROID_LAB_DROP_ROWS'] !== undefined
const rows = Number(process.env['CENTROID_LAB_DROP_ROWS'] ?? 20_000)
const starts = isMeasured ? 5 : 1
const features = 8

interface PageWithClock {
  dropped?: number
  shown?: number
}

let folder: string
let path: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'drop-'))
  path = join(folder, 'blobs.csv')
  let state = 1
  const next = (): number => (state = (state * 48271) % 2147483647) / 2147483647
  const file = await open(path, 'w')
  await file.write(`${Array.from({ length: features }, (_, j) => `x${j}`).join()}\n`)
  for (let first = 0; first < rows; first += 10_000) {
    const line = () => Array.from({ length: features }, () => (80 * next()).toFixed(6)).join()
    await file.write(`${Array.from({ length: Math.min(10_000, rows - first) }, line).join('\n')}\n`)
  }
  await file.close()
}, 60_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

async function dropMs(lab: Lab): Promise<number> {
  await lab.page.waitForTimeout(isMeasured ? 3000 : 0)
  await lab.page.evaluate((count) => {
    const page = window as PageWithClock
    const noted = ({ timeStamp }: Event): void => void (page.dropped = timeStamp)
    document.addEventListener('drop', noted, { capture: true, once: true })
    const watch = new MutationObserver(() => {
      if (document.querySelector(`[data-testid=scatter][data-points-drawn="${count}"]`) === null) return
      watch.disconnect()
      requestAnimationFrame(() => (page.shown = performance.now()))
    })
    watch.observe(document.body, {
      ...{ subtree: true, childList: true, attributes: true },
      attributeFilter: ['data-points-drawn'],
    })
  }, rows)
  await lab.drop(path)
  await lab.page.waitForFunction(() => (window as PageWithClock).shown !== undefined, null, {
    timeout: 60_000,
  })
  return await lab.page.evaluate(() => {
    const { dropped, shown } = window as PageWithClock
    return dropped === undefined || shown === undefined ? Number.NaN : shown - dropped
  })
}

it(`${rows} x ${features} are dropped and drawn`, { timeout: 600_000 }, async () => {
  const times: number[] = []
  for (let start = 0; start < starts; start++) {
    const lab = await launch()
    times.push(await dropMs(lab))
    await lab.close()
  }
  if (isMeasured) {
    process.stdout.write(
      `drop to picture, ${rows} x ${features}: ${times.map((ms) => ms.toFixed(0)).join(' ')} ms\n`,
    )
  }
  for (const ms of times) expect(ms).toBeGreaterThan(0)
})
