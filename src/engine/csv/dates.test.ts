import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GivenType } from '@shared/dataset'
import { dateText, dayOf, daysOf, type DateOrder } from '@shared/dates'
import { parseFilter } from '@shared/row-filter/parse-filter'
import type { Dataset } from '../dataset/dataset'
import { markFiltered } from '../dataset/row-filter'
import { Slices } from '../slices'
import { Chance } from './testing/chance'
import { openDataset, previewFile } from './open-dataset'

const never = new AbortController().signal
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dates-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const path = () => join(folder, 'table.csv')

async function table(cells: readonly string[], given?: GivenType): Promise<Dataset> {
  const rows = cells.map((cell, i) => `${(i * 7) % 13},"${cell}"`)
  await writeFile(path(), ['x,when', ...rows].join('\n'))
  const overrides = given === undefined ? {} : { columnTypes: { 1: given } }
  return await openDataset(path(), overrides, () => undefined, never)
}

const texts = ({ numeric, columns, rows }: Dataset): string[] =>
  Array.from({ length: rows }, (_, row) =>
    dateText(numeric[1]?.at(row) ?? NaN, columns[1].date?.unit ?? 'days'),
  )

describe('dates of a column', () => {
  it('are days where there are only dates, and no feature unless somebody says so', async () => {
    const dataset = await table(['2024-01-31', '1969-12-31', '', '2024-02-29'])
    expect(dataset.columns[1]).toMatchObject({
      type: 'date',
      proposed: false,
      missing: 1,
      min: -1,
      date: { order: 'ymd', unit: 'days', ambiguous: false, row: 2, cell: '2024-01-31', value: 19_753 },
    })
    expect([0, 1, 2, 3].map((row) => dataset.numeric[1]?.at(row))).toEqual([19_753, -1, NaN, 19_782])
    expect(dataset.receipt.notes).toContain(
      "Column when: dates are read year first, as days since 1970-01-01, the first '2024-01-31' in row 2 as 2024-01-31.",
    )
    expect(dataset.receipt.findings).toContain('1 column of dates')
  })

  it.each([
    ['2024-03-17T14:05:09Z', 1_710_684_309],
    ['2024-03-17 14:05', 1_710_684_300],
    ['2024-03-17T14:05:09.25', 1_710_684_309.25],
    ['2024-03-17T14:05:09,250+02:00', 1_710_677_109.25],
    ['2024-03-17T01:05:09-0530', 1_710_657_309],
    ['2024/03/17 2:05:09 PM', 1_710_684_309],
    ['2024-03-17T14:05:09+02', 1_710_677_109],
  ])('and times are seconds, UTC: %s', async (cell, seconds) => {
    const dataset = await table([cell, '2024-03-17T00:00:01Z'])
    expect(dataset.columns[1].date).toMatchObject({ order: 'ymd', unit: 'seconds' })
    expect(dataset.numeric[1]?.at(0)).toBe(seconds)
  })

  it('in the orders people write, as the column decides', async () => {
    expect(texts(await table(['17.03.2024', '1.4.2024']))).toEqual(['2024-03-17', '2024-04-01'])
    expect(texts(await table(['03/17/2024', '04/01/2024']))).toEqual(['2024-03-17', '2024-04-01'])
    expect(texts(await table(['17/03/2024', '01/04/2024']))).toEqual(['2024-03-17', '2024-04-01'])
    expect(texts(await table(['17-03-2024 23:59:59', '01-04-2024 00:00']))).toEqual([
      '2024-03-17 23:59:59',
      '2024-04-01 00:00:00',
    ])
  })

  it('decide by a row far behind the first block, and are all read so', async () => {
    const many = Array.from({ length: 3000 }, (_, i) => `0${1 + (i % 9)}/0${1 + (i % 8)}/2024`)
    const dataset = await table([...many, '12/31/2024'])
    expect(dataset.columns[1].date).toMatchObject({ order: 'mdy', ambiguous: false, otherOrder: 0 })
    expect(texts(dataset).slice(0, 2)).toEqual(['2024-01-01', '2024-02-02'])
    expect(texts(dataset)[8]).toBe('2024-09-01')
    expect(texts(dataset)[10]).toBe('2024-02-03')
    expect(texts(dataset).at(-1)).toBe('2024-12-31')
    expect(dataset.columns[1]).toMatchObject({ min: 19_723, max: 20_088 })
  })

  it('become seconds where a time comes behind the first block', async () => {
    const many = Array.from({ length: 3000 }, (_, i) => `2024-01-${String(1 + (i % 28)).padStart(2, '0')}`)
    const dataset = await table([...many, '2024-02-01 12:30:00.125'])
    expect(dataset.columns[1].date?.unit).toBe('seconds')
    expect(dataset.numeric[1]?.at(1)).toBe(19_724 * 86_400)
    expect(dataset.numeric[1]?.at(3000)).toBe(19_754 * 86_400 + 45_000.125)
  })

  it('say so where nothing tells the order, before and after loading', async () => {
    const cells = ['03/04/2024', '05/06/2024']
    const dataset = await table(cells)
    expect(texts(dataset)).toEqual(['2024-04-03', '2024-06-05'])
    expect(dataset.receipt.notes[0]).toMatch(
      /read day first, .* '03\/04\/2024' in row 2 as 2024-04-03; none of them tells .* date-mdy \(month first\)/,
    )
    expect((await previewFile(path(), {})).doubtful).toBe(true)
    expect((await previewFile(path(), { columnTypes: { 1: 'date-dmy' } })).doubtful).toBe(false)
    expect(texts(await table(cells, 'date-mdy'))).toEqual(['2024-03-04', '2024-05-06'])
    expect(texts(await table(cells, 'date'))).toEqual(['2024-04-03', '2024-06-05'])
  })

  it('say so where they contradict each other, or are none', async () => {
    const both = await table(['17/03/2024', '18/03/2024', '03/25/2024', '01/02/2024'])
    expect(both.columns[1].date).toMatchObject({ order: 'dmy', otherOrder: 1 })
    expect(texts(both)).toEqual(['2024-03-17', '2024-03-18', '2024-03-25', '2024-02-01'])
    expect(both.receipt.notes[0]).toContain('1 date can only be meant in the other order')
    const strict = await table(['17/03/2024', '03/25/2024'], 'date-dmy')
    expect(strict.columns[1]).toMatchObject({ missing: 1, notNumeric: 1 })
    const broken = await table([...Array<string>(20).fill('2024-02-28'), '2024-02-30'])
    expect(broken.columns[1]).toMatchObject({
      type: 'date',
      missing: 1,
      odd: { cell: '2024-02-30', row: 22 },
    })
  })

  it('are texts where somebody says so, and where most cells are something else', async () => {
    const asText = await table(['2024-01-31', '2024-01-31', '2024-02-29'], 'categorical')
    expect(asText.columns[1]).toMatchObject({ type: 'categorical', categories: 2, min: null })
    const mixed = await table(['2024-01-31', 'soon', 'later', '2024-02-29'])
    expect(mixed.columns[1].type).not.toBe('date')
    expect((await table(['2024-13-01', '2024-14-01'])).columns[1].type).not.toBe('date')
    expect((await table(['1.2.3', '4.5.6'])).columns[1].type).not.toBe('date')
  })

  it('can be asked for by a filter as dates', async () => {
    const dataset = await table(['17/03/2024', '18/03/2024', '01/04/2024'])
    const kept = async (text: string) => {
      const { marks } = await markFiltered(dataset, parseFilter(text), new Slices(never))
      return [...marks.keys()].filter((row) => marks[row] === 0)
    }
    expect(await kept('when >= 2024-03-18')).toEqual([1, 2])
    expect(await kept('when between 17/03/2024 and 18/03/2024')).toEqual([0, 1])
    expect(await kept('when = 19799')).toEqual([0])
    await expect(kept('when > soon')).rejects.toThrow(/'soon', which is no date: write one like 2024-01-31/)
  })

  it('come back whatever they are, in every order, with times and without', async () => {
    const orders = ['ymd', 'dmy', 'mdy'] as const
    for (let seed = 1; seed <= 24; seed++) {
      const chance = new Chance(seed * 0x9e3779b9)
      const [order, mark] = [chance.of(orders), chance.of(['-', '/', '.'])]
      const hasTimes = chance.yes(0.5)
      const rows = Array.from({ length: 60 }, (_, i) => {
        const days = i === 0 ? daysOf({ year: 2024, month: 3, day: 17 }) : chance.below(60_000) - 30_000
        return { days, seconds: hasTimes ? chance.below(86_399) + (i === 0 ? 1 : 0) : 0 }
      })
      const dataset = await table(rows.map((row) => written(row, order, mark, hasTimes)))
      const { date } = dataset.columns[1]
      // The first row is a seventeenth, which tells the order.
      expect(date).toMatchObject({ order, unit: hasTimes ? 'seconds' : 'days', otherOrder: 0 })
      const read = rows.map((_, row) => dataset.numeric[1]?.at(row))
      expect(read).toEqual(rows.map(({ days, seconds }) => (hasTimes ? days * 86_400 + seconds : days)))
    }
  })
})

interface Moment {
  readonly days: number
  readonly seconds: number
}

function written({ days, seconds }: Moment, order: DateOrder, mark: string, hasTime: boolean): string {
  const { year, month, day } = dayOf(days)
  const two = (value: number) => String(value).padStart(2, '0')
  const parts = {
    ymd: [year, two(month), two(day)],
    dmy: [two(day), two(month), year],
    mdy: [two(month), two(day), year],
  }
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':')
  return parts[order].join(mark) + (hasTime ? ` ${clock}` : '')
}
