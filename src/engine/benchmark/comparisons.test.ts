import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import type { BenchmarkEvent } from '@shared/benchmark/requests'
import { openDataset } from '../csv/open-dataset'
import type { Dataset } from '../dataset/dataset'
import { Comparisons } from './comparisons'
import { Journal } from './journal'
import { readComparison } from './suite-file'
import { fakeEngine, suiteOf, dependencies, type Manner } from './testing/fakes'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'centroid-bench-'))
  vi.stubEnv('CENTROID_LAB_CACHE_DIR', folder)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

const plain: Manner = {}

/** A host's comparisons, and a wait for its next event of a kind. */
function host(
  manners: Readonly<Record<string, Manner>> = { a: plain, b: plain },
  kept: string | null = folder,
  files: readonly Dataset[] = [],
) {
  const listeners: ((event: BenchmarkEvent) => void)[] = []
  const journal = new Journal(kept)
  const comparisons = new Comparisons(journal, dependencies(fakeEngine(manners), files), (event) => {
    for (const listener of listeners) listener(event)
  })
  const next = (kind: BenchmarkEvent['kind']) =>
    new Promise<BenchmarkEvent>((resolve) =>
      listeners.push((event) => {
        if (event.kind === kind) resolve(event)
      }),
    )
  return { comparisons, journal, next }
}

/** As a process leaves it that ended while a contender was at work. */
async function died(document: BenchmarkDocument, contender: string, deaths: number): Promise<void> {
  const journal = new Journal(folder)
  await journal.keep({ ...document, state: 'running', rows: [] })
  journal.mark(document.id, { cell: { dataset: 'uniform', k: 4, contender }, deaths })
}

describe('the comparisons of a host', () => {
  it('answers at once, tells its end, and is listed by the next host', async () => {
    const { comparisons, next } = host()
    const done = next('done')
    const id = await comparisons.start(suiteOf(['a', 'b']))
    await done
    const summary = { id, state: 'done', name: 'small', rows: 2, cells: 2 }
    expect(await comparisons.list()).toMatchObject({ comparisons: [summary], damaged: [] })
    const later = host().comparisons
    expect(await later.list()).toMatchObject({ comparisons: [summary] })
    expect(await later.document(id)).toEqual(await comparisons.document(id))
    await later.forget(id)
    expect(await host().comparisons.list()).toEqual({ comparisons: [], damaged: [] })
  })

  it('runs one at a time', async () => {
    const { comparisons, next } = host()
    const ended = next('cancelled')
    const id = await comparisons.start(suiteOf(['a'], { repeats: 1000 }))
    await expect(comparisons.start(suiteOf(['a']))).rejects.toMatchObject({ code: 'bench.busy' })
    await comparisons.cancel(id)
    await ended
    expect((await comparisons.document(id)).state).toBe('cancelled')
  })

  it('rests after the run under way, lets others work meanwhile, and goes on', async () => {
    const { comparisons, next } = host()
    const [paused, done] = [next('paused'), next('done')]
    const id = await comparisons.start(suiteOf(['a', 'b'], { repeats: 20 }))
    comparisons.pause(id)
    await paused
    expect(comparisons.isMeasuring).toBe(false)
    expect((await comparisons.document(id)).state).toBe('paused')
    await comparisons.resume(id)
    expect(comparisons.isMeasuring).toBe(true)
    await done
    const { rows, state } = await comparisons.document(id)
    expect(state).toBe('done')
    expect(rows.map(({ totalsMs }) => totalsMs.length)).toEqual([20, 20])
  })

  it('can be cancelled while it rests', async () => {
    const { comparisons, next } = host()
    const [paused, cancelled] = [next('paused'), next('cancelled')]
    const id = await comparisons.start(suiteOf(['a']))
    comparisons.pause(id)
    await paused
    await comparisons.cancel(id)
    await cancelled
    expect((await comparisons.document(id)).state).toBe('cancelled')
  })

  it('makes room for another while it rests, stays paused, and is resumed or cancelled later', async () => {
    const { comparisons, next } = host()
    const cases = ['first', 'second'].map((name) => {
      const [one] = suiteOf(['a']).cases
      return { ...one!, dataset: { ...one!.dataset, name } }
    })
    const suite = suiteOf(['a'], { cases })
    const paused = next('paused')
    const resting = await comparisons.start(suite)
    await next('row')
    comparisons.pause(resting)
    await paused
    expect((await comparisons.plan(suiteOf(['b']))).cells).toHaveLength(1)
    const done = next('done')
    const other = await comparisons.start(suiteOf(['b']))
    expect(await done).toMatchObject({ benchId: other })
    const kept = await comparisons.document(resting)
    expect(kept).toMatchObject({ state: 'paused', finishedAt: null, rows: [{ dataset: 'first' }] })
    expect((await host().comparisons.document(resting)).state).toBe('paused')
    const later = host()
    await later.comparisons.cancel(resting)
    expect(await later.comparisons.document(resting)).toMatchObject({ state: 'cancelled', rows: kept.rows })
    const end = next('done')
    await comparisons.resume(resting)
    await end
    expect((await comparisons.document(resting)).rows).toHaveLength(2)
  })
})

describe('a comparison whose process died', () => {
  async function finished(): Promise<BenchmarkDocument> {
    const { comparisons, next } = host()
    const done = next('done')
    const id = await comparisons.start(suiteOf(['a', 'b']))
    await done
    return comparisons.document(id)
  }

  it('is listed as interrupted and resumed', async () => {
    const document = await finished()
    await died(document, 'cpu/a', 0)
    const { comparisons, next } = host()
    expect((await comparisons.list()).comparisons[0]?.state).toBe('interrupted')
    const done = next('done')
    await comparisons.resume(document.id)
    await done
    const { rows } = await comparisons.document(document.id)
    expect(rows.map(({ state }) => state)).toEqual(['measured', 'measured'])
  })

  it('leaves out the contender that was at work twice in a row', async () => {
    const document = await finished()
    await died(document, 'cpu/a', 1)
    const { comparisons, next } = host()
    const done = next('done')
    await comparisons.resume(document.id)
    await done
    const { rows } = await comparisons.document(document.id)
    expect(rows.map(({ contender, state }) => [contender, state])).toEqual([
      ['cpu/a', 'failed'],
      ['cpu/b', 'measured'],
    ])
    expect(rows[0]?.reason).toMatch(/^The engine process ended while it ran cpu\/a, twice in a row/)
  })
})

describe('a comparison of a file that was opened in the window', () => {
  const never = new AbortController().signal
  const threePoints = 'a,b\n1,2\n3,4\n9,9\n'

  async function opened(name: string, text = threePoints): Promise<Dataset> {
    const path = join(folder, name)
    await writeFile(path, text)
    return openDataset(path, {}, () => undefined, never)
  }

  /** As it is after the first contender was measured and the person cancelled and quit. */
  async function cancelled(file: Dataset): Promise<BenchmarkDocument> {
    const { comparisons, journal, next } = host({ a: plain, b: plain }, folder, [file])
    const done = next('done')
    const dataset = { kind: 'loaded', datasetId: file.id, name: file.file.name } as const
    const id = await comparisons.start(suiteOf(['a', 'b'], { cases: [{ dataset, k: [2] }] }))
    await done
    const document = await comparisons.document(id)
    const half = { ...document, state: 'cancelled', rows: document.rows.slice(0, 1) } as const
    await journal.keep(half)
    return half
  }

  it('goes on once the same bytes are open again, wherever they lie, and keeps what was measured', async () => {
    const { id, rows } = await cancelled(await opened('points.csv'))
    const again = await opened('copy.csv')
    const { comparisons, next } = host(undefined, folder, [await opened('other.csv', 'a,b\n5,5\n'), again])
    const done = next('done')
    await comparisons.resume(id)
    await done
    const document = await comparisons.document(id)
    expect(document.rows.map(({ state }) => state)).toEqual(['measured', 'measured'])
    expect(document.rows[0]).toEqual(rows[0])
    expect(document.suite.cases[0]?.dataset).toMatchObject({ kind: 'loaded', datasetId: again.id })
  })

  it('names the file that is to be opened, and says when it is another one now', async () => {
    const { id } = await cancelled(await opened('points.csv'))
    await expect(host().comparisons.resume(id)).rejects.toMatchObject({
      code: 'dataset.unknown',
      message: 'points.csv is not loaded: open this data file, then resume the comparison.',
    })
    const changed = await opened('points.csv', 'a,b\n1,2\n3,4\n8,8\n')
    await expect(host(undefined, folder, [changed]).comparisons.resume(id)).rejects.toThrow(
      /^points\.csv has changed since this comparison began: /,
    )
  })

  it('stays as it was when it cannot be resumed', async () => {
    const before = await cancelled(await opened('points.csv'))
    const { comparisons } = host()
    await expect(comparisons.resume(before.id)).rejects.toThrow('points.csv')
    expect(await comparisons.document(before.id)).toEqual(before)
    expect(await host().comparisons.document(before.id)).toEqual(before)
    expect(comparisons.isMeasuring).toBe(false)
  })

  it('names its file by the path to the command line', async () => {
    const file = await opened('points.csv')
    const { id } = await cancelled(file)
    const read = await readComparison(join(folder, `${id}.benchmark.json`))
    const suite = read.kind === 'suite' ? read.suite : read.document.suite
    const named = { kind: 'file', path: file.file.path, name: 'points.csv' }
    expect(suite.cases[0]?.dataset).toEqual(named)
  })
})

describe('a folder that cannot be written', () => {
  it('costs what is kept and not the comparison', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const file = join(folder, 'file')
    await writeFile(file, '')
    const { comparisons, next } = host({ a: plain }, join(file, 'below'))
    const done = next('done')
    const id = await comparisons.start(suiteOf(['a']))
    await done
    expect((await comparisons.document(id)).rows[0]?.state).toBe('measured')
    expect(warn).toHaveBeenCalled()
    warn.mockRestore()
  })
})
