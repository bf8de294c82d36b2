import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TimingLock } from '@engine/benchmark/timing-lock'
import { runOf } from '@engine/export/testing/run-of'
import type { HostEvents } from '@shared/ipc'
import { Predictions } from '../predictions'
import { Spool } from '../spool'
import { HostStore } from '../store'
import { exportHandlers } from './exports'

let folder: string
let target: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'exports-'))
  target = await mkdtemp(join(folder, 'target-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A host with a finished run; `onProgress` hears of the rows that are written. */
async function hostOf(onProgress: (progress: HostEvents['export.progress']) => void = () => undefined) {
  const path = join(folder, 'points.csv')
  const rows = Array.from({ length: 50_000 }, (_, i) => `${i % 977},${(i * 7919) % 1009}`)
  await writeFile(path, `a,b\n${rows.join('\n')}\n`)
  const result = await runOf(path, { k: 2 })
  const store = new HostStore(new Spool(null))
  store.addDataset(result.dataset)
  store.runs.begin('run-1', result.dataset.id)
  await store.runs.finish('run-1', result)
  const handlers = exportHandlers(
    store,
    (channel, payload) => {
      if (channel === 'export.progress') onProgress(payload as HostEvents['export.progress'])
    },
    new TimingLock(),
    new Predictions(),
  )
  return { store, handlers, datasetId: result.dataset.id }
}

describe('exports of a run', () => {
  it('write the step pairs and tell how far they are', async () => {
    const reported: HostEvents['export.progress'][] = []
    const { handlers } = await hostOf((progress) => reported.push(progress))
    const steps = { runId: 'run-1', folder: target, steps: 9, replace: false }
    const { files } = await handlers['export.steps'](steps)
    expect(files).toHaveLength(6)
    expect(await readdir(target)).toHaveLength(6)
    expect(reported[0]).toMatchObject({ runId: 'run-1', kind: 'steps', totalRows: 50_000 })
  })

  it.each(['steps', 'labels'] as const)('end with no file when they are cancelled: %s', async (what) => {
    const { handlers } = await hostOf(() => void handlers['export.cancel']({ runId: 'run-1' }))
    const common = { runId: 'run-1', replace: false }
    const work =
      what === 'steps'
        ? handlers['export.steps']({ ...common, folder: target, steps: 3 })
        : handlers['export.write']({ ...common, kind: 'labels', path: join(target, 'labels.csv') })
    await expect(work).rejects.toMatchObject({ kind: 'cancelled' })
    expect(await readdir(target)).toEqual([])
  })

  it('of another run go on', async () => {
    const { handlers } = await hostOf(() => void handlers['export.cancel']({ runId: 'run-2' }))
    const path = join(target, 'labels.csv')
    await handlers['export.write']({ runId: 'run-1', kind: 'labels', path, replace: false })
    expect(await readdir(target)).toEqual(['labels.csv'])
  })

  it('keep the execution times of runs whose file was closed', async () => {
    const { handlers, store, datasetId } = await hostOf()
    const path = join(target, 'timings.csv')
    const write = (runIds: string[]) => handlers['export.timings']({ runIds, path, replace: true })
    store.closeDataset(datasetId)
    await write(['run-1', 'run-1'])
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
    expect(lines.map((line) => line.split(',')[0])).toEqual(['dataset', 'points.csv', 'points.csv'])
    await expect(write(['run-1', 'run-7'])).rejects.toMatchObject({ code: 'run.unknown' })
  })
})
