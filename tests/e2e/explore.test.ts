import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { areFluid, framesOf, launch, type Frames, type Lab } from './harness'

let lab: Lab

beforeAll(async () => {
  lab = await launch()
  await lab.openExample('iris.csv')
  await lab.at('init').selectOption('first-k')
  await lab.at('stop-rule').selectOption('labels')
  await run()
})
afterAll(() => lab.close())

async function run(): Promise<void> {
  await lab.at('run').click()
  await lab.page.waitForSelector('[data-testid=progress][data-state=done]', { state: 'attached' })
}

const says = () => lab.at('time-says').textContent()
const attribute = (id: string, name: string) => lab.at(id).getAttribute(name)

/** A place on the scatter as shares of its box, in pixels of the window. */
async function pixelAt(shareX: number, shareY: number): Promise<readonly [number, number]> {
  const box = await lab.at('scatter').boundingBox()
  if (!box) throw new Error('the scatter is not shown')
  return [box.x + shareX * box.width, box.y + shareY * box.height]
}

async function drag(path: readonly (readonly [number, number])[]): Promise<void> {
  const { mouse } = lab.page
  const [first, ...rest] = await Promise.all(path.map(([x, y]) => pixelAt(x, y)))
  if (!first) return
  await mouse.move(...first)
  await mouse.down()
  for (const next of rest) await mouse.move(...next, { steps: 5 })
  await mouse.up()
}

describe('the time line', () => {
  it('stands at the result and steps back through the iterations', async () => {
    expect(await says()).toBe('Iteration 12 of 12, result')
    await lab.at('time-previous').click()
    expect(await says()).toBe('Iteration 11 of 12')
    await lab.at('time-first').click()
    expect(await says()).toBe('Initial centroids of 12 iterations')
    await expect.poll(() => attribute('scatter', 'data-coloured')).toBe('false')
    await lab.picture('time line start')
    await lab.at('time-slider').focus()
    await lab.page.keyboard.press('ArrowRight')
    await expect.poll(says).toBe('Iteration 1 of 12')
    await expect.poll(() => attribute('scatter', 'data-coloured')).toBe('true')
    expect(await attribute('scatter', 'data-centroids')).toBe('3')
  })

  it('is linked with the plots of the history', async () => {
    await expect.poll(() => attribute('inertia-plot', 'data-marker')).toBe('1')
    for (const plot of ['inertia-plot', 'shift-plot', 'changed-plot'])
      expect(await attribute(plot, 'data-iterations')).toBe('12')
    const box = await lab.at('shift-plot').boundingBox()
    if (!box) throw new Error('the plot is not shown')
    await lab.page.mouse.click(box.x + box.width * 0.98, box.y + box.height / 2)
    await expect.poll(says).toMatch(/^Iteration 1[12] of 12/)
  })

  it('zooms into a plot of the history by wheel and drag, and shows everything again', async () => {
    const box = await lab.at('inertia-plot').boundingBox()
    if (!box) throw new Error('the plot is not shown')
    const { mouse, keyboard } = lab.page
    const isZoomed = () => attribute('inertia-plot', 'data-zoomed')
    await mouse.move(box.x + box.width / 2, box.y + box.height / 3)
    await mouse.wheel(0, -240)
    await expect.poll(isZoomed).toBe('true')
    await mouse.dblclick(box.x + box.width / 2, box.y + box.height / 3)
    await expect.poll(isZoomed).toBe('false')
    const before = await says()
    await mouse.move(box.x + box.width * 0.2, box.y + box.height * 0.2)
    await mouse.down()
    await mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.7, { steps: 5 })
    await lab.picture('history box')
    await mouse.up()
    await expect.poll(isZoomed).toBe('true')
    await lab.picture('history zoomed')
    await lab.at('inertia-plot').focus()
    await keyboard.press('0')
    await expect.poll(isZoomed).toBe('false')
    // A drag is no click: the iteration on screen stays.
    expect(await says()).toBe(before)
  })

  it('plays from the start to the result', async () => {
    await lab.at('time-last').click({ force: true })
    await lab.at('time-play').click()
    await expect.poll(says).toMatch(/^(Initial|Iteration [1-9] )/)
    await expect.poll(says, { timeout: 15_000 }).toBe('Iteration 12 of 12, result')
  })
})

describe('rows on the plot', () => {
  it('are reported under the pointer', async () => {
    // The whole plot is searched for a point, as a hand would.
    for (let share = 0.1; share < 0.9 && (await lab.at('row-tip').count()) === 0; share += 0.01) {
      await lab.page.mouse.move(...(await pixelAt(share, 0.45)))
      await lab.page.waitForTimeout(30)
    }
    expect(await lab.at('row-tip').textContent()).toMatch(/Row \d+, cluster \d.*petal_width/s)
    await lab.picture('row under the pointer')
  })

  it('are selected by a lasso and listed with every cell of the file', async () => {
    await lab.at('tool-lasso').click()
    await drag([
      [0.02, 0.02],
      [0.98, 0.02],
      [0.98, 0.97],
      [0.02, 0.97],
    ])
    await expect.poll(() => lab.at('selection-count').textContent()).toBe('150 rows selected')
    await expect.poll(() => lab.at('selection').textContent()).toContain('setosa')
    await lab.picture('rows selected')
    await lab.at('selection-copy').click()
    const text = await lab.app.evaluate(({ clipboard }) => clipboard.readText())
    expect(text.split('\n')).toHaveLength(151)
    expect(text.split('\n')[0]).toBe(
      ['row', 'cluster', 'sepal_length', 'sepal_width', 'petal_length', 'petal_width', 'species'].join('\t'),
    )
  })

  it('are kept or left out as a filter of the next run, and taken back by Undo', async () => {
    const leftHalf = [
      [0.02, 0.02],
      [0.5, 0.02],
      [0.5, 0.97],
      [0.02, 0.97],
    ] as const
    await drag(leftHalf)
    await expect.poll(() => lab.at('selection-count').textContent()).toMatch(/^\d\d rows selected$/)
    const count = Number.parseInt((await lab.at('selection-count').textContent()) ?? '', 10)
    await lab.at('selection-leave-out').click()
    await expect.poll(() => lab.at('filter-bar').textContent()).toContain(`${count} of 150 rows left out`)
    await lab.at('scatter').focus()
    await lab.page.keyboard.press('Control+z')
    await lab.at('filter-bar').waitFor({ state: 'detached' })
    // What was left out is no longer picked, so that the rows that are clustered are not paled.
    expect(await attribute('scatter', 'data-selected')).toBe('0')
    await drag(leftHalf)
    await lab.at('selection-keep').click()
    await expect
      .poll(() => lab.at('filter-bar').textContent())
      .toContain(`${150 - count} of 150 rows left out`)
    await lab.picture('rows kept by a lasso')
    await lab.at('filter-bar-remove').click()
    await lab.at('filter-bar').waitFor({ state: 'detached' })
  })

  it('are let go by Escape', async () => {
    await lab.at('scatter').focus()
    await lab.page.keyboard.press('Escape')
    await expect.poll(() => attribute('scatter', 'data-selected')).toBe('0')
    await lab.at('history').waitFor()
  })

  it('of a cluster are selected from its row of the table', async () => {
    await lab.at('rows-of-2').click()
    await expect.poll(() => lab.at('selection-count').textContent()).toBe('50 rows selected')
    await lab.at('selection-clear').click()
  })

  it('can be picked with the keyboard alone', async () => {
    await lab.at('scatter').focus()
    await lab.page.keyboard.press('Enter')
    await expect.poll(() => lab.at('selection-count').textContent()).toBe('1 row selected')
    await lab.page.keyboard.press('Escape')
  })
})

describe('the view of the plot', () => {
  /** Width of the layer of points, and of the area between the axes as the chart has it. */
  const widths = () =>
    lab.page.evaluate(() => {
      const points = document.querySelector<HTMLCanvasElement>('.scatter-points')
      const axes = document.querySelector<HTMLCanvasElement>('.scatter-axes canvas')
      return [points?.clientWidth ?? 0, axes?.clientWidth ?? 0] as const
    })

  it('keeps points and axes together when the theme and then the size change', async () => {
    const [points, axes] = await widths()
    await lab.at('theme').selectOption('dark')
    await lab.page.waitForTimeout(300)
    const resize = (by: number) =>
      lab.app.evaluate(({ BrowserWindow }, more) => {
        const window = BrowserWindow.getAllWindows()[0]
        const [width = 0, height = 0] = window?.getContentSize() ?? []
        window?.setContentSize(width + more, height)
      }, by)
    await resize(200)
    await expect.poll(async () => (await widths())[1]).toBeGreaterThan(axes + 100)
    // What is left and right of the area between the axes has the same width at any size.
    await expect.poll(async () => (await widths())[1] - (await widths())[0]).toBeCloseTo(axes - points, -1)
    await resize(-200)
    await lab.at('theme').selectOption('system')
    await expect.poll(async () => (await widths())[1]).toBe(axes)
  })

  it('zooms into a box and back to the whole', async () => {
    await lab.at('tool-zoom').click()
    await drag([
      [0.3, 0.3],
      [0.6, 0.6],
    ])
    await expect.poll(async () => Number(await attribute('scatter', 'data-points-drawn'))).toBeLessThan(100)
    await lab.at('tool-reset').click()
    await expect.poll(() => attribute('scatter', 'data-points-drawn')).toBe('150')
    await lab.at('tool-move').click()
  })

  it('shows principal components with the variance they explain', async () => {
    await lab.smallest(async () => {
      expect(await lab.at('show-components').innerText()).toBe('Show components')
      const cut = (button: HTMLElement | SVGElement) => button.scrollWidth - button.clientWidth
      expect(await lab.at('show-components').evaluate(cut)).toBe(0)
    })
    await expect.poll(() => lab.at('show-components').innerText()).toBe('Show principal components')
    await lab.at('show-components').click()
    await expect.poll(() => lab.at('axis-x').locator('option:checked').textContent()).toContain('92.5 %')
    await expect.poll(() => lab.page.locator('.plot-title').first().textContent()).toContain('PC 2 (5.3 %')
    await expect.poll(() => attribute('scatter', 'data-centroids')).toBe('3')
    await lab.at('time-first').click()
    await expect.poll(() => attribute('scatter', 'data-centroids')).toBe('3')
    await lab.picture('principal components')
    await lab.at('show-components').click()
    await lab.at('time-last').click()
  })
})

describe('100 000 points over 50 iterations', () => {
  it('are scrubbed fluidly', async () => {
    const path = join(lab.folder, 'many.csv')
    const lines = Array.from(
      { length: 100_000 },
      (_, i) => `${Math.sin(i) * 10},${Math.cos(i * 1.7) * (i % 10)}`,
    )
    await writeFile(path, `x,y\n${lines.join('\n')}\n`)
    await lab.drop(path)
    await lab.at('dataset-name').filter({ hasText: 'many.csv' }).waitFor()
    await expect.poll(() => attribute('scatter', 'data-points-drawn'), { timeout: 30_000 }).toBe('100000')
    await lab.at('k').fill('8')
    await lab.at('stop-rule').selectOption('none')
    await lab.at('max-iterations').fill('50')
    await run()
    await expect.poll(says).toBe('Iteration 50 of 50, result')
    const scrubs: Frames[] = []
    while (scrubs.length < 4) scrubs.push(await scrubAll())
    console.warn('scrubbed:', ...scrubs)
    expect(scrubs).toSatisfy(areFluid)
    await expect.poll(() => attribute('scatter', 'data-coloured')).toBe('true')
    await lab.picture('scrubbing 100000 points')
  })
})

/** Drags the slider from end to end and back. */
async function scrubAll(): Promise<Frames> {
  const box = await lab.at('time-slider').boundingBox()
  if (!box) throw new Error('the time line is not shown')
  const { mouse } = lab.page
  const y = box.y + box.height / 2
  await mouse.move(box.x + box.width - 8, y)
  await mouse.down()
  for (let step = 0; step <= 100; step++)
    await mouse.move(box.x + 8 + (box.width - 16) * Math.abs(1 - step / 50), y)
  await mouse.up()
  await lab.page.waitForTimeout(600)
  return framesOf(lab.at('scatter'))
}
