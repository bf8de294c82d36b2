import type { BrokenRun } from '@shared/ipc'
import type { RunConfig } from '@shared/run-config'
import { mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, describe, expect, it } from 'vitest'
import { nextTick } from 'vue'
import { asked, record, source, summary } from '../../test/fixtures'
import { freshWindow } from '../../test/mount'
import { useAppStore } from '@/stores/app'
import { useConfigStore } from '@/stores/config'
import { useDatasetStore } from '@/stores/dataset'
import { useQueueStore } from '@/stores/queue'
import { useRunStore } from '@/stores/run'
import { wishWords } from '@/text/queue'
import { useSession } from './session'

let page: VueWrapper
afterEach(() => page.unmount())

const wine = { token: 'wine', name: 'wine.csv', kind: 'file' } as const

/** A window in which `run-1` is under way on the open file. */
async function running() {
  let runs = 0
  const { lab, pinia } = freshWindow({
    'app.open': () => summary(),
    'run.start': () => ({ runId: `run-${++runs}` }),
  })
  let session: ReturnType<typeof useSession> | null = null
  page = mount(
    { setup: () => ((session = useSession(() => undefined)), () => null) },
    { global: { plugins: [pinia] } },
  )
  await nextTick()
  const stores = { run: useRunStore(), dataset: useDatasetStore(), queue: useQueueStore() }
  useAppStore().hostChanged({ state: 'ready', pid: 1 })
  await stores.dataset.load(source())
  await nextTick()
  const made = session as unknown as ReturnType<typeof useSession>
  const { startRun } = made
  await startRun()
  const words = () => stores.queue.waiting.map(wishWords)
  const started = () =>
    lab.asked.flatMap(({ channel, params }) => {
      if (channel === 'app.preview') return [`open ${(params as { token: string }).token}`]
      return channel === 'run.start' ? [`run k=${(params as { config: { k: number } }).config.k}`] : []
    })
  const end = async (runId: string, kind: 'cancelled' | 'failed') => {
    const error = { kind: 'internal', code: 'internal', message: 'No.', details: null } as const
    lab.emit('run.event', kind === 'failed' ? { kind, runId, error } : { kind, runId })
    await expect
      .poll(() => stores.run.busy || kind === 'failed' || stores.queue.waiting.length === 0)
      .toBe(true)
  }
  return { ...stores, lab, session: made, startRun, words, started, end, config: useConfigStore() }
}

describe('what is asked for while a run is under way', () => {
  it('waits, a run of the open file before another file, and is then carried out in order', async () => {
    const { dataset, config, startRun, words, started, end } = await running()
    await dataset.take(wine)
    config.draft.k = '5'
    await startRun()
    await startRun()
    config.draft.k = '6'
    await startRun()
    expect(words()).toEqual([
      'Run iris.csv with k = 5, seed 1, 10 restarts',
      'Run iris.csv with k = 6, seed 1, 10 restarts',
      'Open wine.csv',
    ])
    expect(started()).toEqual(['run k=3'])
    await end('run-1', 'cancelled')
    expect(started()).toEqual(['run k=3', 'run k=5'])
    await end('run-2', 'cancelled')
    await end('run-3', 'cancelled')
    await expect.poll(started).toEqual(['run k=3', 'run k=5', 'run k=6', 'open wine'])
    expect(words()).toEqual([])
  })

  it('is no second time what runs already, and can be taken back', async () => {
    const { dataset, queue, startRun, words, started, end } = await running()
    await startRun()
    expect(words()).toEqual([])
    await dataset.take(wine)
    await dataset.take(wine)
    expect(words()).toEqual(['Open wine.csv'])
    queue.takeBack(queue.waiting[0]?.id ?? 0)
    await end('run-1', 'cancelled')
    expect(started()).toEqual(['run k=3'])
  })

  it('waits on after a failure, until that is dismissed', async () => {
    const { dataset, run, words, started, end } = await running()
    await dataset.take(wine)
    await end('run-1', 'failed')
    await nextTick()
    expect(words()).toEqual(['Open wine.csv'])
    run.dismiss()
    await expect.poll(started).toEqual(['run k=3', 'open wine'])
  })

  it('keeps its file open: another one waits behind a run that waits', async () => {
    const { dataset, run, config, startRun, words, started, end } = await running()
    config.draft.k = '5'
    await startRun()
    await end('run-1', 'failed')
    await dataset.take(wine)
    expect(words()).toEqual(['Run iris.csv with k = 5, seed 1, 10 restarts', 'Open wine.csv'])
    run.dismiss()
    await expect.poll(() => run.busy).toBe(true)
    await end('run-2', 'cancelled')
    await expect.poll(started).toEqual(['run k=3', 'run k=5', 'open wine'])
  })

  it('leaves a result on the screen until the next file is asked for', async () => {
    const { dataset, run, lab, session, words, started } = await running()
    await dataset.take(wine)
    lab.emit('run.event', { kind: 'done', runId: 'run-1', record: record() })
    await nextTick()
    expect([session.queue.held.value, words(), started()]).toEqual(['result', ['Open wine.csv'], ['run k=3']])
    expect(run.result?.record.id).toBe(record().id)
    session.queue.goOn()
    await expect.poll(started).toEqual(['run k=3', 'open wine'])
    expect(words()).toEqual([])
  })

  it('is not carried out on another file than the one it was asked for', async () => {
    const { dataset, queue, started, end } = await running()
    queue.add({ kind: 'run', datasetId: 'data-0', fileName: 'old.csv', config: asked({ k: 9 }) })
    await end('run-1', 'cancelled')
    expect(started()).toEqual(['run k=3'])
    expect(useAppStore().message).toContain('Not run, because the file is no longer open: Run old.csv')
    expect(dataset.summary?.id).toBe('data-1')
  })
})

const cutOff: BrokenRun = {
  ...{ runId: 'run-1', datasetId: 'data-1', config: asked(), engine: 'cuda', deviceName: 'Card' },
  ...{ restart: 0, iterations: 12_345, elapsedMs: 1000, next: 'cpu' },
}

describe('a run that was cut off and can go on', () => {
  const error = { kind: 'engine-lost', code: 'cuda.lost', message: 'Lost.', details: null } as const

  it('is not given up by a new run or another file without a word of the person', async () => {
    const { dataset, run, lab, startRun, words, started } = await running()
    lab.emit('run.event', { kind: 'failed', runId: 'run-1', error, broken: cutOff })
    await nextTick()
    expect(run.error?.message).toContain('after 12\u202f345 iterations')
    await startRun()
    expect([run.asksAnew, run.busy, run.broken]).toEqual([true, false, cutOff])
    await dataset.take(wine)
    expect(words()).toEqual(['Open wine.csv'])
    expect(started()).toEqual(['run k=3'])
  })
})

describe('what waits', () => {
  it('is told apart by where it runs', () => {
    const wish = (change: Partial<RunConfig>) =>
      wishWords({ kind: 'run', datasetId: 'data-1', fileName: 'iris.csv', config: asked(change) })
    expect(wish({})).toBe('Run iris.csv with k = 3, seed 1')
    expect(wish({ engine: 'cuda', variant: 'thrust', nInit: 1500 })).toBe(
      'Run iris.csv with k = 3, seed 1, 1\u202f500 restarts on CUDA (thrust)',
    )
    expect(wish({ variant: 'fused' })).toBe('Run iris.csv with k = 3, seed 1, fused')
  })
})
