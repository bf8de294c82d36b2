import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { LabError } from '@shared/errors'
import { record, summary } from '../test/fixtures'
import { channelsOf, freshWindow } from '../test/mount'
import App from './App.vue'
import { readParts } from './views/parts'

let app: VueWrapper

const stubs = { ScatterPlot: true, HistoryPlot: true }
const at = (id: string) => app.find(`[data-testid="${id}"]`)

async function start(answers: Parameters<typeof freshWindow>[0] = {}) {
  const { lab, pinia } = freshWindow({
    'app.open': () => summary(),
    'run.start': () => ({ runId: 'run-1' }),
    ...answers,
  })
  app = mount(App, { global: { plugins: [pinia], stubs }, attachTo: document.body })
  await flushPromises()
  return lab
}

async function startWithData(answers: Parameters<typeof freshWindow>[0] = {}) {
  const lab = await start(answers)
  await at('sample-iris.csv').trigger('click')
  await flushPromises()
  return lab
}

async function finish(lab: Awaited<ReturnType<typeof start>>, change = {}) {
  lab.emit('run.event', { kind: 'done', runId: 'run-1', record: record(change) })
  await flushPromises()
}

beforeAll(readParts)
afterEach(() => app.unmount())

describe('the window', () => {
  it('goes from start to clusters in two clicks', async () => {
    const lab = await start()
    expect(at('drop-zone').exists()).toBe(true)
    await at('sample-iris.csv').trigger('click')
    await flushPromises()
    expect(at('dataset-name').text()).toBe('iris.csv')
    expect(at('dataset-shape').text()).toBe('150 × 4')
    await at('run').trigger('click')
    await flushPromises()
    await finish(lab)
    expect(at('result-inertia').text()).toBe('78.86')
    expect(at('result-inertia').attributes('title')).toBe('78.85566582597731')
    expect(at('result-iterations').text()).toBe('9')
    expect(at('cluster-table').findAll('[data-cluster]')).toHaveLength(3)
    expect(at('status-bar').text()).toContain('CPU · AMD EPYC')
  })

  it('tells main that it is ready only when it listens', async () => {
    const lab = await start()
    await vi.waitFor(() => expect(channelsOf(lab)).toContain('app.ready'))
    // What is remembered may be saved a moment later; nothing else follows.
    const asked = channelsOf(lab).filter((channel) => channel !== 'app.save-settings')
    expect(asked.at(-1)).toBe('app.ready')
  })

  it('says what is wrong with k and does not run until it is mended', async () => {
    await startWithData()
    await at('k').setValue('0')
    expect(app.text()).toContain('k is 0; give 1 or more.')
    expect(at('run').attributes('disabled')).toBeDefined()
    await at('k').setValue('5')
    expect(at('run').attributes('disabled')).toBeUndefined()
  })

  it('turns Run into Cancel while running, and Escape cancels', async () => {
    const lab = await startWithData()
    await at('run').trigger('click')
    await flushPromises()
    expect(at('run').exists()).toBe(false)
    expect(at('progress').text()).toContain('Preparing the data')
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', cancelable: true }))
    await flushPromises()
    expect(channelsOf(lab)).toContain('run.cancel')
    lab.emit('run.event', { kind: 'cancelled', runId: 'run-1' })
    await flushPromises()
    expect(at('cancel').exists()).toBe(false)
    expect(at('progress').text()).toContain('Cancelled')
  })

  it('marks a result whose settings changed, and keeps it', async () => {
    const lab = await startWithData()
    await at('run').trigger('click')
    await flushPromises()
    await finish(lab)
    expect(at('stale-mark').exists()).toBe(false)
    await at('live').setValue(false)
    await at('k').setValue('7')
    expect(at('stale-mark').exists()).toBe(true)
    expect(at('result-inertia').text()).toBe('78.86')
    await at('k').setValue('3')
    expect(at('stale-mark').exists()).toBe(false)
  })

  it('says in words that a run has not converged, and lists warnings', async () => {
    const lab = await startWithData()
    await at('run').trigger('click')
    await flushPromises()
    await finish(lab, {
      stopped: 'max-iterations',
      converged: false,
      warnings: ['k exceeds the distinct points.'],
    })
    expect(at('result-stop').text()).toContain('has not converged')
    expect(app.text()).toContain('k exceeds the distinct points.')
  })

  it('sends what was set', async () => {
    const lab = await startWithData()
    await at('k').setValue('4')
    await at('stop-rule').setValue('labels')
    await at('tolerance').setValue('0.01')
    await at('init').setValue('first-k')
    await at('seed').setValue('42')
    await at('engine').setValue('webgpu')
    await at('variant').setValue('global-atomics')
    await at('feature-sepal_width').setValue(false)
    await at('run').trigger('click')
    await flushPromises()
    const sent = lab.asked.find(({ channel }) => channel === 'run.start')?.params as { config: object }
    expect(sent.config).toMatchObject({
      k: 4,
      stop: 'labels',
      tolerance: 0.01,
      init: 'first-k',
      seed: 42,
      engine: 'webgpu',
      variant: 'global-atomics',
      features: ['sepal_length', 'petal_length', 'petal_width'],
      history: true,
    })
  })

  it('drops a variant that the chosen engine does not have, and says why an engine is missing', async () => {
    await startWithData()
    await at('engine').setValue('webgpu')
    await at('variant').setValue('global-atomics')
    await at('engine').setValue('cpu')
    expect((at('variant').element as HTMLSelectElement).value).toBe('auto')
    expect(app.text()).toContain('CUDA: No NVIDIA driver was found')
    expect(at('engine').find('option[value="cuda"]').attributes('disabled')).toBeDefined()
  })

  it('shows a file that cannot be read in one sentence, with details to copy', async () => {
    const lab = await start({
      'app.open': () => {
        throw new LabError(
          'input',
          'csv.binary',
          'photo.png is not a text file; choose a CSV.',
          'byte 0 is 0x89',
        )
      },
    })
    await at('sample-iris.csv').trigger('click')
    await flushPromises()
    expect(at('error-message').text()).toBe('photo.png is not a text file; choose a CSV.')
    await at('error-details').trigger('click')
    expect(lab.asked.at(-1)).toEqual({
      channel: 'app.copy',
      params: { text: 'photo.png is not a text file; choose a CSV.\ncode: csv.binary\nbyte 0 is 0x89' },
    })
    expect(at('drop-zone').exists()).toBe(true)
  })

  it('outlives the engine process: a banner, a failed run, the result kept', async () => {
    const lab = await startWithData()
    await at('run').trigger('click')
    await flushPromises()
    await finish(lab)
    await at('run').trigger('click')
    await flushPromises()
    lab.emit('app.host-state', {
      state: 'lost',
      reason: 'The engine process stopped; it is being restarted.',
    })
    await flushPromises()
    expect(app.find('.run-bar [data-testid="error-message"]').text()).toContain('it is being restarted')
    expect(app.text().split('it is being restarted')).toHaveLength(2)
    expect(at('result-inertia').text()).toBe('78.86')
    expect(at('run').attributes('disabled')).toBeDefined()
    lab.emit('app.host-state', { state: 'ready', pid: 2 })
    await flushPromises()
    expect(at('banner').text()).toContain('was restarted')
    expect(at('run').attributes('disabled')).toBeUndefined()
  })

  it('tells in one notice that the engine process was given up, and asks for it again', async () => {
    const error = {
      kind: 'engine-lost',
      code: 'engine-given-up',
      message: 'It ended several times.',
      details: null,
    } as const
    const lab = await start({
      'app.start-engine': () => null,
      'app.preview': () => {
        throw LabError.from(error)
      },
    })
    lab.emit('app.host-state', { state: 'lost', reason: 'It ended unexpectedly.' })
    lab.emit('app.host-state', { state: 'failed', error })
    await flushPromises()
    await at('sample-iris.csv').trigger('click')
    await flushPromises()
    expect(app.findAll('.notice').map((notice) => notice.find('.notice-text').text())).toEqual([
      error.message,
    ])
    await at('start-engine').trigger('click')
    expect(lab.asked.at(-1)?.channel).toBe('app.start-engine')
    lab.emit('app.host-state', { state: 'lost', reason: 'It is being started again.' })
    lab.emit('app.host-state', { state: 'ready', pid: 2 })
    await flushPromises()
    expect(app.findAll('.notice')).toHaveLength(1)
    expect(at('banner').text()).toContain('The engine process was restarted.')
  })

  it('sorts the clusters by a measure', async () => {
    const lab = await startWithData()
    await at('run').trigger('click')
    await flushPromises()
    await finish(lab)
    const sizes = () =>
      at('cluster-table')
        .findAll('.feature-row:first-child td')
        .map((cell) => cell.text())
    expect(sizes()).toEqual(['39', '61', '50'])
    await at('cluster-table').findAll('.sort')[0].trigger('click')
    expect(sizes()).toEqual(['61', '50', '39'])
  })

  it('opens a dropped file and a file from the command line', async () => {
    const lab = await start()
    const drop = new Event('drop', { cancelable: true })
    Object.defineProperty(drop, 'dataTransfer', {
      value: { files: [new File(['a'], 'dropped.csv')], types: ['Files'] },
    })
    window.dispatchEvent(drop)
    await flushPromises()
    expect(lab.asked.findLast(({ channel }) => channel === 'app.open')?.params).toMatchObject({ token: 'd1' })
    lab.emit('app.open-file', { token: 'cli', name: 'given.csv', kind: 'file' })
    await flushPromises()
    expect(lab.asked.findLast(({ channel }) => channel === 'app.open')?.params).toMatchObject({
      token: 'cli',
    })
  })
})
