import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { KeptRuns } from '@engine/host/spool'
import { KeptSessions } from './kept-sessions'
import { StateFiles } from './state-files'

const iris = { path: '/data/iris.csv', overrides: { header: true }, datasetId: 'd1' }
const wine = { path: '/data/wine.csv', overrides: {}, datasetId: 'd2' }
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

async function offers(kept: KeptSessions): Promise<readonly string[]> {
  return (await kept.offered()).map(({ path }) => path)
}

describe('a start after one that was ended by force', () => {
  it('opens its file again, under the id of its results, once', async () => {
    sessions().opened(iris)
    const kept = await started()
    expect(await offers(kept)).toEqual([])
    expect(kept.take()).toMatchObject(iris)
    expect(kept.resume(iris.path)).toBe('d1')
    // Read another way later, it is another dataset.
    expect(kept.resume(iris.path)).toBeNull()
  })

  it('offers a file that ends the program each time, after two starts', async () => {
    sessions().opened(iris)
    expect((await started()).take()).toMatchObject(iris)
    expect((await started()).take()).toMatchObject(iris)
    const third = await started()
    expect(third.take()).toBeNull()
    expect(await offers(third)).toEqual([iris.path])
  })

  it('keeps it when another file is named', async () => {
    sessions().opened(iris)
    const kept = await started(true)
    expect(kept.take()).toBeNull()
    expect(await offers(kept)).toEqual([iris.path])
    kept.opened(wine)
    expect(await offers(await started())).toEqual([iris.path])
  })

  it('takes over what version 0.1.0 left', async () => {
    writeFileSync(join(folder, 'session.json'), JSON.stringify({ file: iris, attempts: 0 }))
    expect((await started()).take()).toMatchObject(iris)
  })
})

describe('a start after one that ended well', () => {
  async function ended(): Promise<KeptSessions> {
    const first = sessions()
    first.opened(iris)
    first.ended()
    return started()
  }

  it('opens nothing by itself and offers what is kept, with its runs', async () => {
    const kept = await ended()
    expect(kept.take()).toBeNull()
    expect(await kept.offered()).toEqual([
      { ...iris, lastUsed: expect.stringMatching(/^\d{4}-/), runs: 3, isCutOff: false },
    ])
    expect(kept.continueWith('d1')).toMatchObject(iris)
    expect(kept.resume(iris.path)).toBe('d1')
    kept.opened(iris)
    expect(await offers(kept)).toEqual([])
    expect(await offers(await started())).toEqual([])
  })

  it('keeps it over any number of starts, and beside other files', async () => {
    for (let start = 0; start < 3; start++) (await ended()).ended()
    const kept = await started()
    runs.set('d2', { runs: 1, isCutOff: true })
    kept.opened(wine)
    await kept.closed('d2')
    expect(await offers(await started())).toEqual([wine.path, iris.path])
  })

  it('loses it at the word of the person alone', async () => {
    const kept = await ended()
    await kept.discard('d1')
    expect([runs.size, await offers(kept), await offers(await started())]).toEqual([0, [], []])
    expect(() => kept.continueWith('d1')).toThrow('no longer kept')
    kept.opened(wine)
    await expect(kept.discard('d2')).rejects.toMatchObject({ code: 'session.open' })
  })
})

it('a file without results is kept only while it is on screen', async () => {
  const first = sessions()
  first.opened(wine)
  expect(first.onScreen).toBe('d2')
  await first.closed('d2')
  expect(JSON.parse(readFileSync(join(folder, 'session.json'), 'utf8'))).toEqual({
    onScreen: null,
    files: [],
  })
  first.opened(wine)
  first.ended()
  expect(await offers(await started())).toEqual([])
})

it('a damaged list begins anew', async () => {
  writeFileSync(join(folder, 'session.json'), '{"file": {"path": "/etc')
  expect((await started()).take()).toBeNull()
})
