import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseFilter } from '@shared/row-filter/parse-filter'
import { wholeTable, type TableChoice, type TableRow, type TableSort } from '@shared/table'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Chance } from '@engine/csv/testing/chance'
import { runOf } from '@engine/export/testing/run-of'
import { compareTexts } from '@engine/table/text-order'
import { checked, hostSchemas } from '../schemas'
import { Spool } from '../spool'
import { HostStore } from '../store'
import { Tables } from '../tables'
import { tableHandlers } from './tables'

let folder: string
const stores: HostStore[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tables-'))
})
afterAll(async () => {
  for (const store of stores) for (const { id } of store.all()) store.closeDataset(id)
  await rm(folder, { recursive: true, force: true })
})

/** A host with a file that was clustered; silhouettes are made up, one point in five has none. */
async function hostOf(text: string, k = 3) {
  const path = join(folder, `${Math.random().toString(36).slice(2)}.csv`)
  await writeFile(path, text)
  const result = await runOf(path, { k })
  const store = new HostStore(new Spool(null))
  stores.push(store)
  store.addDataset(result.dataset)
  const runId = result.record.id
  store.runs.begin(runId, result.dataset.id)
  await store.runs.finish(runId, result)
  const silhouettes = Float32Array.from({ length: result.points.n }, (_, i) =>
    i % 5 === 0 ? NaN : ((i * 37) % 101) / 101,
  )
  const handlers = tableHandlers(store, new Tables(store, () => silhouettes))
  const choice: TableChoice = { datasetId: result.dataset.id, runId, sort: null, filter: wholeTable }
  return { handlers, store, choice, dataset: result.dataset, path }
}

type Host = Awaited<ReturnType<typeof hostOf>>

async function rowsOf({ handlers, choice, dataset }: Host, change: Partial<TableChoice>) {
  const asked = checked(hostSchemas['table.open'], 'table.open', { ...choice, ...change })
  const { tableId, rows: count } = await handlers['table.open'](asked)
  const columns = { first: 0, end: dataset.columns.length }
  const rows: TableRow[] = []
  for (let start = 0; start < count; start += 100)
    rows.push(...(await handlers['table.rows']({ tableId, start, count: 100, columns })))
  expect(rows).toHaveLength(count)
  return rows
}

/** Numbers with ties and gaps, a class, texts that are all different, some missing. */
function table(rows: number): string {
  const chance = new Chance(rows)
  const line = (i: number): string => {
    const x = chance.yes(0.1) ? 'NA' : chance.below(7)
    const name = chance.yes(0.1) ? '' : `"n ${chance.below(1e6)}, ${i}"`
    return `${x},${(chance.next() * 10).toFixed(2)},${chance.of(['ape', 'Bee', 'cat', ''])},${name}`
  }
  return `x,y,class,name\n${Array.from({ length: rows }, (_, i) => line(i)).join('\n')}\n`
}

const keys: readonly TableSort['key'][] = [
  { by: 'row' },
  { by: 'cluster' },
  { by: 'distance' },
  { by: 'silhouette' },
  { by: 'column', column: 0 },
  { by: 'column', column: 1 },
  { by: 'column', column: 2 },
  { by: 'column', column: 3 },
]

/** What a row is sorted by; null where it is missing. */
function keyOf(row: TableRow, key: TableSort['key']): number | string | null {
  if (key.by === 'row') return row.fileRow
  if (key.by === 'cluster') return row.cluster < 0 ? null : row.cluster
  if (key.by !== 'column') return row[key.by]
  const cell = row.cells[key.column]
  if (cell === null || cell === '' || cell === 'NA') return null
  return key.column < 2 ? Number(cell) : cell
}

function compareKeys(a: number | string | null, b: number | string | null, descending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  const order = typeof a === 'string' ? compareTexts(a, String(b)) : a - Number(b)
  return descending ? -order : order
}

describe('a table sorted by anything', () => {
  it('is what a stable sort of all rows makes', async () => {
    const host = await hostOf(table(700))
    const all = await rowsOf(host, {})
    expect(all.map(({ row }) => row)).toEqual(Array.from({ length: 700 }, (_, row) => row))
    for (const key of keys)
      for (const descending of [false, true]) {
        const naive = all.toSorted((a, b) => compareKeys(keyOf(a, key), keyOf(b, key), descending))
        const sorted = await rowsOf(host, { sort: { key, descending } })
        expect(sorted, `${JSON.stringify(key)} ${descending}`).toEqual(naive)
      }
  })

  it('of a single row', async () => {
    const host = await hostOf('x,y,class,name\n1,2,a,b\n', 1)
    for (const key of keys) expect(await rowsOf(host, { sort: { key, descending: true } })).toHaveLength(1)
  })
})

describe('a filtered table', () => {
  it('has the rows of which all holds, whatever it is sorted by', async () => {
    const host = await hostOf(table(600))
    const all = await rowsOf(host, {})
    const filter = {
      clusters: [0, 2, -1],
      distance: { least: 0.5, most: null },
      silhouette: { least: null, most: 0.8 },
      columns: parseFilter('class in (ape, Bee) and y < 9'),
      picked: '2-400,450-460',
    }
    const naive = all.filter(
      ({ cluster, distance, silhouette, cells, fileRow }) =>
        filter.clusters.includes(cluster) &&
        (distance ?? -1) >= 0.5 &&
        silhouette !== null &&
        silhouette <= 0.8 &&
        ['ape', 'Bee'].includes(cells[2] ?? '') &&
        Number(cells[1]) < 9 &&
        (fileRow <= 400 || (fileRow >= 450 && fileRow <= 460)),
    )
    expect(naive.length).toBeGreaterThan(10)
    expect(await rowsOf(host, { filter })).toEqual(naive)
    const key = { by: 'column', column: 1 } as const
    const sorted = await rowsOf(host, { filter, sort: { key, descending: true } })
    expect(sorted).toEqual(naive.toSorted((a, b) => Number(b.cells[1]) - Number(a.cells[1])))
  })

  it('may be empty, also when it is sorted', async () => {
    const host = await hostOf(table(50))
    const filter = { ...wholeTable, distance: { least: 1e9, most: null } }
    for (const key of keys)
      expect(await rowsOf(host, { filter, sort: { key, descending: false } })).toEqual([])
  })

  it('has no clusters without a run', async () => {
    const host = await hostOf(table(20))
    const [first] = await rowsOf(host, { runId: null })
    expect(first).toMatchObject({ cluster: -1, distance: null, silhouette: null, fileRow: 2 })
    expect(await rowsOf(host, { runId: null, filter: { ...wholeTable, clusters: [0] } })).toEqual([])
  })
})

describe('what a table answers', () => {
  it('positions, rows at positions, and rows as text in its order', async () => {
    const host = await hostOf('x,y\n3,1\n1,2\n\n2,4\n5,9\n', 2)
    const { handlers, choice } = host
    const sort = { key: { by: 'column', column: 0 }, descending: true } as const
    const filter = { ...wholeTable, columns: parseFilter('x > 1') }
    const { tableId } = await handlers['table.open']({ ...choice, runId: null, sort, filter })
    const { rows } = await handlers['table.row-indices']({ tableId, start: 0, count: 10 })
    expect([...rows]).toEqual([3, 0, 2])
    expect(await handlers['table.position']({ tableId, row: 2 })).toEqual({ position: 2 })
    expect(await handlers['table.position']({ tableId, row: 1 })).toEqual({ position: -1 })
    const copied = await handlers['table.text']({ tableId, rows: Uint32Array.of(0, 1, 2) })
    expect(copied).toEqual({ text: 'row\tx\ty\n2\t3\t1\n5\t2\t4', rows: 2 })
    const numbers = await handlers['dataset.row-numbers']({
      datasetId: choice.datasetId,
      rows: Uint32Array.of(0, 1, 2, 3),
    })
    expect(numbers).toEqual({ numbers: '2-3,5-6' })
  })

  it('nothing once its file is closed, its run is forgotten or newer tables are open', async () => {
    const { handlers, store, choice } = await hostOf(table(20))
    const open = async () => (await handlers['table.open'](choice)).tableId
    const ask = (tableId: string) => async () =>
      handlers['table.row-indices']({ tableId, start: 0, count: 1 })
    const first = await open()
    await open()
    const third = await open()
    await expect(ask(first)()).rejects.toMatchObject({ code: 'table.unknown' })
    await store.runs.forget('run-1')
    await expect(ask(third)()).rejects.toMatchObject({ code: 'table.unknown' })
    const { tableId } = await handlers['table.open']({ ...choice, runId: null })
    store.closeDataset(choice.datasetId)
    await expect(ask(tableId)()).rejects.toMatchObject({ code: 'table.unknown' })
    await expect(handlers['table.open'](choice)).rejects.toMatchObject({ code: 'dataset.unknown' })
  })

  it('a refusal for columns, rows and filters that are none', async () => {
    const { handlers, choice } = await hostOf(table(20))
    const { tableId } = await handlers['table.open'](choice)
    const columns = { first: 0, end: 99 }
    await expect(async () =>
      handlers['table.rows']({ tableId, start: 0, count: 5, columns }),
    ).rejects.toMatchObject({ code: 'argument' })
    const filter = { ...wholeTable, columns: parseFilter('nope = 1') }
    await expect(handlers['table.open']({ ...choice, filter })).rejects.toMatchObject({
      code: 'features.unknown',
    })
    const rows = Uint32Array.of(5, 3)
    expect(() => checked(hostSchemas['table.text'], 'table.text', { tableId, rows })).toThrow(/ascending/)
  })
})
