import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseFilter } from '@shared/row-filter/parse-filter'
import { defaultRunConfig, type RunConfig } from '@shared/run-config'
import { openDataset } from '../csv/open-dataset'
import type { Dataset } from './dataset'
import { preparationOf } from './preparation'
import { prepare } from './prepare'

const never = new AbortController().signal
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'one-hot-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function table(lines: readonly string[]): Promise<Dataset> {
  const path = join(folder, 'table.csv')
  await writeFile(path, lines.join('\n'))
  return await openDataset(path, {}, () => undefined, never)
}

const animals = ['size,kind,legs', '1.5,cat,4', '2,bird,2', '3, cat ,4', '4,,4', '5,dog,4', '6,cat,3']

const chosen = (dataset: Dataset, change: Partial<RunConfig>) =>
  preparationOf(dataset, { ...defaultRunConfig, ...change })

const prepared = async (dataset: Dataset, change: Partial<RunConfig>) =>
  await prepare(dataset, chosen(dataset, change).preparation, never)

describe('one-hot features', () => {
  it('are one a text, named by it, behind the columns of numbers', async () => {
    const dataset = await table(animals)
    const { features } = chosen(dataset, { oneHot: ['kind'] })
    expect(features.map(({ name }) => name)).toEqual(['size', 'legs', 'kind=cat', 'kind=bird', 'kind=dog'])
    const alone = chosen(dataset, { features: ['kind'], oneHot: ['kind'] })
    expect(alone.features.map(({ name }) => name)).toEqual(['kind=cat', 'kind=bird', 'kind=dog'])
    expect(chosen(dataset, { features: [], oneHot: ['kind'] }).preparation).toEqual(alone.preparation)
  })

  it('put different texts 1 apart, whatever the scaling of the others', async () => {
    const dataset = await table(animals)
    for (const scaling of ['none', 'standardise', 'min-max', 'robust'] as const) {
      const { x, d, n, exponent } = await prepared(dataset, { features: [], oneHot: ['kind'], scaling })
      const row = (i: number) => [...x.subarray(i * d, (i + 1) * d)].map((value) => value * 2 ** exponent)
      const apart = (i: number, j: number) => Math.hypot(...row(i).map((value, at) => value - row(j)[at]))
      expect(n).toBe(5)
      expect([apart(0, 1), apart(0, 2), apart(1, 3)]).toEqual([expect.closeTo(1, 6), 0, expect.closeTo(1, 6)])
    }
  })

  it('have shares as centroids', async () => {
    const dataset = await table(animals)
    const points = await prepared(dataset, { oneHot: ['kind'], scaling: 'standardise' })
    const means = await points.memberMeans(new Int32Array(points.n), 1, never)
    expect([...means].slice(2)).toEqual([0.6, 0.2, 0.2].map((share) => expect.closeTo(share, 9)))
    const back = points.toFile(points.toEngine(means, 1), 1) ?? []
    expect([...back]).toEqual([...means].map((value) => expect.closeTo(value, 6)))
  })

  it('leave out a row without a text, fill it with the shares, or refuse it', async () => {
    const dataset = await table(animals)
    expect(await prepared(dataset, { oneHot: ['kind'] })).toMatchObject({ n: 5, droppedRows: 1 })
    for (const missing of ['mean', 'median'] as const) {
      const filled = await prepared(dataset, { oneHot: ['kind'], missing })
      expect(filled).toMatchObject({ n: 6, filledCells: 1 })
      expect([...(filled.transform.fill ?? [])].slice(2)).toEqual(
        [0.6, 0.2, 0.2].map((share) => expect.closeTo(share, 12)),
      )
    }
    await expect(prepared(dataset, { oneHot: ['kind'], missing: 'refuse' })).rejects.toThrow(
      /Row 5, column 'kind' of table\.csv has no text/,
    )
  })

  it('go with a filter on the same column', async () => {
    const dataset = await table(animals)
    const filter = parseFilter('kind != cat')
    const points = await prepared(dataset, { oneHot: ['kind'], filter })
    expect([...(points.rows ?? [])]).toEqual([1, 4])
    expect(points.d).toBe(5)
  })

  it('are told apart from columns of the same name', async () => {
    const dataset = await table(['a=x,a,b', '1,x,5', '2,y,6', '3,x,8'])
    const { features } = chosen(dataset, { oneHot: ['a'] })
    expect(features.map(({ name }) => name)).toEqual(['a=x', 'b', 'a=x_1', 'a=y'])
  })

  it('are refused in a sentence where they mean nothing', async () => {
    const dataset = await table(animals)
    const refused = (change: Partial<RunConfig>) => {
      try {
        chosen(dataset, change)
        return ''
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(refused({ oneHot: ['size'] })).toMatch(/column 'size' .* holds numbers: .*--column-type/)
    expect(refused({ oneHot: ['kind', 'kind'] })).toContain('named twice')
    expect(refused({ oneHot: ['hue'] })).toContain("no column 'hue'")
    expect(refused({ oneHot: ['kind'], scaling: 'unit-length' })).toContain('one-hot features of column')
    expect(refused({ features: ['kind'] })).toContain('or make one-hot features of it (--one-hot)')
    const many = await table(['x,t', ...Array.from({ length: 300 }, (_, i) => `${i * i},t${i % 65}`)])
    expect(() => chosen(many, { oneHot: ['t'] })).toThrow(/has 65 different texts, and at most 64/)
    const texts = await table(['x,t', ...Array.from({ length: 1200 }, (_, i) => `${i % 9},t${i}`)])
    expect(() => chosen(texts, { oneHot: ['t'] })).toThrow(/whose texts are not kept/)
  })
})
