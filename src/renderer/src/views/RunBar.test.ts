import { mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { nextTick } from 'vue'
import { LabError } from '@shared/errors'
import type { BrokenRun, RunEvent } from '@shared/ipc'
import type { EngineId } from '@shared/variant'
import { asked, iterationRow, summary } from '../../test/fixtures'
import { freshWindow } from '../../test/mount'
import { useAppStore } from '@/stores/app'
import { useConfigStore } from '@/stores/config'
import { useDatasetStore } from '@/stores/dataset'
import { useQueueStore } from '@/stores/queue'
import { useRunStore } from '@/stores/run'
import RunBar from './RunBar.vue'

let bar: VueWrapper
/** What the host answers to going on, instead of the run. */
let refused: LabError | null = null

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  bar.unmount()
  refused = null
  vi.useRealTimers()
})

async function started(threshold: number) {
  const { lab, pinia } = freshWindow({
    'run.start': () => ({ runId: 'run-1' }),
    'run.resume': () => {
      if (refused !== null) throw refused
      return { runId: 'run-2' }
    },
  })
  const run = useRunStore()
  run.subscribe()
  useAppStore().hostChanged({ state: 'ready', pid: 1 })
  useConfigStore().adopt(summary())
  bar = mount(RunBar, { global: { plugins: [pinia] } })
  await run.start('data-1', asked({ maxIterations: 300 }))
  lab.emit('run.event', { kind: 'phase', runId: 'run-1', phase: 'iterating', restart: 0 })
  /** One iteration every 100 ms; the squared shift shrinks by a tenth in each. */
  const iterate = async (from: number, to: number) => {
    for (let iteration = from; iteration <= to; iteration++) {
      vi.advanceTimersByTime(100)
      lab.emit('run.event', iterationsAt(iteration, threshold))
      await nextTick()
    }
  }
  return { lab, run, iterate }
}

function iterationsAt(iteration: number, threshold: number): RunEvent {
  const row = { ...iterationRow(iteration, 10), shiftSquared: 0.9 ** iteration }
  const where = { engine: 'cpu', device: 'cpu', variant: 'fused', restart: 0 } as const
  const rest = { centroids: null, elapsedMs: iteration * 100, threshold }
  return { kind: 'iterations', runId: 'run-1', rows: [row], ...where, ...rest }
}

const text = (testid: string) => bar.find(`[data-testid="${testid}"]`)

describe('a run under way', () => {
  it('tells how long it took and, by its trend, about what is left', async () => {
    const { iterate } = await started(1e-4)
    expect(text('remaining').exists()).toBe(false)
    await iterate(1, 60)
    expect(text('elapsed').text()).toBe('6.00 s')
    // The threshold is met in iteration 88.
    expect(text('remaining').text()).toMatch(/^about [234] s left$/)
  })

  it('knows no more than the limit without a trend', async () => {
    const { iterate } = await started(0)
    await iterate(1, 52)
    expect(text('remaining').text()).toBe('at most 25 s left')
  })

  it('tells nothing of what is left while it is cancelled or finished', async () => {
    const { iterate, lab, run } = await started(0)
    await iterate(1, 52)
    lab.emit('run.event', { kind: 'phase', runId: 'run-1', phase: 'finishing', restart: 0 })
    vi.advanceTimersByTime(100)
    await nextTick()
    expect(text('remaining').exists()).toBe(false)
    expect(text('elapsed').exists()).toBe(true)
    lab.emit('run.event', { kind: 'cancelled', runId: 'run-1' })
    await nextTick()
    expect(text('elapsed').exists()).toBe(false)
    await run.start('data-1', asked())
    await iterate(1, 1)
    expect(text('remaining').exists()).toBe(false)
  })
})

describe('another run', () => {
  it('is asked for with other settings than the run and what waits have, once', async () => {
    await started(0)
    useDatasetStore().summary = summary()
    const config = useConfigStore()
    config.draft.k = '5'
    await nextTick()
    expect(text('run-next').exists()).toBe(true)
    const add = (id: string) =>
      useQueueStore().add({ kind: 'run', datasetId: id, fileName: 'iris.csv', config: config.config })
    add(summary().id)
    await nextTick()
    expect(text('run-next').exists()).toBe(false)
    config.draft.k = '6'
    await nextTick()
    expect(text('run-next').exists()).toBe(true)
  })
})

/** A run on a card, lost after so many iterations. */
function cutOff(iterations: number, next: EngineId): BrokenRun {
  const where = { datasetId: 'data-1', engine: 'cuda', deviceName: 'NVIDIA H200', restart: 0 } as const
  return { runId: 'run-1', config: asked(), iterations, next, elapsedMs: 65_000, ...where }
}

describe('a device that is lost in the middle of a run', () => {
  const lost = {
    kind: 'engine-lost',
    code: 'cuda.lost',
    message: 'The device was lost.',
    details: null,
  } as const

  it('the same run goes to the CPU, when the person says so', async () => {
    const { lab, run } = await started(0)
    useDatasetStore().summary = summary()
    const config = asked({ k: 4, seed: 7, engine: 'cuda', device: 'cuda:0', variant: 'thrust' })
    lab.emit('run.event', { kind: 'cancelled', runId: 'run-1' })
    await run.start('data-1', config)
    lab.emit('run.event', { kind: 'failed', runId: 'run-1', error: lost })
    await nextTick()
    expect(run.state).toBe('failed')
    await text('run-on-cpu').trigger('click')
    expect(lab.asked.at(-1)).toEqual({
      channel: 'run.start',
      params: {
        datasetId: summary().id,
        config: { ...config, engine: 'cpu', device: null, variant: 'auto' },
      },
    })
    await nextTick()
    expect(run.error).toBeNull()
  })

  it('goes on from its last iteration on the next engine, with what was drawn of it, when the person says so', async () => {
    const { lab, run, iterate } = await started(0)
    await iterate(1, 9)
    lab.emit('run.event', { kind: 'failed', runId: 'run-1', error: lost, broken: cutOff(7, 'webgpu') })
    await nextTick()
    expect(text('error-message').text()).toBe(
      'The run was cut off on CUDA (NVIDIA H200) after 7 iterations, which are kept: go on with WebGPU, or run it again.',
    )
    expect(text('run-on-cpu').exists()).toBe(false)
    await text('run-go-on').trigger('click')
    expect(lab.asked.at(-1)).toEqual({
      channel: 'run.resume',
      params: { runId: 'run-1', engine: 'webgpu' },
    })
    await nextTick()
    expect(run.error).toBeNull()
    expect(run.live?.rows.map(({ iteration }) => iteration)).toEqual([1, 2, 3, 4, 5, 6, 7])
    // The time before counts on.
    await expect.poll(() => text('elapsed').text()).toMatch(/^1 min|^65/)
  })

  it('is still offered where going on is refused for now', async () => {
    const { lab, run } = await started(0)
    lab.emit('run.event', { kind: 'failed', runId: 'run-1', error: lost, broken: cutOff(7, 'cpu') })
    await nextTick()
    refused = new LabError('input', 'benchmark.measuring', 'A comparison is measured: wait for its end.')
    await text('run-go-on').trigger('click')
    await vi.waitFor(() => expect(run.error?.code).toBe('benchmark.measuring'))
    await nextTick()
    expect(text('run-go-on').exists()).toBe(true)
    refused = new LabError('input', 'run.not-broken', 'This run cannot go on.')
    await text('run-go-on').trigger('click')
    await vi.waitFor(() => expect(run.error?.code).toBe('run.not-broken'))
    await nextTick()
    expect(text('run-go-on').exists()).toBe(false)
  })

  it('is let go when its failure is dismissed or another run begins', async () => {
    const { lab, run } = await started(0)
    lab.emit('run.event', { kind: 'failed', runId: 'run-1', error: lost, broken: cutOff(7, 'cpu') })
    run.dismiss()
    expect(lab.asked.at(-1)).toEqual({ channel: 'run.forget', params: { runId: 'run-1' } })
    await nextTick()
    expect(text('run-go-on').exists()).toBe(false)
  })

  it('is named what it is: a run that is kept is given up', async () => {
    const { lab, run } = await started(0)
    const notice = () => bar.find('[role=alert]').text()
    lab.emit('run.event', { kind: 'failed', runId: 'run-1', error: lost })
    await nextTick()
    expect(notice()).toMatch(/Dismiss$/)
    await run.start('data-1', asked())
    lab.emit('run.event', { kind: 'failed', runId: 'run-1', error: lost, broken: cutOff(7, 'cpu') })
    await nextTick()
    expect(notice()).toMatch(/Give it up$/)
  })

  it('is offered neither for another failure nor for a run on the CPU', async () => {
    const { lab, run } = await started(0)
    lab.emit('run.event', { kind: 'failed', runId: 'run-1', error: { ...lost, kind: 'input' } })
    await nextTick()
    expect(text('run-on-cpu').exists()).toBe(false)
    await run.start('data-1', asked({ engine: 'cpu' }))
    lab.emit('run.event', { kind: 'failed', runId: 'run-1', error: lost })
    await nextTick()
    expect(text('run-on-cpu').exists()).toBe(false)
  })
})
