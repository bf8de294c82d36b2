import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { defineComponent, h } from 'vue'
import { LabError } from '@shared/errors'
import type { RunRecord } from '@shared/run-record'
import { useAppStore } from '@/stores/app'
import { useDatasetStore } from '@/stores/dataset'
import { useFiguresStore } from '@/stores/figures'
import { useRunStore } from '@/stores/run'
import { useSettingsStore } from '@/stores/settings'
import { withoutFormulas } from '@/text/tsv'
import { asked, record, summary } from '../../test/fixtures'
import { freshWindow } from '../../test/mount'
import { useExports, type Exports } from './exports'
import ResultPanel from './ResultPanel.vue'
import StatusBar from './StatusBar.vue'

let panel: VueWrapper
let exports: Exports
const at = (id: string) => document.querySelector<HTMLElement>(`[data-testid="${id}"]`)
afterEach(() => panel.unmount())

const Screen = defineComponent({
  setup() {
    exports = useExports()
    return () => h('main', [h(ResultPanel, { exports }), h(StatusBar)])
  },
})

/** Results of one file, the last one given is the newest and shown. */
async function show(records: readonly RunRecord[], answers: Parameters<typeof freshWindow>[0] = {}) {
  const { lab, pinia } = freshWindow(answers)
  useDatasetStore().summary = summary({ id: 'data-1' })
  const run = useRunStore()
  run.results = records.map((one) => ({ record: one, datasetId: 'data-1', asked: asked() })).toReversed()
  run.result = run.results[0] ?? null
  panel = mount(Screen, { global: { plugins: [pinia] }, attachTo: document.body })
  await flushPromises()
  return lab
}

const withCentroids = (change: Partial<RunRecord> = {}): RunRecord =>
  record({ config: asked({ history: true, centroidHistory: true }), ...change })

async function openMenu(): Promise<void> {
  at('export-menu')?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  await flushPromises()
}

async function choose(id: string): Promise<void> {
  await openMenu()
  at(id)?.click()
  await flushPromises()
}

describe('what a run came to', () => {
  it('says by which regime the variant was carried out, and why', async () => {
    await show([record()])
    expect(at('result-variant')?.textContent).toBe('fused, tiled')
    expect(at('result-variant')?.title).toBe('fused, tiled: Few centroids: every distance is computed.')
    expect(at('result-reason')?.textContent).toBe('Few centroids: every distance is computed.')
    panel.unmount()
    await show([record({ regime: null, reason: null })])
    expect(at('result-variant')?.textContent).toBe('fused')
    expect(at('result-variant')?.title).toBe('fused')
    expect(at('result-reason')).toBeNull()
  })

  it('says how many workers summed, where a variant has them', async () => {
    const config = { ...record().config, variant: 'partial-sums', workers: 7 }
    await show([record({ variant: 'partial-sums', config })])
    expect(at('result-workers')?.textContent).toBe('7')
    panel.unmount()
    // The study's number, and fewer where there are fewer points.
    await show([record({ variant: 'partial-sums' })])
    expect(at('result-workers')?.textContent).toBe('150')
    panel.unmount()
    await show([record()])
    expect(at('result-workers')).toBeNull()
  })

  it('says in what precision the run was carried out', async () => {
    await show([record({ precision: 'float64' })])
    expect(at('result-precision')?.textContent).toBe('float64')
    panel.unmount()
    // As kept before there was a choice.
    await show([record()])
    expect(at('result-precision')?.textContent).toBe('float32')
  })

  it('names engine, device, features and scaling as they really were', async () => {
    await show([
      record({ engine: 'webgpu', device: 'webgpu:0', deviceName: 'SwiftShader', variant: 'fused' }),
    ])
    expect(at('result-engine')?.textContent).toBe('WebGPU')
    expect(at('result-device')?.title).toBe('SwiftShader (webgpu:0)')
    expect(at('result-features')?.textContent).toBe('sepal_length, sepal_width, petal_length, petal_width')
    expect(at('result-scaling')?.textContent).toBe('None')
  })

  it('copies the facts with every digit, and the command line that repeats the run', async () => {
    const lab = await show([record()])
    at('copy-facts')?.click()
    await flushPromises()
    expect(lab.asked.at(-1)).toMatchObject({ channel: 'app.copy' })
    expect(JSON.stringify(lab.asked.at(-1)?.params)).toContain('Inertia\\t78.85566582597731')
    at('copy-command-line')?.click()
    await flushPromises()
    const { text } = lab.asked.at(-1)?.params as { text: string }
    expect(text).toMatch(/^centroid-lab cluster iris\.csv -k 3 .*--engine cpu .*--variant fused/)
    expect(at('status-bar')?.textContent).toContain('Copied the command line of this result')
  })

  it('shares the total among the phases that were timed, and says what is in none', async () => {
    await show([record()])
    const lines = [...(at('phases')?.querySelectorAll('tr') ?? [])].map(({ textContent }) => textContent)
    expect(lines).toHaveLength(7)
    expect(lines).toContain('iterate67.0 %1.42 ms')
    expect(lines).toContain('other9.4 %0.20 ms')
    expect(lines.at(-1)).toBe('total100.0 %2.12 ms')
    expect(lines.join()).not.toContain('assign')
  })

  it('lists restarts where there were several, the best one marked', async () => {
    const one = record().restarts[0]
    const restarts = [0, 1, 2].map((run) => ({ ...one!, run, seed: 7 + run, inertia: 90 - run }))
    await show([record({ restarts, bestRun: 2, seed: 9 })])
    const rows = at('restarts')?.querySelectorAll('tbody tr')
    expect(rows).toHaveLength(3)
    expect(rows?.[2]?.textContent).toMatch(/^3 best88\.0099$/)
    expect(rows?.[0]?.textContent).not.toContain('best')
  })

  it('says by which rule restarts stopped where they differ in it', async () => {
    const one = record().restarts[0]
    const restarts = (['labels', 'max-iterations'] as const).map((stopped, run) => ({
      ...one!,
      run,
      stopped,
    }))
    await show([record({ restarts, bestRun: 0 })])
    expect(at('restarts')?.querySelectorAll('thead th')).toHaveLength(5)
  })

  it('has no table for a single restart', async () => {
    await show([record()])
    expect(at('restarts')).toBeNull()
  })
})

describe('export', () => {
  it('lists what can be saved by what it is for, each list under a heading that it is named by', async () => {
    await show([withCentroids()])
    await openMenu()
    const lists = [...document.querySelectorAll('.export-menu [role=group]')]
    const named = (list: Element) =>
      document.getElementById(list.getAttribute('aria-labelledby') ?? '')?.textContent
    const items = (list: Element) =>
      [...list.querySelectorAll('.menu-item')].map((item) => item.firstElementChild?.textContent?.trim())
    expect(lists.map((list) => [named(list), items(list)])).toEqual([
      ['Clusters', ['labels.csv', 'labels.npy', 'centroids.csv', 'profile.csv']],
      ['Iterations and times', ['history.csv', 'history-centroids.csv', 'Step pairs…', 'timings.csv']],
      ['Pictures', ['Plot as PNG', 'Plot as SVG']],
      ['Documents', ['report.html', 'report.md']],
      ['Repeat and reuse', ['run.json', 'model.py', 'model.pmml', 'model.onnx']],
      ['CSV files', ['Delimiter', 'Neutralise formulas']],
    ])
  })

  it('says why something cannot be saved', async () => {
    await show([record({ history: [], config: asked({ history: false }) })])
    await openMenu()
    expect(at('export-history')?.hasAttribute('data-disabled')).toBe(true)
    expect(at('export-steps')?.textContent).toContain('not recorded')
    expect(at('export-labels')?.hasAttribute('data-disabled')).toBe(false)
  })

  it('asks how many steps, at most as many as there were iterations', async () => {
    const lab = await show([withCentroids()], {
      'app.export-steps': ({ steps }) => ({ folder: '/home/ada/steps', files: 2 * steps }),
    })
    await choose('export-steps')
    const field = at('steps-field') as HTMLInputElement
    const type = async (text: string) => {
      field.value = text
      field.dispatchEvent(new Event('input'))
      await flushPromises()
    }
    await type('10')
    expect(at('steps-dialog')?.textContent).toContain('Give a whole number from 1 to 9.')
    expect(at('steps-save')?.hasAttribute('disabled')).toBe(true)
    await type('4')
    at('steps-dialog')?.querySelector('form')?.dispatchEvent(new Event('submit'))
    await flushPromises()
    expect(lab.asked.at(-1)).toEqual({
      channel: 'app.export-steps',
      params: { runId: 'run-1', steps: 4, neutralise: false, dialect: 'comma' },
    })
    expect(at('status-bar')?.textContent).toContain('Saved 8 files into steps')
  })

  it('neutralises what a spreadsheet would carry out, once that is switched on, in files as in what is copied', async () => {
    const lab = await show([withCentroids()], {
      'app.export': () => ({ path: '/home/ada/centroids.csv', bytes: 900 }),
    })
    await choose('neutralise-formulas')
    expect(useSettingsStore().values.neutraliseFormulas).toBe(true)
    at('export-centroids')?.click()
    await flushPromises()
    const written = lab.asked.findLast(({ channel }) => channel === 'app.export')
    expect(written?.params).toEqual({
      runId: 'run-1',
      kind: 'centroids',
      neutralise: true,
      dialect: 'comma',
    })
    expect(withoutFormulas('=a\t-b\tc\n-1.5\t-2e-7\t-\n')).toBe("'=a\t'-b\tc\n-1.5\t-2e-7\t'-\n")
  })

  it('writes tables in the dialect that is chosen in the menu', async () => {
    const lab = await show([withCentroids()], {
      'app.export': () => ({ path: '/home/ada/centroids.csv', bytes: 900 }),
    })
    await choose('export-dialect')
    at('export-dialect-semicolon')?.click()
    await flushPromises()
    expect(at('export-dialect')?.textContent).toContain('semicolon, decimal comma')
    at('export-centroids')?.click()
    await flushPromises()
    // The settings are written meanwhile.
    const exported = lab.asked.find(({ channel }) => channel === 'app.export')
    expect(exported?.params).toMatchObject({ kind: 'centroids', dialect: 'semicolon' })
  })

  it('writes the times of the session in the order of its runs', async () => {
    const lab = await show([withCentroids({ id: 'run-1' }), withCentroids({ id: 'run-2' })], {
      'app.export-timings': () => ({ path: '/home/ada/timings.csv', bytes: 900 }),
    })
    const other = { record: withCentroids({ id: 'run-0' }), datasetId: 'closed', asked: asked() }
    useRunStore().results = [...useRunStore().results, other]
    await choose('export-timings')
    // Settings of the test before may be written meanwhile.
    const exported = lab.asked.find(({ channel }) => channel === 'app.export-timings')
    expect(exported?.params).toEqual({
      runIds: ['run-0', 'run-1', 'run-2'],
      neutralise: false,
      dialect: 'comma',
    })
    expect(at('status-bar')?.textContent).toContain('Saved timings.csv (900 B)')
  })

  it('writes nothing where a plot cannot be drawn, and says so', async () => {
    const lab = await show([withCentroids()], {
      'app.export-all': () => ({ folder: '/home/ada/iris', files: 14 }),
    })
    useFiguresStore().register({ name: 'phases', title: 'Phases', figure: () => Promise.reject(undrawn) })
    await choose('export-all')
    expect(useAppStore().error?.message).toBe(undrawn.message)
    expect(lab.asked.some(({ channel }) => channel === 'app.export-all')).toBe(false)
  })

  it('is cancelled from the status bar', async () => {
    let stop = (_: Error): void => undefined
    const lab = await show([withCentroids()], {
      'app.export': () => new Promise((_, reject) => (stop = reject)),
      'export.cancel': () => null,
    })
    expect(at('cancel-export')).toBeNull()
    await choose('export-labels')
    lab.emit('export.progress', { runId: 'run-1', kind: 'labels', rows: 1000, totalRows: 5000 })
    await flushPromises()
    expect(at('status-bar')?.textContent).toMatch(/Writing labels\.csv: 1.000 of 5.000 rows/)
    at('cancel-export')?.click()
    await flushPromises()
    expect(lab.asked.at(-1)).toEqual({ channel: 'export.cancel', params: { runId: 'run-1' } })
    stop(new LabError('cancelled', 'cancelled', 'Cancelled.'))
    await flushPromises()
    expect(at('status-bar')?.textContent).toContain('Export cancelled')
    expect(useAppStore().error).toBeNull()
    expect(at('cancel-export')).toBeNull()
  })

  it('that is cancelled while its plots are drawn writes nothing, and the next one is heard of', async () => {
    const lab = await show([withCentroids()], {
      'app.export': () => new Promise(() => undefined),
      'app.export-all': () => ({ folder: '/home/ada/iris', files: 14 }),
      'export.cancel': () => null,
    })
    const image = { name: 'phases', format: 'svg', bytes: new Uint8Array() } as const
    const entry = useFiguresStore().entry('phases')!
    let finish = (): void => undefined
    vi.spyOn(entry, 'image').mockImplementation(
      () => new Promise((resolve) => (finish = () => resolve(image))),
    )
    await choose('export-all')
    at('cancel-export')?.click()
    await flushPromises()
    finish()
    await flushPromises()
    expect(lab.asked.some(({ channel }) => channel === 'app.export-all')).toBe(false)
    expect(at('status-bar')?.textContent).toContain('Export cancelled')
    await choose('export-labels')
    lab.emit('export.progress', { runId: 'run-1', kind: 'labels', rows: 1000, totalRows: 5000 })
    await flushPromises()
    expect(at('status-bar')?.textContent).toContain('Writing labels.csv')
  })

  it('that is cancelled before the writing began is cancelled once it has', async () => {
    const lab = await show([withCentroids()], {
      'app.export': () => new Promise(() => undefined),
      'export.cancel': () => null,
    })
    const cancels = () => lab.asked.filter(({ channel }) => channel === 'export.cancel').length
    await choose('export-labels')
    at('cancel-export')?.click()
    await flushPromises()
    expect(cancels()).toBe(1)
    lab.emit('export.progress', { runId: 'run-1', kind: 'labels', rows: 1000, totalRows: 5000 })
    await flushPromises()
    expect(cancels()).toBe(2)
    expect(at('status-bar')?.textContent).toContain('Cancelling the export')
  })
})

const undrawn = new LabError('internal', 'figure', 'The plot could not be drawn; try again.')
