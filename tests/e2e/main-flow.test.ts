import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Papa from 'papaparse'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from './axe'
import { feltMs, slowestTripMs } from './felt-time'
import { areFluid, framesOf, launch, type Frames, type Lab } from './harness'

/** To the host, its event back, and a drawing each: what a trip does at least twice. */
const waysOfACancel = 3

let lab: Lab

beforeAll(async () => {
  lab = await launch()
})
afterAll(() => lab.close())

/** Unfolds it; a test that is tried again finds it open. */
async function openAdvanced(): Promise<void> {
  if (!(await lab.at('max-iterations').isVisible())) await lab.at('advanced').click()
}

async function exported(kind: string, name: string): Promise<string> {
  const path = join(lab.folder, name)
  await lab.saveAs(path)
  await lab.at('export-menu').click()
  await lab.at(`export-${kind}`).click()
  await lab.at('status-bar').filter({ hasText: name }).waitFor()
  return await readFile(path, 'utf8')
}

function rowsOf(text: string): Record<string, string>[] {
  return Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true, fastMode: false })
    .data
}

describe('the main job, in the window', () => {
  it('starts with a drop zone and three samples', async () => {
    await lab.at('drop-zone').waitFor()
    for (const name of ['iris', 'wine', 'digits']) expect(await lab.at(`sample-${name}.csv`).count()).toBe(1)
    await lab.picture('start')
  })

  it('loads a dropped file and proposes its numeric columns', async () => {
    await lab.openExample('iris.csv')
    expect(await lab.at('dataset-shape').textContent()).toMatch(/150\D+4/)
    expect(await lab.at('feature-petal_width').isChecked()).toBe(true)
    expect(await lab.at('feature-species').count()).toBe(0)
    await expect.poll(() => lab.at('scatter').getAttribute('data-points-drawn')).toBe('150')
    await lab.picture('loaded')
  })

  it('clusters it and shows clusters, history and result', async () => {
    await lab.at('init').selectOption('first-k')
    await lab.at('stop-rule').selectOption('labels')
    await lab.at('run').click()
    const inertia = () => lab.at('result-inertia').textContent({ timeout: 20_000 })
    await expect.poll(inertia, { timeout: 20_000 }).toContain('78.86')
    expect(await lab.at('cluster-table').locator('[data-cluster]').count()).toBe(3)
    await expect.poll(() => lab.at('scatter').getAttribute('data-coloured')).toBe('true')
    expect(await lab.at('result-iterations').textContent()).toContain('12')
    await expect.poll(() => lab.at('inertia-plot').getAttribute('data-iterations')).toBe('12')
    await lab.picture('clusters')
  })

  it('exports files that say what the window shows', async () => {
    const sizes = rowsOf(await exported('centroids', 'centroids.csv')).map(({ size }) => Number(size))
    expect(sizes).toEqual([39, 61, 50])
    const source = rowsOf(await readFile('examples/iris.csv', 'utf8'))
    const labelled = rowsOf(await exported('labels', 'labels.csv'))
    expect(labelled.map(({ cluster: _c, distance: _d, ...cells }) => cells)).toEqual(source)
    const counts = [0, 1, 2].map(
      (cluster) => labelled.filter((row) => row['cluster'] === String(cluster)).length,
    )
    expect(counts).toEqual(sizes)
    const inertia = labelled.reduce((sum, { distance }) => sum + Number(distance) ** 2, 0)
    expect(inertia).toBeCloseTo(78.8557, 3)
    const history = rowsOf(await exported('history', 'history.csv'))
    expect(history).toHaveLength(12)
    expect(history.at(-1)?.['changed']).toBe('0')
    const record = JSON.parse(await exported('run', 'run.json')) as Record<string, unknown>
    expect(JSON.stringify(record)).toMatch(/"sha256":"[0-9a-f]{64}"/)
  })

  it('keeps the result when a setting changes, and marks it', async () => {
    await lab.at('k').fill('4')
    await lab.at('stale-mark').waitFor()
    expect(await lab.at('result-inertia').textContent()).toContain('78.86')
    await lab.at('k').fill('0')
    expect(await lab.at('run').isDisabled()).toBe(true)
    await lab.at('k').fill('3')
    await lab.at('stale-mark').waitFor({ state: 'detached' })
  })

  it('tells an export that cannot be written in one sentence, and writes nothing', async () => {
    const path = join(lab.folder, 'missing folder', 'labels.csv')
    await lab.saveAs(path)
    await lab.at('export-menu').click()
    await lab.at('export-labels').click()
    await expect.poll(() => lab.at('error-message').first().textContent()).toContain('missing folder')
    await expect(readFile(path)).rejects.toThrow()
  })

  it('cancels a long run at once and keeps the result before it', async () => {
    await lab.at('stop-rule').selectOption('none')
    await openAdvanced()
    await lab.at('max-iterations').fill('100000000')
    await lab.at('run').click()
    await lab.at('cancel').waitFor()
    await lab.page.waitForTimeout(500)
    await lab.picture('running')
    const before = await slowestTripMs(lab)
    const felt = await feltMs(lab, 'cancel', 'progress', 'cancelled')
    const trip = Math.max(before, await slowestTripMs(lab))
    // 200 ms for the engine, and a few ways to it and back, which take as long as the machine's load has them.
    expect(felt).toBeLessThan(200 + Math.max(200, waysOfACancel * trip))
    expect(await lab.at('result-inertia').textContent()).toContain('78.86')
  })

  it.each(['global-atomics', 'fused'])('clusters on WebGPU with %s', async (variant) => {
    await openAdvanced()
    await lab.at('max-iterations').fill('300')
    await lab.at('stop-rule').selectOption('labels')
    await lab.at('engine').selectOption('webgpu')
    await lab.at('variant').selectOption(variant)
    await lab.at('run').click()
    await expect.poll(() => lab.at('status-bar').textContent(), { timeout: 60_000 }).toContain(variant)
    await expect.poll(() => lab.at('progress').getAttribute('data-state'), { timeout: 60_000 }).toBe('done')
    expect(await lab.at('result-inertia').textContent()).toContain('78.86')
  })
})

describe('100 000 points', () => {
  it('draws every one, and pans and zooms fluidly', async () => {
    const path = join(lab.folder, 'many.csv')
    const lines = Array.from(
      { length: 100_000 },
      (_, i) => `${Math.sin(i) * 10},${Math.cos(i * 1.7) * (i % 10)}`,
    )
    await writeFile(path, `x,y\n${lines.join('\n')}\n`)
    await lab.drop(path)
    await lab.at('dataset-name').filter({ hasText: 'many.csv' }).waitFor()
    await expect
      .poll(() => lab.at('scatter').getAttribute('data-points-drawn'), { timeout: 30_000 })
      .toBe('100000')
    const gestures: Frames[] = []
    while (gestures.length < 6) gestures.push(await panAndZoom())
    console.warn('panned and zoomed:', ...gestures)
    await lab.picture('100000 points')
    expect(gestures).toSatisfy(areFluid)
  })

  it('shows how many there are in each place, with a legend', async () => {
    await lab.at('tool-reset').click()
    await lab.at('tool-density').click()
    await lab.at('density-legend').waitFor()
    expect(await lab.at('density-legend').getAttribute('aria-label')).toMatch(/^Colours from 1 to \d/)
    expect(await lab.page.locator('.plot-title').first().textContent()).toBe('y against x, density of points')
    await lab.picture('100000 points density')
    expect(await violations(lab.page)).toEqual([])
    await lab.at('tool-density').click()
    await lab.at('density-legend').waitFor({ state: 'detached' })
  })
})

/** One gesture over the scatter. */
async function panAndZoom(): Promise<Frames> {
  const box = await lab.at('scatter').boundingBox()
  if (!box) throw new Error('the scatter is not shown')
  const { mouse } = lab.page
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await mouse.move(x, y)
  await mouse.down()
  for (let step = 1; step <= 40; step++) await mouse.move(x + step * 3, y + step)
  await mouse.up()
  for (let step = 0; step < 10; step++) await mouse.wheel(0, step % 2 ? 120 : -120)
  await lab.page.waitForTimeout(600)
  return framesOf(lab.at('scatter'))
}
