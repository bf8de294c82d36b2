import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultRunConfig, type RunConfig } from '@shared/run-config'
import { parseFilter } from '@shared/row-filter/parse-filter'
import { openDataset } from '../csv/open-dataset'
import { leftOutWarnings } from '../run/left-out'
import { Slices } from '../slices'
import type { Dataset } from './dataset'
import { preparationOf } from './preparation'
import { prepare } from './prepare'
import { markFiltered } from './row-filter'
import { samePreparation } from './same-preparation'

const never = new AbortController().signal
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'row-filter-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function table(lines: readonly string[]): Promise<Dataset> {
  const path = join(folder, 'table.csv')
  await writeFile(path, lines.join('\n'))
  return await openDataset(path, {}, () => undefined, never)
}

const people = [
  'height,mass,class',
  '1.5,60,a',
  '1.8,,b',
  '1.9,90, a ',
  ',70,c',
  '1.6,65,',
  '1.7,75,Bach',
  '2.0,100,b',
  '1.4,50,b',
]

/** Dataset rows that a filter keeps. */
async function kept(text: string, lines = people): Promise<number[]> {
  const dataset = await table(lines)
  const { marks } = await markFiltered(dataset, parseFilter(text), new Slices(never))
  return [...marks.keys()].filter((row) => marks[row] === 0)
}

const preparedBy = async (dataset: Dataset, text: string, change: Partial<RunConfig> = {}) => {
  const config = { ...defaultRunConfig, filter: parseFilter(text), ...change }
  return await prepare(dataset, preparationOf(dataset, config).preparation, never)
}

describe('rows that a filter keeps', () => {
  it('are those whose numbers fulfil it, and no missing cell fulfils any but one', async () => {
    expect(await kept('height = 1.8')).toEqual([1])
    expect(await kept('height != 1.8')).toEqual([0, 2, 4, 5, 6, 7])
    expect(await kept('height < 1.6')).toEqual([0, 7])
    expect(await kept('height >= 1.8')).toEqual([1, 2, 6])
    expect(await kept('height between 1.5 and 1.7')).toEqual([0, 4, 5])
    expect(await kept('mass in (60, 1e2)')).toEqual([0, 6])
    expect(await kept('mass is missing')).toEqual([1])
    expect(await kept('height is not missing and mass is not missing')).toEqual([0, 2, 4, 5, 6, 7])
  })

  it('are those whose texts fulfil it, blanks around them apart', async () => {
    expect(await kept('class = a')).toEqual([0, 2])
    expect(await kept('class != a')).toEqual([1, 3, 5, 6, 7])
    expect(await kept('class in (a, c)')).toEqual([0, 2, 3])
    expect(await kept('class contains ac')).toEqual([5])
    expect(await kept('class is missing')).toEqual([4])
  })

  it('are joined by and, or, and groups of them', async () => {
    expect(await kept('height > 1.5 and (class = a or class = b)')).toEqual([1, 2, 6])
    expect(await kept('class = c or height > 1.8 and mass < 100')).toEqual([2, 3])
  })

  it.each([
    ['shoe = 1', 'features.unknown', "no column 'shoe'"],
    ['height = tall', 'filter.condition', "has 'tall', which is no number"],
    ['height contains 1', 'filter.condition', 'the column holds numbers'],
    ['class < b', 'filter.condition', 'the column holds texts'],
    ['class between a and b', 'filter.condition', 'class between a and b'],
  ])('%s is refused in a sentence', async (text, code, words) => {
    const error = await kept(text).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code, message: expect.stringContaining(words) })
    expect((error as Error).message).toMatch(/^[^\n]+\.$/)
  })

  it('cannot be found by a column of very many texts', async () => {
    const many = ['x,name', ...Array.from({ length: 1200 }, (_, i) => `${i % 7},name ${i}`)]
    await expect(kept('name = "name 3"', many)).rejects.toMatchObject({ code: 'filter.many-texts' })
    expect(await kept('x = 3', many)).toHaveLength(171)
  })
})

describe('points of filtered rows', () => {
  it('are counted apart from rows with missing cells, and told with the first of them', async () => {
    const dataset = await table(people)
    const points = await preparedBy(dataset, 'class = a or class = b')
    expect([...(points.rows ?? [])]).toEqual([0, 2, 6, 7])
    expect([...points.leftOutRows]).toEqual([1, 3, 4, 5])
    expect([...points.filteredRows]).toEqual([3, 4, 5])
    expect(points.droppedRows).toBe(1)
    expect(leftOutWarnings(dataset, points)).toEqual([
      '3 rows of the file were left out: the filter class = a or class = b does not keep them, the first in row 5.',
      '1 row of the file was left out: missing values in the selected columns, in row 3.',
    ])
  })

  it('that were picked by hand are told without their numbers', async () => {
    const dataset = await table(people)
    expect(leftOutWarnings(dataset, await preparedBy(dataset, 'not rows(2,4)'))[0]).toBe(
      '2 rows of the file were left out: picked by hand, the first in row 2.',
    )
    expect(leftOutWarnings(dataset, await preparedBy(dataset, 'rows(2,4)'))[0]).toContain(
      'not among the picked rows',
    )
  })

  it('are scaled and filled by what is kept alone', async () => {
    const dataset = await table(people)
    const points = await preparedBy(dataset, 'class = b', { missing: 'mean', scaling: 'min-max' })
    expect(points).toMatchObject({ n: 3, filledCells: 1, droppedRows: 0 })
    expect([...(points.transform.fill ?? [])]).toEqual([expect.closeTo(5.2 / 3, 12), 75])
    const unit = [...points.x].map((value) => value * 2 ** points.exponent)
    expect(Math.max(...unit) - Math.min(...unit)).toBeCloseTo(1, 6)
  })

  it('refuse a row with a missing cell only where it is kept', async () => {
    const dataset = await table(people)
    await expect(preparedBy(dataset, 'class = b', { missing: 'refuse' })).rejects.toMatchObject({
      message: expect.stringContaining("Row 3, column 'mass'"),
    })
    expect((await preparedBy(dataset, 'class = a', { missing: 'refuse' })).n).toBe(2)
  })

  it('are told from rows with missing cells in a table of many rows too', async () => {
    const rows = Array.from(
      { length: 30_000 },
      (_, i) => `${i % 10 === 3 ? '' : i % 97},${i % 3 === 0 ? 'a' : 'b'}`,
    )
    const dataset = await table(['x,class', ...rows])
    const points = await preparedBy(dataset, 'class = a')
    expect([points.n, points.droppedRows, points.filteredRows.length]).toEqual([9000, 1000, 20_000])
    expect([...(points.rows ?? [])].every((row) => row % 3 === 0 && row % 10 !== 3)).toBe(true)
    expect([...points.filteredRows].every((row) => row % 3 !== 0)).toBe(true)
  })

  it('must be there, with numbers to fill from', async () => {
    const dataset = await table(people)
    await expect(preparedBy(dataset, 'height > 9')).rejects.toMatchObject({ code: 'filter.no-rows' })
    const none = preparedBy(dataset, 'mass is missing', { missing: 'mean' })
    await expect(none).rejects.toThrow(/keeps no row of table\.csv with a value in column 'mass'/)
  })

  it('are other points than those of another filter', async () => {
    const dataset = await table(people)
    const by = (text: string) =>
      preparationOf(dataset, { ...defaultRunConfig, filter: parseFilter(text) }).preparation
    expect(samePreparation(by('class = a'), by('class = b'))).toBe(false)
    expect(samePreparation(by('class = a'), by('(class = a)'))).toBe(true)
    expect(samePreparation(by('class = a'), preparationOf(dataset, defaultRunConfig).preparation)).toBe(false)
  })
})
