import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportOverrides } from '@shared/dataset'
import { hashed } from '../dataset/dataset'
import { openDataset } from './open-dataset'
import { readRecords } from './records'
import { parseNumber } from './number'
import type { RecordForm } from './table-reader'
import { randomTable, writeTable, type Table } from './testing/tables'

const never = new AbortController().signal
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'round trip ü '))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Random tables, each by its seed, so that a failure names the table that shows it. */
const seeds = Array.from({ length: 150 }, (_, i) => i + 1)

async function written(table: Table, seed: number): Promise<string> {
  const path = join(folder, `table ${seed}.csv`)
  await writeFile(path, writeTable(table))
  return path
}

async function cellsOf(path: string, form: RecordForm): Promise<string[][]> {
  const rows: string[][] = []
  for await (const batch of readRecords(path, form, never)) rows.push(...batch.map(({ cells }) => [...cells]))
  return rows
}

async function check(table: Table, path: string, overrides: ImportOverrides): Promise<void> {
  const dataset = await openDataset(path, overrides, () => undefined, never)
  expect(dataset.dialect).toMatchObject(table.expectedDialect)
  expect(dataset.rows).toBe(table.rows.length)
  expect(dataset.receipt).toMatchObject({ tooLong: 0, tooShort: 0 })
  const data = table.header ? [table.header, ...table.rows] : table.rows
  const cells = await cellsOf(path, dataset.form)
  const closing = table.trailingDelimiter ? [''] : []
  expect(cells).toEqual(data.map((row) => [...row, ...closing]))
  expect((await hashed(dataset)).file.sha256).toBe(
    createHash('sha256').update(writeTable(table)).digest('hex'),
  )
  for (const index of table.numericColumns) {
    const column = dataset.numeric[index]
    if (column === undefined) throw new Error(`column ${index} is not numeric`)
    const read = Array.from({ length: column.length }, (_, row) => column.at(row))
    const known = table.rows.map((cells) => parseNumber(cells[index], table.dialect.decimal) ?? NaN)
    expect(read).toEqual(known.map((value) => value + 0))
  }
}

describe('random tables come back as they were written', () => {
  it.each(seeds)('table %i, dialect given', async (seed) => {
    const table = randomTable(seed)
    await check(table, await written(table, seed), table.dialect)
  })

  it.each(seeds)('table %i, dialect detected', async (seed) => {
    const table = randomTable(seed)
    await check(table, await written(table, seed), {})
  })
})

describe('cells across the blocks a file is read in', () => {
  it.each([
    ['comma, CRLF', ',', '\r\n', 'utf-8'],
    ['semicolon, carriage returns', ';', '\r', 'utf-8'],
    ['tab, line feeds, UTF-16', '\t', '\n', 'utf-16le'],
    ['blanks, CRLF', ' ', '\r\n', 'utf-8'],
  ] as const)('%s', async (_, delimiter, newline, encoding) => {
    // Lines of ever other lengths, so that block ends fall into quotes, characters and line ends.
    const text = (i: number) => `ä${newline}"${'€'.repeat(i % 211)}"${delimiter}b`
    const rows = Array.from({ length: 12_000 }, (_, i) => [
      String(i % 89),
      delimiter === ' ' ? `${'ü'.repeat(1 + (i % 397))}` : text(i),
      String(-i),
    ])
    const table: Table = {
      header: ['n', 'größe', 'm'],
      rows,
      numericColumns: [0, 2],
      dialect: { format: 'delimited', encoding, delimiter, quote: '"', header: true, decimal: '.' },
      expectedDialect: { delimiter, encoding },
      newline,
      bom: true,
      quoteAll: false,
      finalNewline: true,
      trailingDelimiter: false,
    }
    const path = await written(table, 1000 + delimiter.charCodeAt(0))
    await check(table, path, {})
  })
})
