import { appendFile, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseFilter } from '@shared/row-filter/parse-filter'
import type { RowFilter } from '@shared/row-filter/row-filter'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDataset } from '@engine/csv/open-dataset'
import { Spool } from '../spool'
import { HostStore } from '../store'
import { dataViewHandlers } from './data-views'

const never = new AbortController().signal
let folder: string
const stores: HostStore[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'data-views-'))
})
afterAll(async () => {
  for (const store of stores) for (const { id } of store.all()) store.closeDataset(id)
  await rm(folder, { recursive: true, force: true })
})

/** A host with one file open. */
async function hostOf(text: string) {
  const path = join(folder, `${Math.random().toString(36).slice(2)}.csv`)
  await writeFile(path, text)
  const store = new HostStore(new Spool(null))
  stores.push(store)
  const dataset = await openDataset(path, {}, () => undefined, never)
  store.addDataset(dataset)
  return { store, path, datasetId: dataset.id, handlers: dataViewHandlers(store) }
}

const longRows = 200_000

/** Longer than one block of reading. */
function longTable(): string {
  return `a,b\n${Array.from({ length: longRows }, (_, i) => `${i},${i % 7}`).join('\n')}\n`
}

describe('dataset.histogram', () => {
  it('counts the numbers of a column in units of the file', async () => {
    const { handlers, datasetId } = await hostOf('a,b\n1,x\n2,y\n,z\n5,x\n')
    const answer = await handlers['dataset.histogram']({ datasetId, column: 0, bins: 4 })
    expect(answer).toEqual({ min: 1, max: 5, counts: [1, 1, 0, 1] })
  })

  it('refuses a column without numbers, one that is not there, and a file that is closed', async () => {
    const { handlers, store, datasetId } = await hostOf('a,b\n1,x\n2,y\n4,z\n')
    const ask = (column: number) => handlers['dataset.histogram']({ datasetId, column, bins: 4 })
    await expect(ask(1)).rejects.toMatchObject({ code: 'argument' })
    await expect(ask(9)).rejects.toMatchObject({ code: 'argument' })
    store.closeDataset(datasetId)
    await expect(ask(0)).rejects.toMatchObject({ code: 'dataset.unknown' })
  })
})

it('rows that miss a cell in one of the features are counted once', async () => {
  const { handlers, datasetId } = await hostOf('a,b,c\n1,,x\n,,y\n,2,z\n5,6,u\n')
  const ask = (features: number[], filter: RowFilter | null = null) =>
    handlers['dataset.incomplete-rows']({ datasetId, features, filter })
  expect(await Promise.all([ask([0]), ask([1]), ask([0, 1]), ask([])])).toEqual([2, 2, 3, 0])
  expect(await ask([0, 1], parseFilter('c in (x, z, u)'))).toBe(2)
  expect(await ask([1, 2])).toBe(2)
  await expect(ask([7])).rejects.toMatchObject({ code: 'features.not-numeric' })
})

it('a filter is counted, or told why it means nothing; texts that repeat are listed', async () => {
  const { handlers, datasetId } = await hostOf('a,c\n1,x\n2,y\n4,x\n')
  const ask = async (text: string) =>
    handlers['dataset.filtered-rows']({ datasetId, filter: parseFilter(text) })
  expect(await Promise.all([ask('c = x'), ask('a > 9'), ask('a < 9')])).toEqual([1, 3, 0])
  await expect(ask('c < x')).rejects.toMatchObject({ code: 'filter.condition' })
  const texts = (column: number) => handlers['dataset.categories']({ datasetId, column })
  expect(await Promise.all([texts(0), texts(1), texts(7)])).toEqual([[], ['x', 'y'], []])
})

it('tells for each row which of the texts it has, part by part', async () => {
  const { handlers, datasetId } = await hostOf('a,c\n1,x\n2,y\n3,\n4,x\n')
  const ask = async (start: number, count: number) =>
    handlers['dataset.category-codes']({ datasetId, column: 1, start, count })
  expect(await ask(0, 3)).toEqual({ codes: Int32Array.of(0, 1, -1) })
  expect(await ask(3, 100)).toEqual({ codes: Int32Array.of(0) })
  expect(() => handlers['dataset.category-codes']({ datasetId, column: 0, start: 0, count: 1 })).toThrow()
})

const people = [
  'name,age,town',
  'Ann,31,York',
  '',
  'Bob,,"Ely, Cambs"',
  'too,many,cells,here',
  'Cy,1e2, Bath ',
].join('\n')

describe('dataset.rows', () => {
  it('answers dates as dates', async () => {
    const { handlers, datasetId } = await hostOf('when,x\n17.03.2024,1\n,2\n1.4.2024 12:30,3\n')
    const rows = await handlers['dataset.rows']({ datasetId, rows: [0, 1, 2] })
    expect(rows.map(({ cells }) => cells)).toEqual([
      ['2024-03-17 00:00:00', 1],
      [null, 2],
      ['2024-04-01 12:30:00', 3],
    ])
  })

  it('answers the numbers that are held, in the order asked for, with their rows in the file', async () => {
    const { handlers, datasetId } = await hostOf(people)
    expect(await handlers['dataset.rows']({ datasetId, rows: [2, 0, 1, 0] })).toEqual([
      { row: 2, fileRow: 6, cells: [null, 100, null] },
      { row: 0, fileRow: 2, cells: [null, 31, null] },
      { row: 1, fileRow: 4, cells: [null, null, null] },
      { row: 0, fileRow: 2, cells: [null, 31, null] },
    ])
  })

  it('shows the digits a number has in the file, not those that float32 makes of it', async () => {
    const values = [5.1, 4.9, -0.3, 12_345.678, 1e-7, 3, 0, 0.1]
    const { handlers, datasetId } = await hostOf(`a,b\n${values.map((value) => `${value},1`).join('\n')}\n`)
    const rows = await handlers['dataset.rows']({ datasetId, rows: values.map((_, i) => i) })
    for (const [i, { cells }] of rows.entries()) {
      expect(Math.abs(Number(cells[0]) - values[i])).toBeLessThan(1e-3)
      expect(String(cells[0]).length).toBeLessThan(12)
    }
    expect(rows[3].cells[0]).toBe(12_345.678)
  })

  it('keeps the digits about a large offset, and the largest numbers finite', async () => {
    const { handlers, datasetId } = await hostOf(
      'stamp,big\n1600000000.25,1.7976931348623157e308\n1600000003.5,-1.7e308\n1600000001,1.5e308\n',
    )
    const rows = await handlers['dataset.rows']({ datasetId, rows: [0, 1, 2] })
    expect(rows.map(({ cells }) => cells[0])).toEqual([1_600_000_000.25, 1_600_000_003.5, 1_600_000_001])
    const big = rows.map(({ cells }) => Number(cells[1]))
    expect(big.map((value) => Number(value.toPrecision(7)))).toEqual([1.797693e308, -1.7e308, 1.5e308])
  })

  it('refuses a row beyond the last', async () => {
    const { handlers, datasetId } = await hostOf(people)
    for (const channel of ['dataset.rows', 'dataset.cells'] as const) {
      const asking = async () => await handlers[channel]({ datasetId, rows: [0, 3] })
      await expect(asking()).rejects.toThrow(/row below 3 .* but received 3/)
    }
  })
})

describe('dataset.cells', () => {
  it('answers every cell as it stands in the file', async () => {
    const { handlers, datasetId } = await hostOf(people)
    expect(await handlers['dataset.cells']({ datasetId, rows: [2, 1] })).toEqual([
      { row: 2, fileRow: 6, cells: ['Cy', '1e2', ' Bath '] },
      { row: 1, fileRow: 4, cells: ['Bob', '', 'Ely, Cambs'] },
    ])
  })

  it('takes a file that was only touched, not one whose bytes changed', async () => {
    const { handlers, datasetId, path } = await hostOf(people)
    const ask = async () => await handlers['dataset.cells']({ datasetId, rows: [0] })
    await utimes(path, 1, 1)
    expect(await ask()).toEqual([{ row: 0, fileRow: 2, cells: ['Ann', '31', 'York'] }])
    await writeFile(path, people.replace('Ely', 'Wye'))
    await expect(ask()).rejects.toMatchObject({ code: 'dataset.source-changed' })
    await appendFile(path, 'Di,4,Ayr\n')
    await expect(ask()).rejects.toMatchObject({
      kind: 'io',
      code: 'dataset.source-changed',
      message: expect.stringMatching(
        /^\S+ has changed since it was loaded: open it again to see its cells\.$/,
      ),
    })
    await rm(path)
    await expect(ask()).rejects.toMatchObject({ code: 'dataset.source-missing' })
  })

  it('reads no further than to the last row asked for', async () => {
    const text = longTable()
    const { store, handlers, path } = await hostOf(text)
    await utimes(path, 1000, 1000)
    const dataset = await openDataset(path, {}, () => undefined, never)
    store.addDataset(dataset)
    // Same size, same time: only who reads to the end can notice.
    await writeFile(path, `${text.slice(0, -2)}\0\n`)
    await utimes(path, 1000, 1000)
    const ask = async (row: number) => await handlers['dataset.cells']({ datasetId: dataset.id, rows: [row] })
    expect((await ask(1))[0].cells).toEqual(['1', '1'])
    await expect(ask(longRows - 1)).rejects.toMatchObject({ code: 'dataset.source-changed' })
  })

  it('gives way to a newer question', async () => {
    const { handlers, datasetId } = await hostOf(longTable())
    const ask = async (row: number) => await handlers['dataset.cells']({ datasetId, rows: [row] })
    const first = ask(longRows - 1)
    const second = ask(longRows - 2)
    await expect(first).rejects.toMatchObject({ kind: 'cancelled' })
    expect((await second)[0]).toEqual({
      ...{ row: longRows - 2, fileRow: longRows },
      cells: [String(longRows - 2), String((longRows - 2) % 7)],
    })
  })

  it('stops when the file is closed', async () => {
    const { handlers, store, datasetId } = await hostOf(longTable())
    const asking = handlers['dataset.cells']({ datasetId, rows: [longRows - 1] })
    store.closeDataset(datasetId)
    await expect(asking).rejects.toMatchObject({ kind: 'cancelled' })
  })
})
