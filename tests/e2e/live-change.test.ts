/**
 * What is changed in the settings is clustered and painted again without Run: from the input event to the painted frame, by the clock
 * of the page. `CENTROID_LAB_LIVE_ROWS=1000000` measures as many rows and prints what it saw; 20 000 are enough to see that it works.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launch, type Lab } from './harness'

const isMeasured = process.env['CENTROID_LAB_LIVE_ROWS'] !== undefined
const rows = Number(process.env['CENTROID_LAB_LIVE_ROWS'] ?? 20_000)
const features = 8

interface PageWithClock {
  pressed?: number
  shown?: number
}

let lab: Lab

beforeAll(async () => {
  lab = await launch([], null, { live: true })
  await lab.drop(await blobs())
  await lab.at('dataset-name').filter({ hasText: 'blobs' }).waitFor({ timeout: 60_000 })
  await lab.at('k').fill('5')
  await lab.at('run').click()
  await lab.at('scatter').and(lab.page.locator('[data-centroids="5"]')).waitFor({ timeout: 60_000 })
  await rest()
})
afterAll(() => lab.close())

/** Ten groups in eight features, as NumPy writes them. */
async function blobs(): Promise<string> {
  let state = 1
  const next = (): number => (state = (state * 48271) % 2147483647) / 2147483647
  const centres = Array.from({ length: 10 * features }, () => 20 * next())
  const values = Float32Array.from({ length: rows * features }, (_, i) => {
    const group = Math.floor(i / features) % 10
    return (centres[group * features + (i % features)] ?? 0) + next() + next() + next() - 1.5
  })
  const words = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, ${features}), }`
  const header = `${words.padEnd(117)}\n`
  const magic = Uint8Array.from([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length, 0])
  const path = join(lab.folder, 'blobs.npy')
  await writeFile(path, Buffer.concat([magic, Buffer.from(header), Buffer.from(values.buffer)]))
  return path
}

/** Until the other restarts are done, and whatever is prepared ahead. */
const rest = (): Promise<void> => lab.page.waitForTimeout(2500)

/** A change of a setting, and what comes before it. */
interface Change {
  readonly prepare?: () => Promise<unknown>
  readonly change: () => Promise<unknown>
}

/** From the event that a change causes to the frame in which points have their new clusters, ms. */
async function changeMs({ prepare, change }: Change): Promise<number> {
  await prepare?.()
  await lab.at('scatter').evaluate((scatter) => {
    const page = window as PageWithClock
    delete page.pressed
    delete page.shown
    const noted = ({ timeStamp }: Event): void => void (page.pressed ??= timeStamp)
    for (const type of ['click', 'input', 'change', 'keydown'])
      document.addEventListener(type, noted, { capture: true, once: true })
    const watch = new MutationObserver(() => {
      watch.disconnect()
      requestAnimationFrame(() => (page.shown = performance.now()))
    })
    watch.observe(scatter, { attributeFilter: ['data-labelling'] })
  })
  await change()
  await lab.page.waitForFunction(() => (window as PageWithClock).shown !== undefined, null, {
    timeout: 20_000,
  })
  return await lab.page.evaluate(() => {
    const { pressed, shown } = window as PageWithClock
    return pressed === undefined || shown === undefined ? Number.NaN : shown - pressed
  })
}

async function measured(name: string, changes: readonly Change[]): Promise<number> {
  const times: number[] = []
  for (const change of changes.slice(0, isMeasured ? undefined : 2)) {
    times.push(await changeMs(change))
    await rest()
  }
  const median = times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN
  const painting = await lab.at('scatter').getAttribute('data-paint-ms')
  const engine = await lab.page.locator('[data-run]').first().textContent()
  process.stdout.write(
    `${name}, ${rows} x ${features}: median ${median.toFixed(0)} ms of ${times.map((ms) => ms.toFixed(0)).join(' ')}; ` +
      `painting ${painting} ms, run ${engine?.replace(/\s+/g, ' ').trim()}\n`,
  )
  return median
}

/** As often as it takes to tell a median. */
const inTurn = <T>(values: readonly T[], make: (value: T) => Change): readonly Change[] =>
  Array.from({ length: 10 }, (_, i) => make(values[i % values.length] as T))

const more: Change = { change: () => lab.at('k-more').click() }
const fewer: Change = { change: () => lab.at('k-fewer').click() }
const scaled = (value: string): Change => ({ change: () => lab.at('scaling').selectOption(value) })
const ticked = (feature: number): Change => ({
  change: () => lab.page.locator('[data-testid^=feature-]').nth(feature).click(),
})
const filtered = (most: number): Change => ({
  async prepare() {
    await lab.at('filter-open').click()
    await lab.at('condition-operator-1').selectOption('<')
    await lab.at('condition-value-1').fill(String(most))
  },
  change: () => lab.at('filter-apply').click(),
})

// No points but those of k were made before: each set of features is another.
it.each([
  ['k', inTurn([more, fewer], (each) => each)],
  ['scaling', inTurn(['standardise', 'min-max', 'robust', 'none'], scaled)],
  ['a feature', [7, 6, 7, 5, 7, 6, 7, 4, 7, 6].map(ticked)],
  ['a filter', [20, 15, 18, 12, 17, 14, 19, 13, 16, 11].map(filtered)],
] as const)('%s', { timeout: 300_000 }, async (name, changes) => {
  expect(await measured(name, changes)).toBeGreaterThan(0)
})
