import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RunEvent } from '@shared/ipc'
import type { ReuseProgress } from '@shared/reuse-requests'
import { defaultRunConfig } from '@shared/run-config'
import type { HostHandlers } from '../protocol'
import { Spool } from '../spool'
import { HostStore } from '../store'
import { hostHandlers } from '.'

let folder: string
beforeAll(() => vi.stubEnv('CENTROID_LAB_CACHE_DIR', join(tmpdir(), 'centroid-lab-test-cache')))
afterAll(() => vi.unstubAllEnvs())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reuse-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const at = (name: string): string => join(folder, name)
const points = Array.from(
  { length: 300 },
  (_, i) => `${(i % 3) * 100 + (i % 7)},${(i % 3) * 50 + (i % 11)},t${i % 2}`,
)
const training = `a,b,note\n${points.join('\n')}\n`

/** A host, with a run of k = 3 on a file. @param spool keeps results on the disk */
async function hostOf(spool = true) {
  const waiting = new Map<string, (event: RunEvent) => void>()
  const progress: ReuseProgress[] = []
  const store = new HostStore(new Spool(spool ? at('spool') : null))
  const handlers: HostHandlers = hostHandlers(store, (channel, payload) => {
    if (channel === 'reuse.progress') progress.push(payload as ReuseProgress)
    const event = payload as RunEvent
    if (channel === 'run.event' && ['done', 'failed'].includes(event.kind)) waiting.get(event.runId)?.(event)
  })
  await writeFile(at('old.csv'), training)
  const { id: datasetId } = await handlers['dataset.open']({ path: at('old.csv'), overrides: {} })
  const config = { ...defaultRunConfig, features: ['a', 'b'], scaling: 'standardise', engine: 'cpu' } as const
  const { runId } = await handlers['run.start']({ datasetId, config })
  const event = await new Promise<RunEvent>((resolve) => waiting.set(runId, resolve))
  if (event.kind !== 'done') throw new Error('the run failed')
  return { handlers, datasetId, runId, record: event.record, progress }
}

describe('rows of another file', () => {
  it.each([true, false])('are assigned though the file of the run is closed (on disk: %s)', async (spool) => {
    const { handlers, datasetId, runId, record, progress } = await hostOf(spool)
    await handlers['dataset.close']({ datasetId })
    await writeFile(at('new.csv'), 'b,extra,a\n1,x,2\n51,y,102\n52,z,101\n,q,5\n400,r,900\n')
    const answer = await handlers['predict.rows']({ taskId: 't', runId, path: at('new.csv') })
    const { prediction, predictionId } = answer
    expect(prediction).toMatchObject({ n: 4, k: 3, droppedRows: 1 })
    expect(prediction.clusters.reduce((sum, { size }) => sum + size, 0)).toBe(4)
    expect(prediction.clusters.map(({ trainingShare }) => trainingShare)).toEqual(
      record.clusters.map(({ size }) => size / record.n),
    )
    expect(prediction.features).toMatchObject([
      { name: 'a', above: 1 },
      { name: 'b', above: 1 },
    ])
    expect(progress.map(({ stage }) => stage)).toContain('assigning')
    const path = at('assignments.csv')
    await handlers['export.assignments']({ predictionId, path, replace: false })
    const lines = (await readFile(path, 'utf8')).trim().split('\n')
    expect(lines[0]).toBe('b,extra,a,cluster,distance')
    expect(lines[4]).toBe(',q,5,,')
    await handlers['predict.close']({ predictionId })
    const again = async () => await handlers['export.assignments']({ predictionId, path, replace: true })
    await expect(again()).rejects.toMatchObject({ code: 'predict.unknown' })
  })

  it('name a column that is missing, and are given up when they are cancelled', async () => {
    const { handlers, runId } = await hostOf()
    await writeFile(at('new.csv'), 'a,c\n1,2\n3,4\n')
    const assign = async (taskId: string) =>
      await handlers['predict.rows']({ taskId, runId, path: at('new.csv') })
    await expect(assign('t')).rejects.toMatchObject({ code: 'predict.column' })
    const cut = assign('u')
    await handlers['reuse.cancel']({ taskId: 'u' })
    await expect(cut).rejects.toMatchObject({ kind: 'cancelled' })
  })
})

describe('a run made again', () => {
  it('is identical, and the mark stays with it for the next host', async () => {
    const { handlers, datasetId, runId, record } = await hostOf()
    const found = await handlers['verify.run']({ taskId: 't', runId, data: [] })
    expect(found).toMatchObject({ verdict: 'identical', keptSha256: record.resultSha256, reasons: [] })
    const next = hostHandlers(new HostStore(new Spool(at('spool'))), () => undefined)
    await next['dataset.open']({ path: at('old.csv'), overrides: {}, datasetId })
    const [kept] = await next['run.kept']({ datasetId })
    expect(kept.verified).toMatchObject({ verdict: 'identical', resultSha256: record.resultSha256 })
  })

  it('finds its data under another name, by their SHA-256, and asks where they are nowhere', async () => {
    const { handlers, datasetId, runId } = await hostOf()
    await handlers['dataset.close']({ datasetId })
    await rename(at('old.csv'), at('moved.csv'))
    await writeFile(at('other.csv'), training.replace('t0', 't9'))
    const verify = async (...data: string[]) => await handlers['verify.run']({ taskId: 't', runId, data })
    await expect(verify(at('other.csv'))).rejects.toMatchObject({ code: 'verify.data' })
    expect(await verify(at('other.csv'), at('moved.csv'))).toMatchObject({ verdict: 'identical' })
  })

  it('is read from a run.json, with what it is of, and what differs', async () => {
    const { handlers, runId, record } = await hostOf()
    const path = at('run.json')
    await handlers['export.write']({ runId, kind: 'run', path, replace: false })
    expect(await handlers['verify.describe']({ path })).toMatchObject({
      ...{ name: 'run.json', dataName: 'old.csv', n: 300, d: 2, k: 3, engine: 'cpu' },
      resultSha256: record.resultSha256,
    })
    const same = await handlers['verify.file']({ taskId: 't', path, data: [at('old.csv')] })
    expect(same).toMatchObject({ dataPath: at('old.csv'), verification: { verdict: 'identical' } })
    const text = await readFile(path, 'utf8')
    await writeFile(
      path,
      text.replace(record.resultSha256 ?? '', '0'.repeat(64)).replace('"node": "', '"node": "9.'),
    )
    const other = await handlers['verify.file']({ taskId: 't', path, data: [at('old.csv')] })
    expect(other.verification.verdict).toBe('within-bound')
    expect(other.verification.reasons.join()).toContain('version of node')
  })
})

it('is code for scikit-learn', async () => {
  const { handlers, runId } = await hostOf()
  const { text } = await handlers['run.python']({ runId })
  expect(text).toContain('KMeans(')
})
