import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import type { BenchmarkEvent } from '@shared/benchmark/requests'
import { Comparisons } from './comparisons'
import { Journal } from './journal'
import { fakeEngine, suiteOf, surroundings, type Manner } from './testing/fakes'

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
) {
  const listeners: ((event: BenchmarkEvent) => void)[] = []
  const journal = new Journal(kept)
  const comparisons = new Comparisons(journal, surroundings(fakeEngine(manners)), (event) => {
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
})

describe('a comparison whose process died', () => {
  async function finished(): Promise<BenchmarkDocument> {
    const { comparisons, next } = host()
    const done = next('done')
    const id = await comparisons.start(suiteOf(['a', 'b']))
    await done
    return comparisons.document(id)
  }

  it('is listed as interrupted and gone on with', async () => {
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
