import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { defineComponent, h } from 'vue'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LabError } from '@shared/errors'
import type { PlotImage } from '@shared/plot-image'
import { canvasSizes, fakePng, installFakePainter } from '../../test/fake-painter'
import { freshWindow } from '../../test/mount'
import { lineFigure } from '@/plots/figure/line-figure'
import { useFigure, useFiguresStore } from '@/stores/figures'
import PlotActions from './PlotActions.vue'

const theme = {
  ink: '#1d2125',
  quietInk: '#5a626b',
  grid: '#eeeeee',
  ground: '#ffffff',
  accent: '#1560b8',
  neutralPoint: '#8a929b',
  font: 'sans-serif',
}
const series = [{ name: '', colour: '#1560b8', xs: [1, 2], ys: [3, 1] }]
const parts = {
  title: 'Inertia',
  xLabel: 'iteration',
  yLabel: 'inertia',
  series,
  width: 300,
  height: 150,
  theme,
}
const figure = () => Promise.resolve(lineFigure(parts))

let page: VueWrapper | null = null
const item = (id: string) => document.querySelector<HTMLElement>(`[data-testid="plot-inertia-${id}"]`)

async function open(answers: Parameters<typeof freshWindow>[0]) {
  const { lab, pinia } = freshWindow(answers)
  const main = document.createElement('main')
  document.body.append(main)
  const store = useFiguresStore()
  store.register({ name: 'inertia', title: 'Inertia', figure })
  const entry = store.entry('inertia')
  page = mount(PlotActions, { props: { figure: entry! }, global: { plugins: [pinia] }, attachTo: main })
  await page.find('button').trigger('keydown', { key: 'Enter' })
  await flushPromises()
  return lab
}

/** Chooses a format in the menu and what is proposed in the dialog. */
async function save(format: 'png' | 'svg'): Promise<void> {
  item(format)?.click()
  await flushPromises()
  document.querySelector<HTMLFormElement>('#save-plot-form')?.requestSubmit()
  await flushPromises()
}

beforeEach(installFakePainter)
afterEach(() => {
  page?.unmount()
  page = null
  document.body.innerHTML = ''
})

describe('the actions of a plot', () => {
  it('save what is shown as SVG, at the size that is chosen, and say so', async () => {
    const lab = await open({ 'app.save-plot': () => ({ path: '/home/ada/inertia.svg', bytes: 2048 }) })
    await save('svg')
    const sent = lab.asked.at(-1)?.params as PlotImage
    expect([sent.name, sent.format]).toEqual(['inertia', 'svg'])
    expect(new TextDecoder().decode(sent.bytes)).toMatch(/^<\?xml .*<title>Inertia<\/title>.*<\/svg>\n$/s)
    expect(page?.emitted('done')).toEqual([['Saved inertia.svg (2.0 KiB)']])
    // 16 cm at 96 pixels an inch.
    expect(new TextDecoder().decode(sent.bytes)).toContain('width="604.72"')
  })

  it('copy a PNG of twice the size', async () => {
    const lab = await open({ 'app.copy-image': () => null })
    item('copy')?.click()
    await flushPromises()
    expect(canvasSizes).toEqual([[600, 300]])
    const { channel, params } = lab.asked.at(-1) ?? {}
    expect(channel).toBe('app.copy-image')
    expect([...(params as { png: Uint8Array }).png]).toEqual([...fakePng])
    expect(page?.emitted('done')).toEqual([['Copied the plot “Inertia” as an image']])
  })

  it('say nothing when the dialog was closed, and pass a failure on', async () => {
    await open({ 'app.save-plot': () => null })
    await save('png')
    expect(page?.emitted('done')).toBeUndefined()
    page?.unmount()
    const full = new LabError('io', 'io.full', 'The disk is full.')
    await open({
      'app.save-plot': () => {
        throw full
      },
    })
    await save('png')
    expect(page?.emitted('fail')?.[0]?.[0]).toMatchObject({ message: 'The disk is full.' })
  })
})

describe('the registry of plots', () => {
  it('holds a plot as long as its view is mounted, in a fixed order', () => {
    const { pinia } = freshWindow()
    const view = (name: 'steps' | 'clusters') =>
      mount(
        defineComponent(() => {
          useFigure({ name, title: name, figure })
          return () => h('p')
        }),
        { global: { plugins: [pinia] } },
      )
    const store = useFiguresStore()
    const names = () => store.list.map(({ name }) => name)
    const steps = view('steps')
    const clusters = view('clusters')
    expect(names()).toEqual(['clusters', 'steps'])
    const again = view('clusters')
    clusters.unmount()
    expect(names()).toEqual(['clusters', 'steps'])
    again.unmount()
    steps.unmount()
    expect(names()).toEqual([])
  })
})
