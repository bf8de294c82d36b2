import { fileRow } from '@engine/dataset/file-row'
import { invalidArgument } from '@shared/errors'
import { rowRanges } from '@shared/row-filter/row-ranges'
import { maxTableCells, maxTableRows, type TableRow } from '@shared/table'
import type { HostHandlers } from '../protocol'
import type { HostStore } from '../store'
import type { Tables } from '../tables'

type TableHandlers = Pick<
  HostHandlers,
  `table.${'open' | 'rows' | 'row-indices' | 'position' | 'text' | 'close'}` | 'dataset.row-numbers'
>

/** What the window shows of the rows of a file, one screen at a time. */
export function tableHandlers(store: HostStore, tables: Tables): TableHandlers {
  return {
    'table.open': (choice) => tables.open(choice),
    'table.rows': ({ tableId, start, count, columns }) => {
      const { table, dataset, closed } = tables.of(tableId)
      const width = columns.end - columns.first
      if (width < 0 || columns.end > dataset.columns.length)
        throw invalidArgument(`columns of ${dataset.file.name}`, 'columns of table.rows', columns)
      if (count * width > maxTableCells)
        throw invalidArgument(`at most ${maxTableCells} cells`, 'table.rows', count * width)
      return table.read(table.rowsAt(start, count), columns, closed)
    },
    'table.row-indices': ({ tableId, start, count }) => ({
      rows: tables.of(tableId).table.rowsAt(start, count),
    }),
    'table.position': ({ tableId, row }) => ({ position: tables.of(tableId).table.positionOf(row) }),
    'table.text': ({ tableId, rows }) => textOf(tables.of(tableId), rows),
    'table.close': ({ tableId }) => {
      tables.close(tableId)
      return null
    },
    'dataset.row-numbers': ({ datasetId, rows }) => {
      const dataset = store.dataset(datasetId)
      const beyond = rows.find((row) => row >= dataset.rows)
      if (beyond !== undefined)
        throw invalidArgument(`a row below ${dataset.rows}`, `a row of ${dataset.file.name}`, beyond)
      return { numbers: rowRanges(Float64Array.from(rows, (row) => fileRow(dataset, row))) }
    },
  }
}

async function textOf(
  { table, dataset, runId, closed }: ReturnType<Tables['of']>,
  rows: Uint32Array,
): Promise<{ text: string; rows: number }> {
  const ordered = table.inOrder(rows)
  const columns = { first: 0, end: dataset.columns.length }
  const own = ['row', ...(runId === null ? [] : ['cluster', 'distance'])]
  const lines = [[...own, ...dataset.columns.map(({ name }) => name)].map(oneCell).join('\t')]
  for (let start = 0; start < ordered.length; start += maxTableRows) {
    const read = await table.read(ordered.subarray(start, start + maxTableRows), columns, closed)
    lines.push(...read.map((row) => lineOf(row, runId !== null)))
  }
  return { text: lines.join('\n'), rows: ordered.length }
}

function lineOf({ fileRow: number, cluster, distance, cells }: TableRow, isClustered: boolean): string {
  const own = isClustered ? [number, cluster < 0 ? '' : cluster, distance ?? ''] : [number]
  return [...own.map(String), ...cells.map((cell) => oneCell(cell ?? ''))].join('\t')
}

/** What would end a cell, or a line, where it is pasted. */
function oneCell(text: string): string {
  return text.replaceAll(/[\t\r\n]+/g, ' ')
}
