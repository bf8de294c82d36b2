import { comparisonDocument } from '@shared/benchmark/testing/document'
import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, describe, expect, it } from 'vitest'
import { nextTick } from 'vue'
import { asked, record, summary } from '../../test/fixtures'
import { freshWindow } from '../../test/mount'
import { useAppStore } from '@/stores/app'
import { useBenchmarkStore } from '@/stores/benchmark'
import { useDatasetStore } from '@/stores/dataset'
import { useRunStore } from '@/stores/run'
import { useSettingsStore } from '@/stores/settings'
import { useSession } from './session'

let page: VueWrapper
afterEach(() => page.unmount())

async function session() {
  const { pinia } = freshWindow({ 'run.start': () => ({ runId: 'run-1' }) })
  page = mount({ setup: () => (useSession(() => undefined), () => null) }, { global: { plugins: [pinia] } })
  await nextTick()
  const stores = { app: useAppStore(), run: useRunStore(), settings: useSettingsStore() }
  useDatasetStore().summary = summary()
  await nextTick()
  return stores
}

const gone = { state: 'lost', reason: 'The engine process ended.' } as const

describe('a comparison', () => {
  it('leaves no older sentence in the status bar while it runs, and tells how it ended', async () => {
    const { app } = await session()
    const benchmark = useBenchmarkStore()
    const document = { ...comparisonDocument(), state: 'running' } as const
    app.message = 'Paused: 0 of 60 rows measured.'
    benchmark.document = document
    benchmark.runningId = document.id
    await nextTick()
    expect(app.message).toBe('')
    benchmark.document = { ...document, state: 'paused' }
    benchmark.runningId = null
    await nextTick()
    expect(app.message).toMatch(/^Paused: /u)
    benchmark.runningId = 'another'
    await nextTick()
    benchmark.runningId = null
    await nextTick()
    expect(app.message).toContain('under Earlier')
  })
})

describe('an engine that is lost', () => {
  it('is told of across the window while nothing runs', async () => {
    const { app, run } = await session()
    app.hostChanged(gone)
    await nextTick()
    expect(app.banner?.sentence).toBe(gone.reason)
    expect(run.error).toBeNull()
    expect(app.message).not.toContain(gone.reason)
  })

  it('is told of beside the run that it cost, and there alone', async () => {
    const { app, run } = await session()
    await run.start('data-1', asked())
    app.hostChanged(gone)
    await nextTick()
    expect(run.error?.message).toBe(gone.reason)
    expect(app.banner).toBeNull()
    expect(app.message).not.toContain(gone.reason)
  })

  it('is told of across the window when the run bar is out of sight', async () => {
    const { app, run, settings } = await session()
    settings.values.leftCollapsed = true
    await run.start('data-1', asked())
    app.hostChanged(gone)
    await nextTick()
    expect(app.banner?.sentence).toBe(gone.reason)
  })

  it('ends the run too when it is not started any more', async () => {
    const { app, run } = await session()
    await run.start('data-1', asked())
    const error = {
      kind: 'engine-lost',
      code: 'engine-given-up',
      message: 'Start again.',
      details: null,
    } as const
    app.hostChanged({ state: 'failed', error })
    await nextTick()
    expect(run.state).toBe('failed')
    expect(run.error?.message).toBe('Start again.')
  })
})

describe('a session of an earlier start', () => {
  async function restored(records: readonly object[], byForce: boolean) {
    const { pinia, lab } = freshWindow({ 'run.kept': () => records })
    page = mount({ setup: () => (useSession(() => undefined), () => null) }, { global: { plugins: [pinia] } })
    await flushPromises()
    const app = useAppStore()
    app.announce('The list of recent files begins anew.')
    lab.emit('app.restore', {
      token: 's1',
      name: 'iris.csv',
      overrides: {},
      byForce,
      runs: byForce ? null : 1,
    })
    await flushPromises()
    await new Promise((resolve) => setTimeout(resolve, 50))
    return app
  }

  it('that was cut off comes back with a sentence, beside what was told before', async () => {
    const app = await restored([record()], true)
    expect(app.banner?.sentence).toBe(
      'The list of recent files begins anew. Centroid Lab was ended unexpectedly; iris.csv is open again with 1 result.',
    )
  })

  it('that the person goes on with is told in the status bar', async () => {
    const app = await restored([record()], false)
    expect(app.message).toBe('iris.csv is open again with 1 result')
    expect(useRunStore().results).toHaveLength(1)
  })

  it('whose file has changed says where its results are', async () => {
    const app = await restored([], false)
    expect(app.banner?.sentence).toContain('iris.csv has changed since results of it were kept')
  })
})
