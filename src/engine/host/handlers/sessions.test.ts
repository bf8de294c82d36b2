import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runOf } from '@engine/export/testing/run-of'
import type { SavedDataset } from '@shared/session'
import type { SessionProgress } from '@shared/session-requests'
import { Spool } from '../spool'
import { HostStore } from '../store'
import { sessionHandlers } from './sessions'

const iris = join(import.meta.dirname, '../../../../examples/iris.csv')
let folder: string
let target: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sessions-'))
  target = await mkdtemp(join(folder, 'target-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A host with a finished run, and what it told of. */
async function host(onProgress: (progress: SessionProgress) => void = () => undefined) {
  const result = await runOf(iris, { k: 3 })
  const store = new HostStore(new Spool(join(folder, 'results')))
  store.addDataset(result.dataset)
  store.runs.begin('run-1', result.dataset.id)
  await store.runs.finish('run-1', result)
  const reported: (SessionProgress | null)[] = []
  const handlers = sessionHandlers(store, (channel, payload) => {
    if (channel !== 'session.progress') return
    const progress = payload as SessionProgress | null
    reported.push(progress)
    if (progress !== null) onProgress(progress)
  })
  const { size, mtimeMs } = await stat(iris)
  const saved: SavedDataset = {
    ...{ id: result.dataset.id, path: iris, bytes: size, sha256: null, modifiedMs: mtimeMs },
    ...{ overrides: {}, view: null },
    runs: [{ id: 'run-1', number: 1, note: '', looks: [], slots: null, silhouette: null }],
  }
  const content = { path: join(target, 'study.clab'), shown: null, datasets: [saved] }
  return { handlers, reported, content }
}

describe('sessions of the window', () => {
  it('tell how far they are written and read, and when that is over', async () => {
    const { handlers, reported, content } = await host()
    const { path } = content
    await handlers['session.write'](content)
    expect(reported[0]).toEqual({ doing: 'saving', name: 'study.clab', rows: 0, totalRows: 150 })
    expect(reported.at(-1)).toBeNull()
    reported.length = 0
    await handlers['session.read']({ path })
    expect(reported[0]).toMatchObject({ doing: 'opening', name: 'study.clab' })
    expect(reported.at(-1)).toBeNull()
  })

  it('are not written, and keep nothing that was read, when they are cancelled', async () => {
    let isCancelled = true
    const { handlers, reported, content } = await host(() => {
      if (isCancelled) void handlers['session.cancel']({})
    })
    const { path } = content
    await expect(handlers['session.write'](content)).rejects.toMatchObject({ kind: 'cancelled' })
    expect(await readdir(target)).toEqual([])
    isCancelled = false
    await handlers['session.write'](content)
    isCancelled = true
    const before = await readdir(join(folder, 'results'))
    await expect(handlers['session.read']({ path })).rejects.toMatchObject({ kind: 'cancelled' })
    expect(await readdir(join(folder, 'results'))).toEqual(before)
    expect(reported.at(-1)).toBeNull()
  })
})
