import { mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ZipFile } from 'yazl'
import type { SavedDataset } from '@shared/session'
import { runDocument } from '../export/run-document'
import { runOf } from '../export/testing/run-of'
import type { SpooledRun } from '../host/spool'
import { keptProfile, profilesFrom } from '../quality/kept-profile'
import { nearestClusters } from '../quality/nearest-clusters'
import { profilesOf } from '../quality/profiles'
import { keptRunFrom } from '../run-file/kept-run'
import { Slices } from '../slices'
import { fileState, findFiles } from './find-files'
import { sha256OfFile } from '../sha256-of-file'
import { keptRunAt } from './kept-run-of-session'
import { withSession } from './read-session'
import { unpackSession, type RunShelter } from './unpack-session'
import type { SessionContent } from './session-file'
import { writeSession, type FindRun } from './write-session'

const iris = resolve(import.meta.dirname, '../../../examples/iris.csv')
const never = new AbortController().signal
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'session é '))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function run(id: string): Promise<SpooledRun> {
  const result = await runOf(iris, { k: 3 })
  const { labels, centroids, initialCentroids, centroidHistory } = result
  const record = { ...result.record, id }
  return {
    ...{ datasetId: 'd1', record, labels, centroids, initialCentroids, centroidHistory },
    document: runDocument(result),
  }
}

async function dataset(change: Partial<SavedDataset> = {}): Promise<SavedDataset> {
  const { size, mtimeMs } = await stat(iris)
  return {
    ...{ id: 'd1', path: iris, bytes: size, sha256: await sha256OfFile(iris), modifiedMs: mtimeMs },
    overrides: { header: true },
    view: {
      config: { k: 3, scaling: 'standardise' },
      ...{ x: { kind: 'column', column: 1 }, y: { kind: 'component', component: 0 } },
      ...{ shownRun: 'r2', colourBy: null, view: 'profiles' },
    },
    runs: [
      {
        ...{ id: 'r1', number: 1, note: 'the first one', slots: null, silhouette: 0.55 },
        looks: [{ cluster: 0, name: 'small', colour: [1, 2, 3] }],
      },
      {
        id: 'r2',
        number: 2,
        note: '',
        looks: [],
        slots: [
          { position: 1, size: 3 },
          { position: 0, size: 3 },
          { position: 2, size: 3 },
        ],
        silhouette: null,
      },
    ],
    ...change,
  }
}

async function saved(): Promise<{ path: string; runs: Map<string, SpooledRun> }> {
  const path = join(folder, 'study.clab')
  const runs = new Map([
    ['r1', await run('r1')],
    ['r2', await run('r2')],
  ])
  const content = { shown: 'd1', datasets: [await dataset()] }
  await writeSession(path, content, (id) => Promise.resolve(runs.get(id) ?? null), never)
  return { path, runs }
}

function shelter(): RunShelter & { runs: Map<string, SpooledRun> } {
  const runs = new Map<string, SpooledRun>()
  return {
    runs,
    add: (id, one) => Promise.resolve(void runs.set(id, one)),
    discard: (id) => {
      for (const [runId, one] of runs) if (one.datasetId === id) runs.delete(runId)
      return Promise.resolve()
    },
  }
}

describe('a session that was saved', () => {
  it('opens as it was: datasets, views, notes, looks, and every array', async () => {
    const { path, runs } = await saved()
    const opened = shelter()
    const { datasets, shown, relativePaths } = await unpackSession(path, opened)
    const [one] = datasets
    expect(datasets).toHaveLength(1)
    expect(shown).toBe(one.id)
    expect(one.id).not.toBe('d1')
    const before = await dataset()
    expect(one).toMatchObject({ path: iris, sha256: before.sha256, overrides: { header: true } })
    expect(one.runs.map(({ note, number }) => [number, note])).toEqual([
      [1, 'the first one'],
      [2, ''],
    ])
    expect(one.runs[0].looks).toEqual(before.runs[0].looks)
    expect(one.view).toEqual({ ...before.view, shownRun: one.runs[1].id })
    expect(Object.keys(relativePaths)).toEqual([one.id])
    const first = opened.runs.get(one.runs[0].id)
    const original = runs.get('r1')
    expect(first?.labels).toEqual(original?.labels)
    expect(first?.centroids).toEqual(original?.centroids)
    expect(first?.initialCentroids).toEqual(original?.initialCentroids)
    expect(first?.centroidHistory).toEqual(original?.centroidHistory)
    expect(first?.record).toEqual({ ...original?.record, id: one.runs[0].id })
    expect(first?.document).toEqual(JSON.parse(JSON.stringify(original?.document)))
  })

  it('brings the profiles that were computed, and none where there were none', async () => {
    const path = join(folder, 'profiles.clab')
    const profiled = async (id: string): Promise<SpooledRun> => {
      const result = await runOf(iris, { k: 3 })
      const [{ d }, slices] = [result.record, new Slices(never)]
      const near = await nearestClusters(result, 0, 3, slices)
      return { ...(await run(id)), profile: keptProfile(await profilesOf(result, never), near, d) }
    }
    const runs = new Map([
      ['r1', await profiled('r1')],
      ['r2', await run('r2')],
    ])
    const content = { shown: 'd1', datasets: [await dataset()] }
    await writeSession(path, content, (id) => Promise.resolve(runs.get(id) ?? null), never)
    const opened = shelter()
    const [{ runs: listed }] = (await unpackSession(path, opened)).datasets
    const [first, second] = listed.map(({ id }) => opened.runs.get(id))
    expect(first?.profile).toEqual(runs.get('r1')?.profile)
    expect(second?.profile).toBeUndefined()
    const result = await runOf(iris, { k: 3 })
    const again = first?.profile && profilesFrom(first.profile, 3, 4)
    expect(again?.clusters).toEqual((await profilesOf(result, never)).clusters)
    expect(again?.whole.median).toEqual((await profilesOf(result, never)).whole.median)
  })

  it('holds run.json as it is exported', async () => {
    const { path } = await saved()
    const text = await withSession(path, ({ runJson }) => runJson('r1'))
    expect(keptRunFrom(JSON.parse(text), 'run.json').results.k).toBe(3)
  })

  it('gives a run by its number, its note or its id to whoever assigns rows by it', async () => {
    const { path } = await saved()
    for (const name of ['1', '#2', 'the first one']) expect((await keptRunAt(path, name)).results.k).toBe(3)
    const which = { code: 'session.which-run' }
    await expect(keptRunAt(path, null)).rejects.toMatchObject({
      ...which,
      message: expect.stringMatching(
        /holds 1 \(iris\.csv, “the first one”\), 2 \(iris\.csv\): name one/,
      ) as unknown,
    })
    await expect(keptRunAt(path, '7')).rejects.toMatchObject(which)
    await expect(keptRunAt(join(folder, 'run.json'), '1')).rejects.toMatchObject({
      code: 'session.run-without',
    })
  })

  it('takes the place of the one before it whole, or not at all', async () => {
    const { path } = await saved()
    const before = await readFile(path)
    const lost = writeSession(
      path,
      { shown: null, datasets: [await dataset()] },
      () => Promise.resolve(null),
      never,
    )
    await expect(lost).rejects.toMatchObject({ code: 'session.run-lost' })
    const stopped = new AbortController()
    const find = () => {
      stopped.abort()
      return run('r1')
    }
    const cut = writeSession(path, { shown: null, datasets: [await dataset()] }, find, stopped.signal)
    await expect(cut).rejects.toMatchObject({ kind: 'cancelled' })
    expect(await readFile(path)).toEqual(before)
    expect(await readdir(folder)).toEqual(['study.clab'])
  })
})

/** Two runs of many rows, whose labels go out, and come in, in several pieces. */
async function long(): Promise<{ path: string; content: SessionContent; find: FindRun; rows: number }> {
  const n = 600_000
  const labels = Int32Array.from({ length: n }, (_, i) => (Math.imul(i, 2_654_435_761) >>> 16) % 3)
  const runs = new Map<string, SpooledRun>()
  for (const id of ['r1', 'r2']) {
    const short = await run(id)
    runs.set(id, { ...short, labels, record: { ...short.record, n } })
  }
  const find = (id: string) => Promise.resolve(runs.get(id) ?? null)
  const content = { shown: 'd1', datasets: [await dataset()] }
  return { path: join(folder, 'long.clab'), content, find, rows: 2 * n }
}

describe('a person who waits', () => {
  it('for a session that is saved is told of its rows, and cancels with the file before left as it was', async () => {
    const { path, content, find, rows } = await long()
    const reported: number[] = []
    await writeSession(path, content, find, never, (now) => reported.push(now))
    expect(reported).toEqual(reported.toSorted((a, b) => a - b))
    expect(reported.filter((now) => now > 0 && now < rows).length).toBeGreaterThan(4)
    expect(reported.at(-1)).toBe(rows)
    const before = await readFile(path)
    const stopped = new AbortController()
    const cut = writeSession(path, content, find, stopped.signal, (now) => {
      if (now > rows / 4) stopped.abort()
    })
    await expect(cut).rejects.toMatchObject({ kind: 'cancelled' })
    expect(await readFile(path)).toEqual(before)
    expect(await readdir(folder)).toEqual(['long.clab'])
  })

  it('for one that is opened is told of its bytes, and cancels with nothing kept', async () => {
    const { path, content, find } = await long()
    await writeSession(path, content, find, never)
    const reported: number[] = []
    let totalBytes = 0
    const opened = shelter()
    const onBytes = (bytes: number, total: number) => {
      reported.push(bytes)
      totalBytes = total
    }
    await unpackSession(path, opened, { onBytes })
    expect(opened.runs.size).toBe(2)
    expect(reported.length).toBeGreaterThan(4)
    expect(reported.at(-1)).toBeLessThanOrEqual(totalBytes)
    expect(reported.at(-1)).toBeGreaterThan(0.9 * totalBytes)
    for (const share of [0, 0.3, 0.8, 0.9]) {
      const [stopped, none] = [new AbortController(), shelter()]
      const stop = (bytes: number, total: number) => {
        if (bytes >= share * total) stopped.abort()
      }
      const cut = unpackSession(path, none, { signal: stopped.signal, onBytes: stop })
      await expect(cut).rejects.toMatchObject({ kind: 'cancelled' })
      expect(none.runs.size).toBe(0)
    }
  })
})

describe('what is no session is refused in one sentence, and leaves nothing behind', () => {
  async function refusal(path: string): Promise<unknown> {
    const opened = shelter()
    const error: unknown = await unpackSession(path, opened).catch((thrown: unknown) => thrown)
    expect(opened.runs.size).toBe(0)
    return error
  }

  it('any byte of which was changed', async () => {
    const { path, runs } = await saved()
    const whole = await readFile(path)
    // Of local headers neither name nor time is read: everything that is used stands in the central directory.
    const positions = Array.from({ length: 60 }, (_, i) => Math.floor(((i + 0.5) * whole.length) / 60))
    let refused = 0
    for (const at of positions) {
      const bytes = Buffer.from(whole)
      bytes[at] ^= 0x10
      await writeFile(path, bytes)
      const opened = shelter()
      const outcome = await unpackSession(path, opened).catch((thrown: unknown) => thrown)
      if (outcome instanceof Error) {
        expect(outcome).toMatchObject({
          code: expect.stringMatching(/^session\.(damaged|newer)$/) as unknown,
        })
        expect(opened.runs.size).toBe(0)
        refused++
      } else {
        const labels = [...opened.runs.values()].map((one) => one.labels)
        expect(labels).toEqual([runs.get('r1')?.labels, runs.get('r2')?.labels])
      }
    }
    expect(refused).toBeGreaterThan(45)
  })

  it('that was cut off', async () => {
    const { path } = await saved()
    const whole = await readFile(path)
    await writeFile(path, whole.subarray(0, whole.length - 100))
    expect(await refusal(path)).toMatchObject({ code: 'session.damaged' })
    await writeFile(path, '')
    expect(await refusal(path)).toMatchObject({ code: 'session.damaged' })
  })

  it('that a newer version saved, or somebody else', async () => {
    const path = join(folder, 'other.clab')
    const zipOf = async (name: string, text: string) => {
      const zip = new ZipFile()
      zip.addBuffer(Buffer.from(text), name)
      zip.end()
      const pieces: Buffer[] = []
      for await (const piece of zip.outputStream) pieces.push(piece as Buffer)
      await writeFile(path, Buffer.concat(pieces))
    }
    await zipOf('session.json', JSON.stringify({ format: 'centroid-lab-session', version: 2 }))
    expect(await refusal(path)).toMatchObject({
      code: 'session.newer',
      message: expect.stringContaining('newer Centroid Lab') as unknown,
    })
    await zipOf('session.json', '{"format": "centroid-lab-session", "version": 1, "datasets": [{}]}')
    expect(await refusal(path)).toMatchObject({ code: 'session.damaged' })
    await zipOf('word/document.xml', '<xml/>')
    expect(await refusal(path)).toMatchObject({ code: 'session.damaged' })
    expect(await refusal(join(folder, 'nowhere.clab'))).toMatchObject({ code: 'session.not-found' })
  })
})

describe('the files of a session', () => {
  it('are as they were, changed or missing', async () => {
    const path = join(folder, 'data.csv')
    await writeFile(path, 'x\n1\n2\n')
    const { size, mtimeMs } = await stat(path)
    const known = { id: 'd', path, bytes: size, sha256: await sha256OfFile(path), modifiedMs: mtimeMs }
    expect(await fileState(known)).toBe('there')
    // Copied or unpacked again, it has another time and the same bytes.
    await utimes(path, 1000, 1000)
    expect(await fileState(known)).toBe('there')
    await writeFile(path, 'x\n1\n3\n')
    expect(await fileState(known)).toBe('changed')
    await rm(path)
    expect(await fileState(known)).toBe('missing')
  })

  it('are found below a folder by their contents, whatever they are called now', async () => {
    const path = join(folder, 'data.csv')
    await writeFile(path, 'x\n1\n2\n')
    const wanted = [
      { id: 'a', bytes: 6, sha256: await sha256OfFile(path) },
      { id: 'b', bytes: 6, sha256: '0'.repeat(64) },
    ]
    await rename(path, join(folder, 'renamed.csv'))
    await writeFile(path, 'x\n9\n9\n')
    expect([...(await findFiles(folder, wanted))]).toEqual([['a', join(folder, 'renamed.csv')]])
  })
})
