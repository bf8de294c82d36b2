import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import type { Suite, SuiteDataset } from '@shared/benchmark/suite'
import { refuseOtherDistance } from '@shared/distance'
import { presets } from './presets'
import { readComparison, readSuiteFile, writeSuite } from './suite-file'

let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'centroid-lab-suite-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const options = { replace: false, signal: new AbortController().signal }
const small = presets(0.001).find(({ id }) => id === 'di-dio-table')?.suite as Suite

const withData = (...datasets: readonly SuiteDataset[]): Suite => ({
  ...small,
  publication: null,
  cases: datasets.map((dataset) => ({ dataset, k: [2, 3] })),
})

const file = (path: string, name = path): SuiteDataset => ({ kind: 'file', path, name })

function saved(value: unknown): string {
  const path = join(folder, 'SUITE.json')
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  return path
}

describe('a suite file', () => {
  it.each(presets(1))('keeps $id as it is', async ({ suite }) => {
    const path = join(folder, 'SUITE.json')
    await writeSuite(suite, path, options)
    expect(await readComparison(path)).toEqual({ kind: 'suite', suite })
  })

  it('keeps the limit of a cell, and refuses one that is no time', async () => {
    const path = join(folder, 'SUITE.json')
    await writeSuite({ ...small, maxCellSeconds: 600 }, path, options)
    expect(await readSuiteFile(path)).toEqual({ ...small, maxCellSeconds: 600 })
    for (const wrong of [0, -1, 1e9]) {
      await expect(readComparison(saved({ ...small, maxCellSeconds: wrong }))).rejects.toThrow(
        /^Expected seconds above 0, at most 1000000 at maxCellSeconds in \S+ but received /,
      )
    }
  })

  it('names data by their place beside it', async () => {
    const path = join(folder, 'SUITE.json')
    const suite = withData(file(join(folder, 'data', 'a.csv'), 'a'), file('/elsewhere/b.csv', 'b'))
    await writeSuite(suite, path, options)
    expect(readFileSync(path, 'utf8')).toMatch(/"data\/a\.csv"[^]*"\/elsewhere\/b\.csv"/)
    expect(await readSuiteFile(path)).toEqual(suite)
  })

  it('takes a folder for the tables in it', async () => {
    mkdirSync(join(folder, 'data'))
    for (const name of ['n10.csv', 'n9.csv', 'notes.md']) writeFileSync(join(folder, 'data', name), 'x\n1\n')
    const { cases } = await readSuiteFile(saved(withData(file('data', 'sweep'))))
    expect(cases).toEqual(
      ['n9.csv', 'n10.csv'].map((name) => ({
        dataset: file(join(folder, 'data', name), `sweep/${name}`),
        k: [2, 3],
      })),
    )
  })

  it('that asks for float64 is kept, and refused where a contender works in float32 only', async () => {
    const ofVariant = (variant: string) =>
      ({ kind: 'variant', engine: 'cpu', variant, device: null }) as const
    const fine = {
      ...withData(file('/data/a.csv', 'a')),
      contenders: [ofVariant('sequential'), ofVariant('eigen')],
      baseline: 'cpu/sequential',
      config: { ...small.config, precision: 'float64' },
    } as const
    expect((await readSuiteFile(saved(fine))).config.precision).toBe('float64')
    const mixed = { ...fine, contenders: [...fine.contenders, ofVariant('fused')] }
    await expect(readSuiteFile(saved(mixed))).rejects.toThrow(
      /^Expected only cpu\/sequential, cpu\/eigen and outside systems with precision float64 .*, so not cpu\/fused in .*SUITE\.json\.$/,
    )
  })

  it('with a key that nothing knows is refused, and told where a misplaced one belongs', async () => {
    await expect(readSuiteFile(saved({ ...small, precision: 'float64' }))).rejects.toThrow(
      /SUITE\.json has an unknown key precision: write it below config\.$/,
    )
    const misspelt = { ...small, config: { ...small.config, presicion: 'float64' } }
    await expect(readSuiteFile(saved(misspelt))).rejects.toThrow(
      /SUITE\.json has an unknown key presicion of config: take it out, or correct its name\.$/,
    )
  })

  describe.each(['distance', 'metric'])('with a %s', (key) => {
    const naming = (name: unknown) => ({ ...small, config: { ...small.config, [key]: name } })

    it.each(['euclidean', 'SQEuclidean', 'l2'])('%s is the suite without it', async (name) => {
      expect(await readSuiteFile(saved(naming(name)))).toEqual(small)
      expect(await readSuiteFile(saved({ ...small, [key]: name }))).toEqual(small)
    })

    it.each([
      ['cosine', /mean is the centre under the Euclidean distance only; choose the scaling unit-length/],
      ['manhattan', /mean.*k-medians.*unit-length/],
    ])('%s is refused with the reason of the command line', async (name, reason) => {
      const said: unknown = await readSuiteFile(saved(naming(name))).catch((error: unknown) => error)
      expect(said).toMatchObject({ kind: 'input', message: expect.stringMatching(reason) })
      expect(String(said)).toContain(`config.${key} ${name} is refused: `)
      expect(() => refuseOtherDistance(`config.${key}`, name)).toThrow(
        said instanceof Error ? said.message : 'no error',
      )
      await expect(readSuiteFile(saved({ ...small, [key]: name }))).rejects.toThrow(
        new RegExp(`^${key} ${name} is refused: `),
      )
    })

    it('that is no name is refused with its place', async () => {
      await expect(readSuiteFile(saved(naming(3)))).rejects.toThrow(
        new RegExp(`^Expected "euclidean" at config\\.${key} in \\S+SUITE\\.json but received 3\\.$`),
      )
    })
  })

  it('with a mistake is refused with its place', async () => {
    const wrongK = { ...small, cases: [{ ...small.cases[0], k: [5, 0] }] }
    await expect(readComparison(saved(wrongK))).rejects.toThrow(
      /^Expected [^\n]+ at cases\.0\.k\.1 in \S+SUITE\.json but received 0\.$/,
    )
    const { repeats: _, ...incomplete } = small
    await expect(readComparison(saved(incomplete))).rejects.toThrow(
      /at repeats in \S+ but received nothing\.$/,
    )
    await expect(readComparison(saved({ ...small, baseline: 'cpu/none' }))).rejects.toThrow(
      /a baseline that is one/,
    )
    await expect(readComparison(saved('{\n "format": 1,,\n}'))).rejects.toThrow(
      /SUITE\.json is no JSON.*line 2, column/,
    )
    await expect(readComparison(join(folder, 'none.json'))).rejects.toMatchObject({ kind: 'io' })
  })

  it('is told from another file in a sentence that says what to choose', async () => {
    await expect(readComparison(saved({ format: 'centroid-lab-run', version: 1 }))).rejects.toThrow(
      /SUITE\.json is the record of one clustering and no comparison: choose a benchmark\.json or a suite/,
    )
    for (const other of [[1, 2], 'text', { name: 'package' }]) {
      await expect(readComparison(saved(JSON.stringify(other)))).rejects.toThrow(
        /SUITE\.json holds no comparison: choose a benchmark\.json or a suite that Centroid Lab wrote\.$/,
      )
    }
  })

  it('cannot name what is only loaded', async () => {
    const suite = withData({ kind: 'loaded', datasetId: 'x', name: 'iris.csv' })
    await expect(writeSuite(suite, join(folder, 'a.json'), options)).rejects.toThrow(/^iris\.csv is loaded/)
  })
})

describe('a benchmark.json', () => {
  const document: BenchmarkDocument = {
    format: 1,
    id: 'b1',
    startedAt: '2026-11-21T10:00:00.000Z',
    finishedAt: null,
    state: 'cancelled',
    suite: withData(file('a.csv')),
    machine: { cpu: 'a processor', cores: 2, memoryBytes: 1, os: 'Linux', devices: [], versions: {} },
    plan: [],
    rows: [],
  }

  it('is a comparison to go on with', async () => {
    const read = await readComparison(saved(document))
    expect(read).toEqual({
      kind: 'document',
      document: { ...document, suite: withData(file(join(folder, 'a.csv'), 'a.csv')) },
    })
  })

  it('of an earlier version keeps the name of a variant that there is no more', async () => {
    const old = await readComparison('docs/results/2026-11-22-xeon-2-threads/goldsborough-objective.json')
    if (old.kind !== 'document') throw new Error('it is a document')
    const { suite, rows } = old.document
    expect(suite.contenders).toContainEqual(expect.objectContaining({ engine: 'cpu', variant: 'pruned' }))
    const states = rows.filter(({ contender }) => contender === 'cpu/pruned').map(({ state }) => state)
    expect(states).toEqual(['measured', 'measured'])
  })

  it('altered by hand is refused with its place', async () => {
    await expect(readComparison(saved({ ...document, rows: [{ dataset: 'a.csv' }] }))).rejects.toThrow(
      /at rows\.0\.k in \S+ but received nothing\.$/,
    )
  })
})
