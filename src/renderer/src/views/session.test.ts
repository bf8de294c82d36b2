import type { BenchmarkDocument } from '@shared/benchmark/document'
import { comparisonDocument } from '@shared/benchmark/testing/document'
import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, describe, expect, it } from 'vitest'
import { nextTick } from 'vue'
import { LabError } from '@shared/errors'
import type { OpenedSession } from '@shared/session'
import { documentAnswers } from '../../test/document-answers'
import { asked, record, source, summary } from '../../test/fixtures'
import { channelsOf, freshWindow } from '../../test/mount'
import { useAppStore } from '@/stores/app'
import { useBenchmarkStore } from '@/stores/benchmark'
import { useConfigStore } from '@/stores/config'
import { useDatasetStore } from '@/stores/dataset'
import { useLooksStore } from '@/stores/looks'
import { useRunStore } from '@/stores/run'
import { useSessionStore } from '@/stores/session'
import { useSettingsStore } from '@/stores/settings'
import { useStepsStore } from '@/stores/steps'
import { useWaitingStore } from '@/stores/waiting'
import { useVerificationStore } from '@/stores/verification'
import { useSession } from './session'
import { useSessionCommands } from './session/session-commands'

let page: VueWrapper
afterEach(() => page.unmount())

async function session(answers: Parameters<typeof freshWindow>[0] = {}) {
  const { lab, pinia } = freshWindow({
    'app.open': () => summary(),
    'run.start': () => ({ runId: 'run-1' }),
    ...answers,
  })
  page = mount({ setup: () => (useSession(() => undefined), () => null) }, { global: { plugins: [pinia] } })
  await flushPromises()
  const stores = { lab, app: useAppStore(), run: useRunStore(), settings: useSettingsStore() }
  await useDatasetStore().load(source())
  return stores
}

const gone = { state: 'lost', reason: 'The engine process ended.' } as const

describe('a file that is opened', () => {
  it('is the one of the settings, the run and the plot before anything else happens', async () => {
    const { app, run } = await session()
    const [config, dataset] = [useConfigStore(), useDatasetStore()]
    await run.start('data-1', asked())
    app.fail(new Error('An older failure.'))
    const [later] = [dataset.load(source('wine', 'wine.csv'))]
    expect(app.error).not.toBeNull()
    await later
    expect([app.error, run.state, config.rows]).toEqual([null, 'idle', 150])
    expect(app.message).toMatch(/^Loaded iris\.csv: 150 rows in /u)
  })

  it('and is refused takes the place of an older failure', async () => {
    const { app } = await session({ 'app.preview': () => Promise.reject(new Error('No such file.')) })
    app.fail(new Error('An older failure.'))
    await useDatasetStore().open('gone', 'gone.csv')
    expect(app.error).toBeNull()
    expect(useDatasetStore().error?.message).toContain('No such file.')
  })

  it('and is refused gives way to a folder that is refused after it', async () => {
    const { app } = await session({
      'app.preview': () => Promise.reject(new Error('No such file.')),
      'app.open-steps': () => Promise.reject(new Error('No steps in this folder.')),
    })
    const dataset = useDatasetStore()
    useStepsStore()
    await dataset.open('gone', 'gone.csv')
    await dataset.take({ kind: 'folder', token: 'folder', name: 'empty' })
    await flushPromises()
    expect([dataset.error, app.error?.message]).toEqual([null, expect.stringContaining('No steps')])
  })
})

describe('a run', () => {
  it('tells in the status bar how long it took', async () => {
    const { app, lab, run } = await session()
    await run.start('data-1', asked())
    lab.emit('run.event', { kind: 'done', runId: 'run-1', record: record() })
    expect(app.message).toBe('Done in 2.12 ms')
  })
})

describe('a result in the place of another', () => {
  const labelled = (of: Readonly<Record<string, readonly number[]>>) => {
    let started = 0
    return {
      'run.start': () => ({ runId: `run-${++started}` }),
      'run.labels': ({ runId }: { runId: string }) => ({ labels: Int32Array.from(of[runId] ?? []) }),
    }
  }
  const thirds = [0, 1, 2].flatMap((cluster) => Array<number>(50).fill(cluster))

  async function ended(lab: Awaited<ReturnType<typeof session>>['lab'], id: string, resultSha256: string) {
    await useRunStore().start('data-1', asked())
    lab.emit('run.event', { kind: 'done', runId: id, record: record({ id, resultSha256 }) })
    const soon = useLooksStore().palette
    await flushPromises()
    return soon
  }

  it('keeps the colours and names of the clusters that it overlaps, and gives the other back as it was', async () => {
    const renumbered = thirds.map((cluster) => (cluster + 1) % 3)
    const { lab, run } = await session(labelled({ 'run-1': thirds, 'run-2': renumbered }))
    const looks = useLooksStore()
    await ended(lab, 'run-1', 'a')
    looks.change('run-1', 0, { name: 'setosa' })
    const before = looks.palette
    await ended(lab, 'run-2', 'b')
    const now = looks.palette
    expect([0, 1, 2].map((cluster) => now.css((cluster + 1) % 3))).toEqual([0, 1, 2].map(before.css))
    expect([now.name(1), now.name(0)]).toEqual(['setosa', '0'])
    await run.show('run-1')
    expect([0, 1, 2].map(looks.palette.css)).toEqual([0, 1, 2].map(before.css))
  })

  it('that is the same has them before its labels are there', async () => {
    const renumbered = thirds.map((cluster) => (cluster + 1) % 3)
    const { lab } = await session(labelled({ 'run-1': thirds, 'run-2': renumbered, 'run-3': renumbered }))
    await ended(lab, 'run-1', 'a')
    await ended(lab, 'run-2', 'b')
    const before = useLooksStore().palette
    expect([0, 1, 2].map((await ended(lab, 'run-3', 'b')).css)).toEqual([0, 1, 2].map(before.css))
  })
})

describe('a comparison', () => {
  it('leaves no older sentence in the status bar while it runs, and tells how it ended', async () => {
    let onDisk: BenchmarkDocument = { ...comparisonDocument(), state: 'running' }
    const { app, lab } = await session({
      'app.bench-start': () => ({ benchId: onDisk.id }),
      'bench.resume': () => null,
      ...documentAnswers(() => onDisk),
    })
    const benchmark = useBenchmarkStore()
    app.message = 'An older sentence.'
    await benchmark.start(onDisk.suite)
    expect(app.message).toBe('')
    onDisk = { ...onDisk, state: 'paused' }
    lab.emit('bench.event', { kind: 'paused', benchId: onDisk.id })
    expect(app.message).toMatch(/^Paused: /u)
    await flushPromises()
    await benchmark.resume()
    expect(app.message).toBe('')
    benchmark.document = { ...onDisk, id: 'another' }
    lab.emit('bench.event', { kind: 'done', benchId: onDisk.id })
    expect(app.message).toContain('under Earlier')
  })
})

describe('an engine that comes back', () => {
  it('is asked for the run that it cut off, and for its devices', async () => {
    const { app, lab, run } = await session()
    await run.start('data-1', asked())
    app.hostChanged(gone)
    const before = channelsOf(lab).length
    app.hostChanged({ state: 'ready', pid: 2 })
    await flushPromises()
    const asks = channelsOf(lab).slice(before)
    expect(asks).toContain('run.broken')
    expect(asks).toContain('engines.list')
  })
})

describe('an engine that is lost', () => {
  it('is reported across the window while nothing runs', async () => {
    const { app, run } = await session()
    app.hostChanged(gone)
    await nextTick()
    expect(app.banner?.sentence).toBe(gone.reason)
    expect(run.error).toBeNull()
    expect(app.message).not.toContain(gone.reason)
  })

  it('is reported beside the run that it cost, and there alone', async () => {
    const { app, run } = await session()
    await run.start('data-1', asked())
    app.hostChanged(gone)
    await nextTick()
    expect(run.error?.message).toBe(gone.reason)
    expect(app.banner).toBeNull()
    expect(app.message).not.toContain(gone.reason)
  })

  it('is reported across the window when the run bar is out of sight', async () => {
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

/** Work that ends when it is cancelled. */
function untilCancelled(): readonly [Promise<never>, () => void] {
  let cut = (): void => undefined
  const work = new Promise<never>((_, reject) => {
    cut = () => reject(new LabError('cancelled', 'cancelled', 'Cancelled.'))
  })
  return [work, () => cut()]
}

describe('a session of an earlier start', () => {
  const iris = {
    ...{ id: 'data-1', token: 's1', name: 'iris.csv', folder: '/data', overrides: {} },
    file: 'there',
  } as const

  async function restored(
    byForce: boolean,
    answers: Parameters<typeof freshWindow>[0] = {},
    datasets: OpenedSession['datasets'] = [iris],
    state: OpenedSession['state'] = null,
  ) {
    const listed = () => [{ datasetId: 'data-1', record: { ...record(), history: [], clusters: [] } }]
    const { pinia, lab } = freshWindow({ 'run.listed': listed, ...answers })
    page = mount({ setup: () => (useSession(() => undefined), () => null) }, { global: { plugins: [pinia] } })
    await flushPromises()
    const app = useAppStore()
    app.announce('The list of recent files begins anew.')
    lab.emit('app.restore', { session: { name: null, unsaved: true, datasets, state }, byForce })
    await flushPromises()
    await new Promise((resolve) => setTimeout(resolve, 50))
    return { app, lab }
  }

  it('that was cut off comes back with a sentence, beside what was reported before', async () => {
    const { app } = await restored(true)
    expect(app.banner?.sentence).toBe(
      'The list of recent files begins anew. Centroid Lab was ended unexpectedly; iris.csv is open again with 1 result.',
    )
  })

  it('that the person goes on with is told in the status bar, its newest run whole', async () => {
    const { app } = await restored(false)
    expect(app.message).toBe('iris.csv is open again with 1 result')
    const run = useRunStore()
    expect(run.results).toHaveLength(1)
    expect(run.result?.record.clusters.length).toBeGreaterThan(0)
    expect(useSessionStore().unsaved).toBe(true)
  })

  it('whose runs are gone from this disk says how many, and what to do', async () => {
    const noted = { number: 1, note: '', silhouette: null, looks: [], slots: null }
    const runs = ['run-1', 'gone-1', 'gone-2'].map((id) => ({ id, ...noted }))
    const { app } = await restored(false, {}, [iris], {
      shown: null,
      datasets: [{ id: 'data-1', view: null, runs }],
    })
    expect(app.banner?.sentence).toContain('2 runs of it are no longer kept on this disk: run them again.')
  })

  it('that is saved asks again once a run of it was verified', async () => {
    const same = {
      verdict: 'identical',
      keptSha256: null,
      resultSha256: 'a'.repeat(64),
      differences: [],
      reasons: [],
    }
    await restored(false, { 'app.verify': () => same })
    const session = useSessionStore()
    await session.save(false)
    expect(session.unsaved).toBe(false)
    await useVerificationStore().verifyRun('run-1')
    expect(session.unsaved).toBe(true)
  })

  it('that is saved tells how far it is, and stays unsaved where that is cancelled', async () => {
    const [promise, cut] = untilCancelled()
    const { app, lab } = await restored(false, {
      'app.save-session': () => promise,
      'scan.list': () => [],
      'session.cancel': () => null,
    })
    const [sessions, waiting] = [useSessionStore(), useWaitingStore()]
    const saving = useSessionCommands().save(false)
    expect(waiting.current).toBeNull()
    lab.emit('session.progress', { doing: 'saving', name: 'study.clab', rows: 1000, totalRows: 4000 })
    expect(waiting.current).toMatchObject({
      ...{ kind: 'saving', title: 'Saving study.clab', share: 0.25 },
      words: expect.stringMatching(/^1.000 of 4.000 rows \(25 %\)$/u) as unknown,
      cancelling: false,
    })
    waiting.cancel()
    waiting.cancel()
    expect(channelsOf(lab).filter((channel) => channel === 'session.cancel')).toHaveLength(1)
    expect(waiting.current).toMatchObject({ cancelling: true, share: null })
    lab.emit('session.progress', null)
    cut()
    await saving
    expect([waiting.current, app.error, sessions.unsaved, sessions.busy]).toEqual([null, null, true, null])
    expect(app.message).toBe('Saving was cancelled; the file is as it was.')
  })

  it('stays as it is where the opening of another is cancelled, or the engine host goes', async () => {
    const [promise, cut] = untilCancelled()
    const { app, lab } = await restored(false, {
      'app.open-session': () => promise,
      'session.cancel': () => null,
      'scan.list': () => [],
    })
    const [sessions, waiting] = [useSessionStore(), useWaitingStore()]
    const before = sessions.state
    const opening = useSessionCommands().open('t1')
    const progress = { doing: 'opening', name: 'other.clab', bytes: 2 ** 20, totalBytes: 2 ** 22 } as const
    await flushPromises()
    lab.emit('session.progress', progress)
    expect(waiting.current).toMatchObject({
      ...{ kind: 'loading', title: 'Opening other.clab', share: 0.25 },
      words: expect.stringMatching(/^1.0.MiB of 4.0.MiB \(25 %\)$/u) as unknown,
    })
    waiting.cancel()
    cut()
    await opening
    expect([sessions.state, app.error]).toEqual([before, null])
    expect(app.message).toBe('Opening was cancelled; nothing has changed.')
    lab.emit('app.host-state', gone)
    await nextTick()
    expect(waiting.current).toBeNull()
  })

  it.each([
    ['csv.not-found', 'missing', 'was not found'],
    ['session.changed', 'changed', 'has changed'],
  ] as const)('whose file is gone or changed (%s) shows its runs alone', async (code, file, words) => {
    const refuse = () => {
      throw new LabError('input', code, 'No.')
    }
    const { app } = await restored(false, { 'app.show-dataset': refuse })
    const session = useSessionStore()
    expect(session.absent).toMatchObject({ id: 'data-1', file })
    expect(app.banner?.sentence).toContain(`iris.csv ${words}: the runs are kept`)
    expect(useDatasetStore().summary).toBeNull()
    expect(useRunStore().results[0]?.record.clusters.length).toBeGreaterThan(0)
  })
})
