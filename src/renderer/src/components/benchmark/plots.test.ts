import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import { comparisonDocument, scalingDocument } from '@shared/benchmark/testing/document'
import { installFakePainter } from '../../../test/fake-painter'
import { freshWindow } from '../../../test/mount'
import { installSight } from '../../../test/sight'
import { benchmarkFigures } from '@/plots/benchmark/benchmark-figures'
import { StatisticsService, type StatisticsRequest } from '@/plots/benchmark/statistics'
import IterationsPlot from './IterationsPlot.vue'
import PhasesPlot from './PhasesPlot.vue'
import ScalingPlot from './ScalingPlot.vue'
import SpeedupsPlot from './SpeedupsPlot.vue'
import TimesPlot from './TimesPlot.vue'

let page: VueWrapper | null = null
const baseline = 'cpu/sequential'
const image = () => page?.find('[role=img]')
/** What the plot shows, in words. */
const described = () => page?.find(`[id="${image()?.attributes('aria-describedby')}"]`).text()

/** The painting worker and, where statistics are asked for, that one. */
function installWorkers(): void {
  installFakePainter()
  const Painter = globalThis.Worker as unknown as new () => EventTarget & { postMessage(data: unknown): void }
  vi.stubGlobal(
    'Worker',
    class extends Painter {
      readonly service = new StatisticsService()
      override postMessage(data: unknown): void {
        const { kind } = data as StatisticsRequest
        if (!['rows', 'speedups', 'sweeps'].includes(kind)) return super.postMessage(data)
        const request = structuredClone(data as StatisticsRequest)
        const answer = (part: unknown) => this.dispatchEvent(new MessageEvent('message', { data: part }))
        queueMicrotask(() => this.service.take(request, answer))
      }
    },
  )
}

async function show(
  component: object,
  document: BenchmarkDocument,
  workload: object = {},
): Promise<VueWrapper> {
  const { pinia } = freshWindow()
  const main = window.document.createElement('main')
  window.document.body.append(main)
  page = mount(component, {
    props: { document, baseline, ...workload },
    global: { plugins: [pinia] },
    attachTo: main,
  })
  await flushPromises()
  return page
}

beforeEach(() => {
  installSight(700)
  installWorkers()
})
afterEach(() => {
  page?.unmount()
  page = null
  document.body.innerHTML = ''
  vi.restoreAllMocks()
})

describe('the plots of a comparison', () => {
  it('say in words what they show', async () => {
    await show(TimesPlot, comparisonDocument(), { dataset: 'iris.csv', k: 3 })
    expect(image()?.attributes('aria-label')).toContain('iris.csv, N = 150, d = 4, k = 3')
    expect(described()).toContain('1 contender disagreed with the reference.')
  })

  it('walk from tip to tip by arrow keys', async () => {
    const plot = await show(TimesPlot, comparisonDocument())
    await image()?.trigger('keydown', { key: 'ArrowDown' })
    expect(plot.find('[aria-live]').text()).toContain('cuda:0 Global atomics, median 1.920 ms of 5 runs')
    await image()?.trigger('keydown', { key: 'End' })
    expect(plot.find('[aria-live]').text()).toContain('NumPy')
    await image()?.trigger('keydown', { key: 'Escape' })
    expect(plot.find('[aria-live]').text()).toBe('')
  })

  it('zoom by keys and wheel, and show everything again', async () => {
    const plot = await show(ScalingPlot, scalingDocument())
    const zoomed = () => image()?.attributes('data-zoomed')
    expect(image()?.attributes('aria-label')).toContain('Plus and minus zoom')
    await image()?.trigger('keydown', { key: '+' })
    expect(zoomed()).toBe('true')
    await image()?.trigger('dblclick')
    expect(zoomed()).toBe('false')
    const isPrevented = (more: object) =>
      !image()?.element.dispatchEvent(new WheelEvent('wheel', { deltaY: -120, cancelable: true, ...more }))
    // Unasked, the wheel scrolls the page that the plot lies on.
    expect(isPrevented({})).toBe(false)
    expect(isPrevented({ ctrlKey: true })).toBe(true)
    await flushPromises()
    expect(zoomed()).toBe('true')
    await plot.find('.bench-plot-hint button').trigger('click')
    expect(zoomed()).toBe('false')
  })

  it('have a sentence in place of what is not there yet', async () => {
    const plot = await show(TimesPlot, { ...comparisonDocument(), rows: [] })
    expect(plot.text()).toContain('appear here as soon as the first contender has been measured')
    expect(plot.find('canvas').exists()).toBe(false)
  })

  it('compute speed-ups beside the window and follow the baseline', async () => {
    const plot = await show(SpeedupsPlot, comparisonDocument(), { dataset: 'uniform 100k', k: 5 })
    expect(described()).toContain('cuda:0 Global atomics is 62.5 times as fast')
    await plot.setProps({ baseline: 'cpu/fused' })
    await flushPromises()
    expect(described()).toContain('times as fast as CPU Fused')
  })

  it('say that nothing varies where a comparison is no sweep', async () => {
    const document = comparisonDocument()
    const rows = document.rows.filter(({ dataset, k }) => dataset === 'iris.csv' && k === 3)
    expect((await show(ScalingPlot, { ...document, rows })).text()).toContain(
      'Needs two sizes or two values of k',
    )
  })

  it('let the person choose among several sweeps', async () => {
    const plot = await show(ScalingPlot, comparisonDocument())
    const options = plot.findAll('option').map((option) => option.text())
    expect(options).toContain('Over k: iris.csv, N = 150, d = 4')
    await plot.find('select').setValue(plot.findAll('option').at(-1)?.attributes('value'))
    expect(plot.find('h2').text()).toContain('Execution time over k')
  })

  it('show shares and the loading of the file on request', async () => {
    const plot = await show(PhasesPlot, comparisonDocument())
    const key = () => plot.findAll('.bench-plot-key li').map((entry) => entry.text())
    expect(key()).not.toContain('load')
    await plot.find('input').setValue(true)
    await flushPromises()
    expect(key()).toContain('load')
  })

  it('tell what each iteration took', async () => {
    const plot = await show(IterationsPlot, comparisonDocument())
    await image()?.trigger('keydown', { key: 'ArrowRight' })
    expect(plot.find('[aria-live]').text()).toMatch(/^iteration 1, CPU Sequential 5.94. ms/)
  })
})

describe('the pictures for the workbook and the report', () => {
  it('are all that apply, each with a name of its own', async () => {
    const names = (await benchmarkFigures(comparisonDocument(), baseline, 'svg')).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['speedups', 'times-uniform-100k-k5', 'phases-iris-csv-k3']))
    expect(new Set(names).size).toBe(names.length)
  })

  it('come with the titles that they have in the window', async () => {
    const plots = await benchmarkFigures(comparisonDocument(), baseline, 'svg')
    expect(plots.find(({ name }) => name === 'times-iris-csv-k3')?.title).toBe(
      'Execution times: iris.csv, N = 150, d = 4, k = 3',
    )
  })

  it('hold the sweep with its crossovers', async () => {
    const images = await benchmarkFigures(scalingDocument(), baseline, 'svg')
    const sweep = images.find(({ name }) => name === 'scaling-n')
    expect(new TextDecoder().decode(sweep?.bytes)).toContain('interval of the crossover')
  })
})
