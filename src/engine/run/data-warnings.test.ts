import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDataset } from '@engine/csv/open-dataset'
import { defaultRunConfig, type RunConfig } from '@shared/run-config'
import { runKmeans } from './run-kmeans'

const never = new AbortController().signal
const silent = { phase: () => undefined, iterations: () => undefined }
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'data-warnings-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function recordOf(path: string, config: Partial<RunConfig> = {}) {
  const dataset = await openDataset(path, {}, () => undefined, never)
  const asked = { engine: 'cpu', variant: 'sequential', k: 2, ...config } as const
  const { record } = await runKmeans(dataset, { ...defaultRunConfig, ...asked }, silent, never)
  return { ...record, notes: dataset.receipt.notes }
}

async function runOn(text: string, config: Partial<RunConfig> = {}) {
  const path = join(folder, `${Math.random().toString(36).slice(2)}.csv`)
  await writeFile(path, text)
  return await recordOf(path, config)
}

const times = (count: number, line: (i: number) => string) => Array.from({ length: count }, (_, i) => line(i))
const near = (i: number) => String(Math.round(Math.sin(i) * 1000) / 1000)
const far = (i: number) => String(1_600_000_000 + 4 * (i % 3))
const merging = /^Column .*: float32 makes values the same/

describe('what float32 cannot hold apart', () => {
  it('is reported with the column, the step, two cells and their rows', async () => {
    const { warnings } = await runOn(`t\n${[...times(250, near), ...times(250, far)].join('\n')}\n`)
    expect(warnings).toEqual([
      expect.stringMatching(
        /^Column t: float32 makes values the same that differ by less than 128 .* such as 1600000000 in row 252 and 1600000008 in row 254/,
      ),
    ])
  })

  it('is nothing where the rows that are points lie near to each other', async () => {
    const rows = [...times(250, (i) => `${near(i)},`), ...times(250, (i) => `${far(i)},${i % 3}`)]
    const { warnings, inertia } = await runOn(`t,u\n${rows.join('\n')}\n`, { k: 3, init: 'first-k' })
    expect(inertia).toBe(0)
    expect(warnings).toEqual([expect.stringMatching(/^250 rows of the file were left out/)])
  })

  it('is nothing where the far rows are many and the near ones few', async () => {
    const rows = [...times(250, near), ...times(1000, far)]
    const { warnings, clusters } = await runOn(`t\n${rows.join('\n')}\n`)
    const inertia = clusters.find(({ size }) => size === 1000)?.inertia ?? 0
    expect(Math.abs(inertia / 10_672 - 1)).toBeLessThan(1e-3)
    // What is lost now is what the near rows differ by: that is reported.
    expect(warnings).toEqual([expect.stringMatching(merging)])
  })

  it.each(['none', 'standardise', 'min-max', 'robust', 'unit-length'] as const)(
    'raises no alarm on ordinary data under %s',
    async (scaling) => {
      const files = ['iris', 'wine', 'digits'].map((name) => resolve('examples', `${name}.csv`))
      for (const path of files) {
        for (const k of [2, 40]) {
          const { warnings } = await recordOf(path, { k, scaling })
          expect(warnings.filter((sentence) => merging.test(sentence))).toEqual([])
        }
      }
    },
  )

  it('raises none on digits that float32 has not, nor where every point is a cluster', async () => {
    const long = times(5000, (i) => String(Math.abs(Math.sin(i * 12.9898)) * 43758.5453))
    expect((await runOn(`t\n${long.join('\n')}\n`, { k: 50 })).warnings).toEqual([])
    const short = `t,u\n${times(30, (i) => `${(i % 6) / 10},${i % 5}`).join('\n')}\n`
    expect((await runOn(short, { k: 30 })).warnings).toEqual([])
  })
})

describe('whole numbers beyond float64', () => {
  const nanoseconds = (i: number) => String(1_700_000_000_000_000_000n + 10n * BigInt(i))

  it('are told with the column, the step, the first of them and its row', async () => {
    const rows = times(30, (i) => `${nanoseconds(i)},${(i * i) % 13}`)
    const { warnings } = await runOn(`ts,v\n${rows.join('\n')}\n`)
    expect(warnings).toEqual([
      expect.stringMatching(
        /^Column ts: 29 whole numbers have more digits than float64 holds, the first 1700000000000000010 in row 3; .* less than 256 /,
      ),
    ])
  })

  it('are no matter where float64 holds each of them', async () => {
    const exact = times(9, (i) => String(2n ** 60n * BigInt(1 + (i % 4))))
    expect((await runOn(`t\n${exact.join('\n')}\n`)).warnings).toEqual([])
    expect((await runOn('t\n1e30\n2.5e30\n7e30\n1.5e30\n')).warnings).toEqual([])
  })
})

describe('a file of constants', () => {
  it('is refused with the reason', async () => {
    const refused = runOn('x,y\n3,4\n3,4\n3,4\n')
    await expect(refused).rejects.toThrow(/^Every numeric column is constant\. No numeric column of/)
  })
})

describe('names that stand twice', () => {
  it('are told, and a feature is the column that has its name in the file', async () => {
    const text = 'x,x,x_1,y\n1,100,5,4\n2,7,5,5\n9,55,50,9\n8,3,50,9\n'
    const { warnings, clusters, features } = await runOn(text, { features: ['x_1'] })
    expect(features).toEqual([{ index: 2, name: 'x_1' }])
    expect(clusters.map(({ centroid }) => centroid?.[0]).sort()).toEqual([5, 50])
    expect(warnings).toEqual(["Column 2 is called 'x_2', because an earlier one is named 'x' too."])
  })
})

describe('columns and cells that are no numbers', () => {
  it.each([
    ['infinite', 'inf', ['inf', '-inf', '1e999']],
    ['with several units', '12 kg', ['12 kg', '9 lb', '11.5 g']],
    ['money', '€ 12', ['€ 12', '$3.50', '€ 7']],
  ])('%s: a column of them is left out with a cell and its row', async (_, shown, cells) => {
    const text = `a,b\n1,?\n${cells.map((cell, i) => `${i + 2},${cell}`).join('\n')}\n9,NA\n`
    const { warnings, notes } = await runOn(text)
    const sentence = `Column b is left out, because its cells are no plain numbers, such as '${shown}' in row 3: write them like 1234.5 and open the file again.`
    expect(warnings).toEqual([sentence])
    expect(notes).toContain(sentence)
  })

  it.each([
    ['1,580.30', ['"1,580.30"', '"2,117.00"', '950'], 1580.3, 'with commas between thousands'],
    ['12 kg', ['12 kg', '9 kg', '11.5 kg'], 12, 'in kg'],
    ['-$3', ['-$3', '$2.5', '$7'], -3, 'in $'],
  ])('numbers written like %s are read, and told with the first', async (cell, cells, value, words) => {
    const rows = cells.map((each, i) => `${i + 2},${each}`)
    const { warnings, clusters } = await runOn(`a,b\n${rows.join('\n')}\n`, { k: 3 })
    expect(warnings).toEqual([
      `Column b: numbers are read ${words}, the first '${cell}' in row 2 as ${value}.`,
    ])
    const nearest = Math.min(...clusters.map(({ centroid }) => Math.abs((centroid?.[1] ?? NaN) - value)))
    expect(nearest).toBeLessThan(1e-3)
  })

  it('a column named like a weight or a label is no feature unless it is chosen', async () => {
    const rows = times(8, (i) => `${i / 3},${(i * 7) % 5},${(i % 4) + 1.5},${i % 2}`).join('\n')
    const { warnings, features } = await runOn(`a,b,weight,class\n${rows}\n`)
    expect(features.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(warnings).toEqual([
      'Not used as features: weight (named like a weight), class (named like a label).',
    ])
    const chosen = await runOn(`a,b,weight,class\n${rows}\n`, { features: ['a', 'weight'] })
    expect(chosen.features.map(({ name }) => name)).toEqual(['a', 'weight'])
  })

  it('cells among the numbers of a feature are reported with the first and its row', async () => {
    const { warnings } = await runOn('a,b\n1,1\n2,inf\n3,3\n4,n/x\n5,5\n6,6\n7,7\n')
    expect(warnings).toContain(
      "Column b: 2 cells are no numbers and count as missing, the first 'inf' in row 3.",
    )
  })

  it('text, constants and identifiers are named in one sentence', async () => {
    const rows = times(8, (i) => `${i + 1},${i % 3},7,${i % 2 ? 'oak' : 'elm'},see ${i} and ${i * 7}`)
    const { warnings } = await runOn(`id,a,c,tree,remark\n${rows.join('\n')}\n`)
    expect(warnings).toEqual([
      'Not used as features: id (identifier), c (constant), tree (not numeric), remark (not numeric).',
    ])
  })

  it('nothing is reported of columns that were not chosen', async () => {
    const { warnings } = await runOn('a,b,t\n1,5,x\n2,6,y\n3,9,x\n7,1,x\n', { features: ['a'] })
    expect(warnings).toEqual([])
  })
})
