import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runOf } from '@engine/export/testing/run-of'
import { Spool, type KeptCheckpoint, type RunFacts, type SpooledRun } from './spool'

let folder: string
let spool: Spool
let run: Omit<SpooledRun, 'datasetId'>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-'))
  const path = join(folder, 'points.csv')
  await writeFile(path, 'a,b\n0,0\n1,0\n9,9\n8,9\n')
  const { record, labels, centroids, initialCentroids, centroidHistory } = await runOf(path, { k: 2 })
  run = { record, labels, centroids, initialCentroids, centroidHistory }
  spool = new Spool(join(folder, 'results'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function keep(runId: string, datasetId: string): Promise<void> {
  const facts: RunFacts = { datasetId, record: run.record }
  await spool.saveFacts(runId, facts)
  await spool.save(runId, { ...run, datasetId })
}

function checkpoint(runId: string, datasetId: string): KeptCheckpoint {
  const engineSegments: KeptCheckpoint['checkpoint']['engineSegments'] = []
  return {
    ...{ runId, datasetId, sha256: null, config: run.record.config, engine: null, savedMs: 1 },
    checkpoint: { engineSegments, rows: [], centroidHistory: [] } as unknown as KeptCheckpoint['checkpoint'],
  }
}

const names = async () => (await readdir(join(folder, 'results'))).sort()

describe('results on disk', () => {
  it('are told by dataset, and go when that is discarded', async () => {
    await keep('one', 'iris')
    await keep('two', 'iris')
    await keep('three', 'wine')
    await spool.saveCheckpoint('four', checkpoint('four', 'wine'))
    await spool.remove('two')
    expect(await spool.keptRuns()).toEqual(
      new Map([
        ['iris', { runs: 1, isCutOff: false }],
        ['wine', { runs: 1, isCutOff: true }],
      ]),
    )
    await spool.discard('wine')
    expect(await names()).toEqual(['one.facts', 'one.run', 'two.facts'])
  })

  it('of another file are never given up for room', async () => {
    await keep('one', 'iris')
    const { size } = await stat(join(folder, 'results', 'one.run'))
    spool = new Spool(join(folder, 'results'), 2.5 * size)
    await keep('two', 'wine')
    await keep('three', 'wine')
    expect(await names()).toEqual(['one.facts', 'one.run', 'three.facts', 'three.run', 'two.facts'])
    spool = new Spool(join(folder, 'results'), 1.5 * size)
    expect(await spool.save('four', { ...run, datasetId: 'digits' })).toBe(false)
    expect(await names()).toEqual(['one.facts', 'one.run', 'three.facts', 'three.run', 'two.facts'])
  })

  it.skipIf(process.platform === 'win32')('are read by nobody else', async () => {
    await keep('one', 'iris')
    await spool.saveCheckpoint('two', checkpoint('two', 'iris'))
    const modes = await Promise.all(
      ['', 'one.run', 'one.facts', 'two.checkpoint'].map(async (name) => {
        const { mode } = await stat(join(folder, 'results', name))
        return mode & 0o777
      }),
    )
    expect(modes).toEqual([0o700, 0o600, 0o600, 0o600])
  })

  it('leave nothing half written: neither on a full disk nor after a kill', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    await keep('one', 'iris')
    await writeFile(join(folder, 'results', 'two.run.new'), 'half')
    await spool.removeUnfinished()
    expect(await names()).toEqual(['one.facts', 'one.run'])
    await rm(join(folder, 'results'), { recursive: true })
    await writeFile(join(folder, 'results'), 'a file where the folder should be')
    expect(await spool.save('one', { ...run, datasetId: 'iris' })).toBe(false)
    expect(await spool.save('one', { ...run, datasetId: 'iris' })).toBe(false)
    expect(warn).toHaveBeenCalledOnce()
    warn.mockRestore()
  })

  it('share a folder with files of other programs, which stay', async () => {
    await keep('one', 'iris')
    const others = ['notes.new', 'results.csv.new', 'config.new', 'my draft.run.new']
    for (const name of others) await writeFile(join(folder, 'results', name), 'of somebody else')
    await spool.removeUnfinished()
    expect(await names()).toEqual([...others, 'one.facts', 'one.run'].sort())
  })
})
