import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultRunConfig, type RunConfig } from '@shared/run-config'
import { openDataset } from '../csv/open-dataset'
import type { Dataset } from './dataset'
import { preparationOf } from './preparation'
import { prepare } from './prepare'
import { samePreparation } from './same-preparation'

const never = new AbortController().signal
let folder: string
let dataset: Dataset

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preparation-'))
  const path = join(folder, 'table.csv')
  await writeFile(path, 'a,b,c\n1,100,5\n2,300,6\n4,200,7\n9,800,9\n')
  dataset = await openDataset(path, {}, () => undefined, never)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const wanted = (change: Partial<RunConfig>) => preparationOf(dataset, { ...defaultRunConfig, ...change })

/** Scaled values of a feature, about the origin the points have. */
async function scaled(change: Partial<RunConfig>, feature: number): Promise<number[]> {
  const { x, n, d, exponent } = await prepare(dataset, wanted(change).preparation, never)
  return Array.from({ length: n }, (_, i) => x[i * d + feature] * 2 ** exponent)
}

describe('a scaling of single columns', () => {
  const columnScalings = [
    { column: 'b', scaling: 'min-max' },
    { column: 'c', scaling: 'none' },
  ] as const

  it('holds for those and leaves the others as all are', async () => {
    const [min, max] = [Math.min, Math.max].map(
      (most) => async (feature: number) =>
        most(...(await scaled({ scaling: 'standardise', columnScalings }, feature))),
    )
    expect([await min(1), await max(1)]).toEqual([0, 1])
    expect((await max(2)) - (await min(2))).toBe(4)
    const standardised = await scaled({ scaling: 'standardise', columnScalings }, 0)
    expect(standardised).toEqual(await scaled({ scaling: 'standardise' }, 0))
  })

  it('leaves centroids in units of the file', async () => {
    const { preparation } = wanted({ scaling: 'robust', columnScalings })
    const points = await prepare(dataset, preparation, never)
    const back = [...(points.toFile(points.x, 4) ?? [])]
    const file = [1, 100, 5, 2, 300, 6, 4, 200, 7, 9, 800, 9]
    expect(back).toEqual(file.map((value) => expect.closeTo(value, 4)))
    expect([...points.toEngine(Float64Array.from(file), 4)]).toEqual([...points.x])
  })

  it('makes other points, unless each feature is scaled as before', () => {
    const { preparation: plain } = wanted({ scaling: 'robust' })
    const { preparation: own } = wanted({ scaling: 'robust', columnScalings })
    expect(samePreparation(plain, own)).toBe(false)
    const named = ['a', 'b', 'c'].map((column) => ({ column, scaling: 'robust' }) as const)
    const { preparation: said } = wanted({ scaling: 'none', columnScalings: named })
    expect(samePreparation(plain, said)).toBe(true)
  })

  it('is refused in a sentence beside unit-length, and for a column that is no feature', () => {
    expect(() => wanted({ scaling: 'unit-length', columnScalings })).toThrow(
      /unit-length is of whole rows, so that column 'b'[^.]*\.$/,
    )
    expect(() => wanted({ features: ['a', 'b'], columnScalings })).toThrow(
      /The column 'c' of table\.csv is given a scaling but is no feature/,
    )
  })
})
