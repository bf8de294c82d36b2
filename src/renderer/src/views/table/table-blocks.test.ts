import { flushPromises } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import type { TableRequests } from '@shared/table'
import { freshWindow } from '../../../test/mount'
import { firstCellOf, TableBlocks } from './table-blocks'

type Asked = TableRequests['table.rows']['params']

/** A table of 1000 rows and 250 columns whose cells say where they stand. */
function blocks() {
  const asked: Asked[] = []
  freshWindow({
    'table.rows': ({ start, count, columns, tableId }) => {
      asked.push({ start, count, columns, tableId })
      return Array.from({ length: count }, (_, i) => ({
        ...{ row: start + i, fileRow: start + i + 2, cluster: -1, distance: null, silhouette: null },
        cells: Array.from({ length: columns.end - columns.first }, (_c, at) => `${start + i}.${columns.first + at}`),
      }))
    },
    'table.close': () => null,
  })
  let arrivals = 0
  const table = new TableBlocks(
    'table-1',
    250,
    () => arrivals++,
    (thrown) => {
      throw thrown
    },
  )
  return { table, asked, arrivals: () => arrivals }
}

describe('rows of a table', () => {
  it('come in blocks, each once, and only those in sight', async () => {
    const { table, asked } = blocks()
    table.want(190, 215, { first: 0, end: 8 })
    expect(table.rowAt(190, 0, 8)).toBeUndefined()
    await flushPromises()
    expect(asked.map(({ start, columns }) => [start, columns.first])).toEqual([
      [100, 0],
      [200, 0],
    ])
    expect(table.rowAt(205, 0, 8)?.cells[3]).toBe('205.3')
    table.want(195, 220, { first: 0, end: 8 })
    await flushPromises()
    expect(asked).toHaveLength(2)
  })

  it('have the cells of two blocks of columns where both are in sight', async () => {
    const { table } = blocks()
    table.want(0, 20, { first: 95, end: 105 })
    await flushPromises()
    const row = table.rowAt(7, 95, 105)
    expect(row?.cells[99 - firstCellOf(95)]).toBe('7.99')
    expect(row?.cells[104 - firstCellOf(95)]).toBe('7.104')
  })

  it('that nobody looks at any more are not asked for', async () => {
    const { table, asked, arrivals } = blocks()
    table.want(0, 20, { first: 0, end: 8 })
    table.want(500, 520, { first: 0, end: 8 })
    table.want(900, 920, { first: 0, end: 8 })
    await flushPromises()
    expect(asked.map(({ start }) => start)).toEqual([0, 900])
    expect(arrivals()).toBe(1)
    table.close()
    table.want(300, 320, { first: 0, end: 8 })
    await flushPromises()
    expect(asked).toHaveLength(2)
  })
})
