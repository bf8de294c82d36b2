import { comparisonDocument } from '@shared/benchmark/testing/document'
import { mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, describe, expect, it } from 'vitest'
import { nextTick } from 'vue'
import { asked, summary } from '../../test/fixtures'
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
