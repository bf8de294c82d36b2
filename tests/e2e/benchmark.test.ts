import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe'
import { launch, type Lab } from './harness'

let lab: Lab

beforeAll(async () => {
  lab = await launch()
})
afterAll(() => lab.close())

const state = () => lab.at('bench-bar').getAttribute('data-state')
const rows = (of: string) => lab.page.locator(`[data-testid=bench-times] tr[data-state=${of}]`)
const ended = { timeout: 40_000, interval: 50 } as const
/** Before a software WebGPU can be planned its kernels are compiled, which takes seconds on a busy machine. */
const calibrated = { timeout: 80_000, interval: 50 } as const

async function choose(contenders: readonly string[]): Promise<void> {
  await lab.at('bench-pick-none').click()
  for (const key of contenders) await lab.at(`bench-tick-${key}`).check()
}

/** Once it can be started, that is planned, too. */
async function start(): Promise<void> {
  await expect
    .poll(() => lab.at('bench-plan-sentence').textContent(), ended)
    .toMatch(/\d+ rows?.*(about|not)/)
  await lab.at('bench-start').click()
  await lab.at('bench-bar').waitFor()
}

/** Generated data and runs that take a second or two in all. */
async function setUpLong(): Promise<void> {
  await lab.at('bench-page-setup').click()
  await lab.at('bench-case-iris.csv').uncheck()
  await lab.at('bench-k').fill('4, 8')
  await choose(['cpu/sequential', 'cpu/fused'])
  await lab.at('bench-stop').selectOption('none')
  await lab.at('bench-limit').fill('50')
  await lab.at('bench-repeats').fill('5')
}

describe('a comparison of the loaded file', () => {
  it('runs to its end with a speed-up for everything that agrees', async () => {
    await lab.openExample('iris.csv')
    await lab.at('view-benchmark').click()
    await lab.at('bench-matrix').waitFor()
    // These are proposed; what is planned already need not be calibrated again.
    for (const key of ['cpu/sequential', 'cpu/openmp', 'cpu/fused'])
      expect(await lab.at(`bench-tick-${key}`).isChecked()).toBe(true)
    // A graphics card that is only imitated is the person's own choice.
    expect(await lab.at('bench-tick-webgpu/fused').isChecked()).toBe(false)
    await lab.at('bench-tick-webgpu/fused').check()
    await expect.poll(() => lab.at('bench-plan-sentence').textContent(), calibrated).toContain('4 rows')
    await lab.at('bench-k').fill('3, 5')
    await lab.at('bench-repeats').fill('2')
    await expect.poll(() => lab.at('bench-plan').locator('tbody tr').count(), calibrated).toBe(2 + 8)
    expect(await violations(lab.page)).toEqual([])
    await lab.picture('benchmark plan')
    await start()
    await expect.poll(state, ended).toBe('done')
    expect(await rows('measured').count()).toBe(8)
    expect(await rows('measured').getByTestId('bench-regime').allTextContents()).toContain('tiled')
    const heads = await lab.at('bench-times').locator('thead th').allTextContents()
    const at = heads.findIndex((head) => head.includes('Speed-up')) + 1
    const speedups = () => rows('measured').locator(`> :nth-child(${at})`).allTextContents()
    await expect
      .poll(async () => (await speedups()).map((text) => Number.parseFloat(text) > 0))
      .toEqual(Array(8).fill(true))
    expect(await violations(lab.page)).toEqual([])
    await lab.picture('benchmark done')
  })

  it('zooms into a plot by a drag, along the values of its bars', async () => {
    await lab.at('bench-tab-times').click()
    const plot = lab.page.locator('canvas[data-testid^=plot-]')
    await plot.waitFor()
    const box = await plot.boundingBox()
    if (!box) throw new Error('the plot is not shown')
    const { mouse, keyboard } = lab.page
    const seen = () => plot.evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL())
    const away = () => mouse.move(box.x + box.width / 2, box.y - 40)
    const whole = await seen()
    await mouse.move(box.x + box.width * 0.4, box.y + box.height * 0.3)
    await expect.poll(seen).not.toBe(whole)
    await mouse.down()
    await mouse.move(box.x + box.width * 0.7, box.y + box.height * 0.6, { steps: 5 })
    await lab.picture('benchmark box')
    // No tip hides what is being chosen, nor what it then shows.
    expect(await seen()).toBe(whole)
    await mouse.up()
    await expect.poll(() => plot.getAttribute('data-zoomed')).toBe('true')
    await lab.picture('benchmark zoomed')
    const zoomed = await seen()
    await away()
    await lab.page.waitForTimeout(200)
    expect(await seen()).toBe(zoomed)
    await keyboard.press('ArrowDown')
    await expect.poll(seen).not.toBe(zoomed)
    await keyboard.press('0')
    await expect.poll(() => plot.getAttribute('data-zoomed')).toBe('false')
    await expect.poll(seen).toBe(whole)
    await lab.at('bench-tab-table').click()
  })

  it('is saved as timings.csv', async () => {
    const path = join(lab.folder, 'timings.csv')
    await lab.saveAs(path)
    await lab.at('bench-export').click()
    await lab.at('bench-export-timings').click()
    await lab.at('status-bar').filter({ hasText: 'Saved timings.csv' }).waitFor()
    const [head = '', ...lines] = (await readFile(path, 'utf8')).trim().split('\n')
    expect(
      head.startsWith('dataset,n,d,k,engine,device,variant,regime,iterations,repeats,mean_ms,median_ms'),
    ).toBe(true)
    expect(lines).toHaveLength(8)
    const column = head.split(',').indexOf('median_ms')
    for (const line of lines) expect(Number(line.split(',')[column])).toBeGreaterThan(0)
    expect(lines.every((line) => line.startsWith('iris.csv,150,4,'))).toBe(true)
  })
})

describe('a comparison that is disturbed', () => {
  it('is paused, goes on, and keeps its rows when it is cancelled', async () => {
    await lab.at('bench-page-setup').click()
    await lab.at('bench-add-generated').click()
    await lab.at('bench-n').fill('40 000')
    await lab.at('bench-generate-add').click()
    await setUpLong()
    await start()
    await expect.poll(() => rows('measured').count(), ended).toBeGreaterThan(0)
    await lab.picture('benchmark running')
    await lab.at('bench-pause').click()
    await expect.poll(state, ended).toBe('paused')
    const paused = await rows('measured').count()
    expect(paused).toBeLessThan(4)
    await lab.picture('benchmark paused')
    await lab.at('bench-page-setup').click()
    await expect
      .poll(() => lab.at('bench-plan-sentence').textContent(), ended)
      .toMatch(/\d+ rows?.*(about|not)/)
    expect(await lab.at('error-message').count()).toBe(0)
    await lab.picture('benchmark paused plan')
    await lab.at('bench-page-comparison').click()
    await lab.at('bench-resume').click()
    await lab.at('bench-pause').click()
    await expect.poll(state, ended).toBe('paused')
    await lab.at('bench-cancel').click()
    await expect.poll(state, ended).toBe('cancelled')
    expect(await rows('measured').count()).toBeGreaterThanOrEqual(paused)
    expect(await lab.at('bench-sentence').textContent()).toMatch(/^Cancelled; finished rows were kept/)
  })

  it('outlives the engine process and is resumed', async () => {
    await setUpLong()
    await start()
    await expect.poll(() => rows('measured').count(), ended).toBeGreaterThan(0)
    const before = lab.hostPid()
    process.kill(before, 'SIGKILL')
    await expect.poll(state, ended).toBe('interrupted')
    const kept = await rows('measured').count()
    expect(kept).toBeGreaterThan(0)
    expect(await lab.at('error-message').first().textContent()).toContain('finished rows were kept')
    await lab.picture('benchmark interrupted')
    await expect.poll(() => lab.at('bench-resume').isEnabled(), ended).toBe(true)
    await lab.at('bench-resume').click()
    await expect.poll(state, ended).toBe('done')
    expect(await rows('measured').count()).toBe(4)
    await lab.at('bench-page-kept').click()
    const states = await lab.at('bench-kept').locator('tbody tr > :nth-child(3)').allTextContents()
    expect(states).toEqual(['done', 'cancelled', 'done'])
  })
})
