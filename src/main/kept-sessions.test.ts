import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { KeptRuns } from '@engine/host/spool'
import type { SessionState } from '@shared/session'
import { KeptSessions } from './kept-sessions'
import { StateFiles } from './state-files'

const facts = { bytes: 4, sha256: 'a'.repeat(64), modifiedMs: 1 }
const iris = { id: 'd1', path: '/data/iris.csv', overrides: { header: true }, ...facts }
const wine = { id: 'd2', path: '/data/wine.csv', overrides: {}, ...facts }
const run = { id: 'r1', number: 1, note: 'good', looks: [], slots: null, silhouette: null }
let folder: string
let runs: Map<string, KeptRuns>

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'session '))
  runs = new Map([['d1', { runs: 3, isCutOff: false }]])
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function sessions(): KeptSessions {
  const results = {
    keptRuns: () => Promise.resolve(runs),
    discard: (datasetId: string) => {
      runs.delete(datasetId)
      return Promise.resolve()
    },
  }
  return new KeptSessions(new StateFiles(folder), results)
}

/** A start of the program that finds what an earlier one left. */
async function started(named = false): Promise<KeptSessions> {
  const kept = sessions()
  await kept.load(named)
  return kept
}

async function offers(kept: KeptSessions): Promise<readonly (readonly string[])[]> {
  return (await kept.offered()).map(({ datasets }) => datasets.map(({ path }) => path))
}

const state = (...ids: readonly string[]): SessionState => ({
  shown: ids[0] ?? null,
  datasets: ids.map((id) => ({ id, view: null, runs: id === 'd1' ? [run] : [] })),
})

describe('a start after one that was ended by force', () => {
  it('opens its files again, with what the window told last', async () => {
    const first = sessions()
    first.opened(iris)
    first.opened(wine)
    first.report(state('d1', 'd2'), true)
    await delay(400)
    const kept = await started()
    expect(await offers(kept)).toEqual([])
    const session = kept.take()
    expect(session?.datasets).toEqual([wine, iris])
    expect(session?.state).toEqual(state('d1', 'd2'))
    expect(session?.unsaved).toBe(true)
    expect(kept.take()).toBeNull()
  })

  it('offers a file that ends the program each time, after two starts', async () => {
    sessions().opened(iris)
    expect((await started()).take()?.datasets).toEqual([iris])
    expect((await started()).take()?.datasets).toEqual([iris])
    const third = await started()
    expect(third.take()).toBeNull()
    expect(await offers(third)).toEqual([[iris.path]])
  })

  it('keeps it when another file is named', async () => {
    sessions().opened(iris)
    const kept = await started(true)
    expect(kept.take()).toBeNull()
    expect(await offers(kept)).toEqual([[iris.path]])
    kept.opened(wine)
    expect(await offers(await started())).toEqual([[iris.path]])
  })

  it('takes over what earlier versions left', async () => {
    const file = { path: iris.path, overrides: { header: true }, datasetId: 'd1' }
    writeFileSync(join(folder, 'session.json'), JSON.stringify({ file, attempts: 0 }))
    const expected = [{ ...iris, bytes: 0, sha256: null, modifiedMs: 0 }]
    expect((await started()).take()?.datasets).toEqual(expected)
    const files = [{ ...file, lastUsed: '2026-01-01T00:00:00.000Z', attempts: 0 }]
    writeFileSync(join(folder, 'session.json'), JSON.stringify({ onScreen: null, files }))
    expect((await (await started()).offered()).map(({ datasets }) => datasets)).toEqual([expected])
  })
})

describe('a start after one that ended well', () => {
  async function ended(): Promise<KeptSessions> {
    const first = await started()
    first.opened(iris)
    first.report(state('d1'), true)
    first.ended()
    return started()
  }

  it('opens nothing by itself and offers what is not saved, with its runs', async () => {
    const kept = await ended()
    expect(kept.take()).toBeNull()
    const [offered] = await kept.offered()
    expect(offered).toMatchObject({ datasets: [iris], file: null, unsaved: true, runs: 3, isCutOff: false })
    expect(kept.continueWith(offered?.id ?? '').state).toEqual(state('d1'))
    expect(await offers(kept)).toEqual([])
    expect(kept.hasUnsavedRuns).toBe(true)
  })

  it('loses it at the word of the person alone', async () => {
    const kept = await ended()
    const [offered] = await kept.offered()
    await kept.discard(offered?.id ?? '')
    expect([runs.size, await offers(kept), await offers(await started())]).toEqual([0, [], []])
    expect(() => kept.continueWith(offered?.id ?? '')).toThrow('no longer kept')
    kept.opened(wine)
    await expect(kept.discard(kept.current.id)).rejects.toMatchObject({ code: 'session.open' })
  })

  it('keeps nothing twice of what a .clab has', async () => {
    const first = sessions()
    first.opened(iris)
    first.report(state('d1'), true)
    first.saved('/data/study.clab', state('d1'))
    expect(first.hasUnsavedRuns).toBe(false)
    first.ended()
    expect(runs.size).toBe(1)
    expect(await offers(await started())).toEqual([])
    expect(runs.size).toBe(0)
  })
})

describe('another session in the place of one', () => {
  it('that is not saved, which is offered then', async () => {
    const kept = sessions()
    kept.opened(iris)
    kept.report(state('d1'), true)
    kept.begin()
    expect(kept.current.datasets).toEqual([])
    expect(await offers(kept)).toEqual([[iris.path]])
  })

  it('that is saved, whose runs are let go', async () => {
    const kept = sessions()
    kept.opened(iris)
    kept.saved('/data/study.clab', state('d1'))
    kept.begin({ file: '/data/other.clab', datasets: [wine], state: state('d2') })
    expect(await offers(kept)).toEqual([])
    expect(runs.size).toBe(0)
    expect((await started()).take()).toMatchObject({ file: '/data/other.clab', datasets: [wine] })
  })
})

it('a dataset that the window closed leaves the session, and one that it does not know yet stays', () => {
  const kept = sessions()
  kept.opened(iris)
  kept.report(state('d1'), false)
  kept.opened(wine)
  kept.report(state('d1'), false)
  expect(kept.current.datasets).toEqual([wine, iris])
  kept.report(state('d1', 'd2'), false)
  kept.report(state('d2'), false)
  expect(kept.current.datasets).toEqual([wine])
  expect(() => kept.dataset('d1')).toThrow('no longer belongs')
})

it('hears nothing of what the window tells of the session before it', () => {
  const kept = sessions()
  kept.opened(iris)
  kept.report(state('d1'), true)
  kept.begin({ file: '/data/other.clab', datasets: [wine], state: state('d2') })
  kept.report(state('d1'), true)
  expect(kept.current).toMatchObject({ unsaved: false, datasets: [{ id: 'd2' }], state: { shown: 'd2' } })
})

it('is not saved without runs of a dataset whose file it does not know', () => {
  const kept = sessions()
  kept.opened(wine)
  expect(() => kept.content(state('d2', 'd1'))).toThrow('no longer belongs to')
})

it('is saved with the files beside what the window told', () => {
  const kept = sessions()
  kept.opened(iris)
  expect(kept.content(state('d1', 'gone'))).toEqual({
    shown: 'd1',
    datasets: [{ ...iris, view: null, runs: [run] }],
  })
})

it('a session without a run is forgotten once it was not offered', async () => {
  const kept = sessions()
  kept.opened(wine)
  kept.report(state('d2'), true)
  kept.begin()
  kept.opened(iris)
  kept.report(state('d1'), true)
  kept.begin()
  expect(await offers(kept)).toEqual([[iris.path]])
  await delay(400)
  const { sessions: left } = JSON.parse(readFileSync(join(folder, 'session.json'), 'utf8')) as {
    sessions: { datasets: { path: string }[] }[]
  }
  expect(left.map(({ datasets }) => datasets.map(({ path }) => path))).toEqual([[iris.path]])
})

it('a file without results is not offered', async () => {
  const first = sessions()
  first.opened(wine)
  first.ended()
  expect(await offers(await started())).toEqual([])
})

it('a damaged list begins anew', async () => {
  writeFileSync(join(folder, 'session.json'), '{"file": {"path": "/etc')
  expect((await started()).take()).toBeNull()
  expect(readFileSync(join(folder, 'session.json.damaged'), 'utf8')).toContain('/etc')
})
