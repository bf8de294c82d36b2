import type { Suite } from '@shared/benchmark/suite'
import { comparisonDocument } from '@shared/benchmark/testing/document'
import { limitedDocument } from '@shared/benchmark/testing/limited-document'
import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { documentAnswers } from '../../../test/document-answers'
import { engineReports, summary } from '../../../test/fixtures'
import { channelsOf, freshWindow } from '../../../test/mount'
import { useAppStore } from '@/stores/app'
import { useBenchmarkStore } from '@/stores/benchmark'
import { useConfigStore } from '@/stores/config'
import { useDatasetStore } from '@/stores/dataset'
import { useEnginesStore } from '@/stores/engines'
import BenchmarkView from './BenchmarkView.vue'

/** A missing engine tells what it would offer, as the engine host does. */
const reports = engineReports.map((report) =>
  report.available ? report : { ...report, variants: engineReports[0]!.variants },
)
const document_ = comparisonDocument()
const outside = [
  { system: 'numpy', available: false, version: null, reason: 'There is no python3 on this machine.' },
] as const

let view: VueWrapper
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  view.unmount()
  document.body.innerHTML = ''
  vi.useRealTimers()
})

const at = (id: string) => view.find(`[data-testid="${id}"]`)
/** Long enough for a plan to be asked for. */
async function calm() {
  await flushPromises()
  await vi.advanceTimersByTimeAsync(1000)
  await flushPromises()
}

async function show(answers: Parameters<typeof freshWindow>[0] = {}, loaded = true) {
  const { lab, pinia } = freshWindow({
    'bench.presets': () => [{ id: 'study', suite: document_.suite }],
    'bench.outside': () => outside,
    'bench.list': () => ({ comparisons: [], damaged: [] }),
    ...documentAnswers(() => ({ ...document_, state: 'running', rows: [] })),
    'app.bench-plan': () => ({ cells: document_.plan, predictedMs: 83_000 }),
    'app.bench-start': () => ({ benchId: document_.id }),
    ...answers,
  })
  useAppStore().hostState = { state: 'ready', pid: 1 }
  useEnginesStore().reports = reports
  useBenchmarkStore().subscribe()
  if (loaded) {
    const file = summary()
    useDatasetStore().summary = file
    useConfigStore().adopt(file)
  }
  const main = document.createElement('main')
  document.body.append(main)
  view = mount(BenchmarkView, { global: { plugins: [pinia], stubs: ['ComparisonPage'] }, attachTo: main })
  await calm()
  return lab
}

describe('setting up a comparison', () => {
  it('takes back what was wrong with a suite once another is opened', async () => {
    await show({ 'app.bench-open-suite': () => document_.suite })
    const app = useAppStore()
    app.fail(new Error('distance cosine is refused.'))
    expect(app.error?.message).toContain('cosine')
    await at('bench-open-suite').trigger('click')
    await calm()
    expect(app.error).toBeNull()
  })

  it('starts with the loaded file ticked, and tells what it would take', async () => {
    const lab = await show()
    expect((at('bench-case-iris.csv').element as HTMLInputElement).checked).toBe(true)
    expect(at('bench-plan-sentence').text()).toBe('15 rows, 1 skipped: about 1 min 23 s')
    expect(at('bench-plan').text()).toContain('python3 has no numpy here.')
    await at('bench-start').trigger('click')
    await flushPromises()
    const sent = lab.asked.find(({ channel }) => channel === 'app.bench-start')?.params as { suite: Suite }
    expect(sent.suite.cases).toEqual([
      { dataset: { kind: 'loaded', datasetId: 'data-1', name: 'iris.csv' }, k: [3] },
    ])
    expect(useBenchmarkStore().page).toBe('comparison')
  })

  it('follows the k of the settings until another is typed', async () => {
    await show()
    const k = () => (at('bench-k').element as HTMLInputElement).value
    expect(k()).toBe('3')
    useConfigStore().draft.k = '7'
    await calm()
    expect(k()).toBe('7')
    await at('bench-k').setValue('5, 10')
    useConfigStore().draft.k = '8'
    await calm()
    expect(k()).toBe('5, 10')
  })

  it('takes the focus when it is opened, but not from its tab', async () => {
    await show()
    expect(document.activeElement).toBe(at('bench-page-setup').element)
    view.unmount()
    const tab = document.createElement('button')
    tab.setAttribute('role', 'tab')
    document.body.append(tab)
    tab.focus()
    await show()
    expect(document.activeElement).toBe(tab)
  })

  it('says what the memory of the plan holds, and no size of a file that could not be read', async () => {
    const plan = document_.plan.map((cell, i) => (i < 4 ? { ...cell, n: 0, d: 0 } : cell))
    await show({ 'app.bench-plan': () => ({ cells: plan, predictedMs: 83_000 }) })
    expect(at('bench-plan').find('thead').text()).toContain('beside the data')
    expect(at('bench-plan').find('td[title*="The data themselves"]').exists()).toBe(true)
    expect(at('bench-plan').find('.bench-group').text()).toContain('size unknown')
    expect(at('bench-plan').text()).not.toContain('0 ×')
  })

  it('says what is wrong, and plans once it is mended and nothing changes for a moment', async () => {
    const lab = await show()
    const plans = () => channelsOf(lab).filter((channel) => channel === 'app.bench-plan').length
    const before = plans()
    await at('bench-k').setValue('3, 200')
    await calm()
    expect(view.text()).toContain('k = 200 is more than the 150 rows of iris.csv')
    expect(at('bench-start').attributes('disabled')).toBeDefined()
    expect(plans()).toBe(before)
    for (const typed of ['3', '3,', '3, 5']) await at('bench-k').setValue(typed)
    await calm()
    expect(plans()).toBe(before + 1)
    expect(at('bench-start').attributes('disabled')).toBeUndefined()
  })

  it('plans within a limit of each cell, and says what it leaves of a row and what is not run', async () => {
    const { plan, suite } = limitedDocument()
    const lab = await show({ 'app.bench-plan': () => ({ cells: plan, predictedMs: 83_000 }) })
    await at('bench-preset').setValue('study')
    await at('bench-cell-limit').setValue('0')
    await calm()
    expect(view.text()).toContain('The limit of a cell is ‘0’')
    expect(at('bench-start').attributes('disabled')).toBeDefined()
    await at('bench-cell-limit').setValue(String(suite.maxCellSeconds))
    await calm()
    const asked = lab.asked.filter(({ channel }) => channel === 'app.bench-plan').at(-1)?.params
    expect((asked as { suite: Suite }).suite.maxCellSeconds).toBe(600)
    const planned = at('bench-plan').text()
    expect(planned).toContain('5 of 20 iterations, 1 of 5 repeats, no warm-up')
    expect(planned).toContain('Not run: 14 h predicted on 16 threads; ')
  })

  it('takes everything from a study and shows its hardware; the file is there, not ticked', async () => {
    await show()
    await at('bench-preset').setValue('study')
    await calm()
    expect(at('bench-study').text()).toContain('a GeForce of 2013')
    expect((at('bench-case-iris.csv').element as HTMLInputElement).checked).toBe(false)
    expect(view.findAll('[data-testid^="bench-case-"]')).toHaveLength(3)
    // Nor is another file that is opened beside the study.
    useDatasetStore().summary = summary({ id: 'data-2', file: { ...summary().file, name: 'wine.csv' } })
    await calm()
    expect((at('bench-case-wine.csv').element as HTMLInputElement).checked).toBe(false)
    await at('bench-preset').setValue('')
    expect(at('bench-study').exists()).toBe(false)
    expect((at('bench-case-wine.csv').element as HTMLInputElement).checked).toBe(true)
  })

  it('locks what this machine lacks, with the reason', async () => {
    await show()
    const missing = reports.find(({ available }) => !available)!
    const box = at(`bench-tick-${missing.id}/${missing.variants[0]!.id}`)
    expect(box.attributes('disabled')).toBeDefined()
    expect(view.text()).toContain(missing.reason!)
    expect(at('bench-tick-outside/numpy').attributes('disabled')).toBeDefined()
    expect(view.text()).toContain('There is no python3 on this machine.')
  })

  it('needs no file: generated data will do', async () => {
    const lab = await show({}, false)
    expect(at('bench-start').attributes('disabled')).toBeDefined()
    await at('bench-add-generated').trigger('click')
    await at('bench-n').setValue('5000')
    await view.find('form').trigger('submit')
    await calm()
    expect(at('bench-case-blobs-5000x2').exists()).toBe(true)
    expect(channelsOf(lab)).toContain('app.bench-plan')
  })

  it('tells why there is no plan, and tries again', async () => {
    let fails = true
    await show({
      'app.bench-plan': () => {
        if (fails) throw new Error('boom')
        return { cells: document_.plan, predictedMs: null }
      },
    })
    expect(view.find('[data-testid=error-message]').exists()).toBe(true)
    fails = false
    await view.find('.notice-actions button').trigger('click')
    await calm()
    expect(view.find('[data-testid=error-message]').exists()).toBe(false)
    expect(at('bench-plan-sentence').text()).toContain('more than 1.5 s, 0 not known')
  })
})

describe('a paused comparison', () => {
  const started = () => at('bench-start').trigger('click').then(flushPromises)

  it('lets another be planned and started at once, and is said to be kept', async () => {
    const lab = await show()
    await started()
    lab.emit('bench.event', { kind: 'paused', benchId: document_.id })
    await at('bench-page-setup').trigger('click')
    await calm()
    expect(at('bench-plan-sentence').text()).toContain('15 rows')
    useBenchmarkStore().document = { ...document_, state: 'paused' }
    await flushPromises()
    expect(at('bench-plan-note').text()).toBe('The paused comparison stays under Earlier.')
    expect(at('bench-start').text()).toBe('Start')
    await started()
    expect(channelsOf(lab).filter((channel) => channel === 'app.bench-start')).toHaveLength(2)
  })

  it('tells one reason once, whether planning or starting failed', async () => {
    const fails = () => {
      throw new Error('boom')
    }
    await show({ 'app.bench-plan': fails, 'app.bench-start': fails })
    await started()
    expect(view.findAll('[data-testid=error-message]')).toHaveLength(1)
  })
})

describe('earlier comparisons', () => {
  it('are forgotten only when asked twice', async () => {
    const one = {
      id: 'a',
      startedAt: '2026-11-21T09:30:00.000Z',
      state: 'done',
      name: 'Mine',
      rows: 4,
      cells: 4,
    }
    const lab = await show({
      'bench.list': () => ({ comparisons: [one], damaged: [] }),
      'bench.forget': () => null,
    })
    await at('bench-page-kept').trigger('click')
    expect(at('bench-kept').find('thead').text()).toContain('Finished')
    const forget = at('bench-kept').findAll('button').at(-1)!
    await forget.trigger('click')
    expect(channelsOf(lab)).not.toContain('bench.forget')
    expect(forget.text()).toBe('Delete permanently')
    await forget.trigger('click')
    await flushPromises()
    expect(channelsOf(lab)).toContain('bench.forget')
  })
  it('are listed with one sentence where their file is damaged, and can only be forgotten', async () => {
    const sentence = 'The file b.benchmark.json of an earlier comparison is damaged: delete it.'
    const damaged = [{ id: 'b', writtenAt: '2026-11-21T09:30:00.000Z', sentence }]
    await show({ 'bench.list': () => ({ comparisons: [], damaged }) })
    expect(at('bench-page-kept').text()).toBe('Earlier (1)')
    await at('bench-page-kept').trigger('click')
    expect(at('bench-damaged').text()).toContain(sentence)
    expect(at('bench-kept').findAll('button')).toHaveLength(1)
  })
})
