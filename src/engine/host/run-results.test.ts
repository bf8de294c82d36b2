import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runOf } from '@engine/export/testing/run-of'
import type { RunResult } from '@engine/run/types'
import { maxInMemory } from './run-results'
import { Spool } from './spool'
import { HostStore } from './store'

let folder: string
let made: RunResult

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'run-results-'))
  const path = join(folder, 'points.csv')
  await writeFile(path, 'a,b\n0,0\n1,0\n9,9\n8,9\n')
  made = await runOf(path, { k: 2 })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const spoolFolder = () => join(folder, 'results')

/** A host with the file open, as main makes it: after a crash the dataset has the same id. */
function host(spool = new Spool(spoolFolder())): HostStore {
  const store = new HostStore(spool)
  store.addDataset(made.dataset)
  return store
}

async function finish(store: HostStore, runId: string, result = made): Promise<RunResult> {
  const own = { ...result, labels: result.labels.slice(), record: { ...result.record, id: runId } }
  store.runs.begin(runId, made.dataset.id)
  await store.runs.finish(runId, own)
  return own
}

const runFiles = async () => (await readdir(spoolFolder())).filter((name) => name.endsWith('.run')).sort()
const names = (count: number) => Array.from({ length: count }, (_, i) => `run-${i + 1}`)

describe('results of a long session', () => {
  it('keeps the arrays of the last few in memory and reads the others back', async () => {
    const store = host()
    const own: RunResult[] = []
    for (const name of names(maxInMemory + 1)) own.push(await finish(store, name))
    expect((await store.runs.result('run-2')).labels).toBe(own[1].labels)
    const first = await store.runs.result('run-1')
    expect(first.labels).not.toBe(own[0].labels)
    expect(first.labels).toEqual(own[0].labels)
    expect(first.centroidHistory).toEqual(own[0].centroidHistory)
    // The one that was asked for is the newest now; the one that nobody asked for went.
    expect((await store.runs.result('run-1')).labels).toBe(first.labels)
    expect((await store.runs.result('run-3')).labels).not.toBe(own[2].labels)
  })

  it('keeps every result in memory when there is no disk to keep it', async () => {
    const store = host(new Spool(null))
    const own: RunResult[] = []
    for (const name of names(maxInMemory + 2)) own.push(await finish(store, name))
    expect((await store.runs.result('run-1')).labels).toBe(own[0].labels)
  })

  it('takes no more of the disk than it may: the oldest arrays go, the facts stay', async () => {
    const measure = host()
    await finish(measure, 'run-0')
    const { size } = await stat(join(spoolFolder(), 'run-0.run'))
    await measure.runs.forget('run-0')
    const store = host(new Spool(spoolFolder(), 2.5 * size))
    for (const name of names(maxInMemory + 2)) {
      await finish(store, name)
      // Files are told apart by when they were written.
      await new Promise((done) => setTimeout(done, 15))
    }
    expect(await runFiles()).toEqual(
      names(maxInMemory + 2)
        .slice(-2)
        .map((name) => `${name}.run`),
    )
    await expect(store.runs.result('run-1')).rejects.toMatchObject({ code: 'run.unknown' })
    expect((await store.runs.facts('run-1')).record.k).toBe(2)
    expect((await store.runs.result('run-5')).labels).toHaveLength(4)
  })

  it('restores one result once for several questions at a time', async () => {
    await finish(host(), 'run-1')
    const next = host()
    const [one, other] = await Promise.all([next.runs.result('run-1'), next.runs.result('run-1')])
    expect(one).toBe(other)
  })

  it('shares the points of runs that clustered the same ones', async () => {
    const store = host()
    await finish(store, 'run-1')
    await finish(store, 'run-2', await sameAgain())
    const [one, two] = [await store.runs.result('run-1'), await store.runs.result('run-2')]
    expect(two.points).toBe(one.points)
  })

  it('does not share points that were scaled another way', async () => {
    const store = host()
    await finish(store, 'run-1')
    const { points } = made
    const scaled = {
      ...made,
      points: { ...points, preparation: { ...points.preparation, scaling: 'min-max' as const } },
    }
    await finish(store, 'run-2', scaled)
    expect((await store.runs.result('run-2')).points).toBe(scaled.points)
  })

  it('refuses the labels of a file that has changed since', async () => {
    await finish(host(), 'run-1')
    const next = new HostStore(new Spool(spoolFolder()))
    next.addDataset({ ...made.dataset, file: { ...made.dataset.file, sha256: 'another' } })
    await expect(next.runs.result('run-1')).rejects.toMatchObject({ code: 'run.unknown' })
  })
})

describe('a run that is forgotten', () => {
  it('leaves no arrays, in memory or on disk, but what its execution time needs', async () => {
    const store = host()
    await finish(store, 'run-1')
    await finish(store, 'run-2')
    const forgotten: string[] = []
    store.runs.onForget((runId) => forgotten.push(runId))
    await store.runs.forget('run-1')
    expect(forgotten).toEqual(['run-1'])
    expect(await runFiles()).toEqual(['run-2.run'])
    await expect(store.runs.result('run-1')).rejects.toMatchObject({ code: 'run.unknown' })
    const { record } = await store.runs.facts('run-1')
    expect(record).toMatchObject({ n: 4, k: 2, timings: made.record.timings })
    expect(record).not.toHaveProperty('history')
  })

  it('leaves nothing when it was forgotten while it was written down', async () => {
    const store = host()
    store.runs.begin('run-1', made.dataset.id)
    const finishing = store.runs.finish('run-1', made)
    await store.runs.forget('run-1')
    await finishing
    expect(await runFiles()).toEqual([])
  })

  it('stops what is computed from it, which a late cancel does not', async () => {
    const store = host()
    await finish(store, 'run-1')
    const signal = store.runs.untilForgotten('run-1')
    store.runs.cancel('run-1')
    expect(signal.aborted).toBe(false)
    await store.runs.forget('run-1')
    expect(signal.aborted).toBe(true)
  })
})

describe('closing a file', () => {
  it('lets go of its runs and leaves them on the disk, for when it is opened again', async () => {
    const store = host()
    await finish(store, 'run-1')
    const signal = store.runs.untilForgotten('run-1')
    store.closeDataset(made.dataset.id)
    expect(signal.aborted).toBe(true)
    await expect(store.runs.result('run-1')).rejects.toMatchObject({ code: 'run.unknown' })
    expect(await runFiles()).toEqual(['run-1.run'])
    store.addDataset(made.dataset)
    expect((await store.runs.result('run-1')).labels).toEqual(made.labels)
    expect((await store.runs.kept(made.dataset.id)).map(({ id }) => id)).toEqual(['run-1'])
  })

  it('leaves the runs of another file', async () => {
    const store = host()
    await finish(store, 'run-1')
    store.closeDataset('another')
    expect(await runFiles()).toEqual(['run-1.run'])
    await expect(store.runs.facts('run-9')).rejects.toMatchObject({ code: 'run.unknown' })
  })
})

async function sameAgain(): Promise<RunResult> {
  const again = await runOf(made.dataset.file.path, { k: 2 })
  return { ...again, dataset: made.dataset }
}
