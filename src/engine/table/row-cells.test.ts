import { appendFile, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Chance } from '../csv/testing/chance'
import { openDataset } from '../csv/open-dataset'
import { sourceCells } from '../csv/testing/source-cells'
import { randomTable, writeTable } from '../csv/testing/tables'
import type { Dataset } from '../dataset/dataset'
import { RowCells } from './row-cells'

const root = resolve(import.meta.dirname, '../../..')
const closing = new AbortController()
const { signal } = closing
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'row-cells-'))
})
afterAll(async () => {
  closing.abort()
  await rm(folder, { recursive: true, force: true })
})

const opened = (path: string) => openDataset(path, {}, () => undefined, signal)

/** What the whole file, read from its beginning, has for these rows. */
async function fromTheStart(dataset: Dataset, rows: readonly number[]) {
  return (await sourceCells(dataset, rows, signal)).map(({ cells }) => cells)
}

async function expectSame(path: string, seed = 1, count = 40): Promise<number> {
  const dataset = await opened(path)
  const chance = new Chance(seed)
  const rows = Array.from({ length: Math.min(count, 3 * dataset.rows) }, () => chance.below(dataset.rows))
  const cells = new RowCells(dataset, signal)
  const all = { first: 0, end: dataset.columns.length }
  const read = await cells.of(rows, all, signal)
  expect(read, path).toEqual(await fromTheStart(dataset, rows))
  return dataset.rows
}

describe('cells of any rows are those of the whole file read from its start', () => {
  it('for every file of the corpus that opens', async () => {
    const files = join(root, 'tests/corpus/files')
    let checked = 0
    for (const name of await readdir(files)) {
      const path = join(files, name)
      if (await opened(path).catch(() => null)) checked += Number((await expectSame(path)) > 0)
    }
    expect(checked).toBeGreaterThan(80)
  })

  it('for files that have columns of their own, also compressed', async () => {
    const files = join(root, 'tests/formats/files')
    const names = (await readdir(files)).filter((name) => !name.endsWith('.csv'))
    for (const name of names) expect(await expectSame(join(files, name))).toBeGreaterThan(0)
  })

  it('for random tables in random dialects and encodings', async () => {
    for (let seed = 1; seed <= 60; seed++) {
      const path = join(folder, `${seed}.csv`)
      await writeFile(path, writeTable(randomTable(seed)))
      if (await opened(path).catch(() => null)) await expectSame(path, seed)
    }
  })

  it('for a long file, quoted and plain lines and cells of several lines among each other', async () => {
    const line = (i: number): string => {
      if (i % 1000 === 77) return `${i},"two\nlines ${i}",x\n`
      return i % 3 === 0 ? `${i},"say ""${i}"", twice",y\r\n` : `${i},plain ${i},z\n`
    }
    const path = join(folder, 'long.csv')
    await writeFile(path, `id,text,kind\n${Array.from({ length: 60_000 }, (_, i) => line(i)).join('')}`)
    expect(await expectSame(path, 5, 200)).toBe(60_000)
    const packed = join(folder, 'long.csv.gz')
    await writeFile(packed, gzipSync(`id,text,kind\n${Array.from({ length: 60_000 }, (_, i) => line(i)).join('')}`))
    expect(await expectSame(packed, 6, 200)).toBe(60_000)
  })

  it('for UTF-16 with characters that have the byte of a line end', async () => {
    const text = `a,b\n${Array.from({ length: 5000 }, (_, i) => `${i},\u0a0aਊ\u050a${i}`).join('\n')}\n`
    const little = join(folder, 'little.csv')
    await writeFile(little, Buffer.from(`\ufeff${text}`, 'utf16le'))
    expect(await expectSame(little)).toBe(5000)
    const big = join(folder, 'big.csv')
    await writeFile(big, Buffer.from(`\ufeff${text}`, 'utf16le').swap16())
    expect(await expectSame(big)).toBe(5000)
  })
})

describe('of a file that is not what it was', () => {
  const table = `a,b\n${Array.from({ length: 2000 }, (_, i) => `${i},x${i}`).join('\n')}\n`
  const columns = { first: 0, end: 2 }

  it('nothing is shown; another time stamp alone is no change', async () => {
    const path = join(folder, 'touched.csv')
    await writeFile(path, table)
    const cells = new RowCells(await opened(path), signal)
    await utimes(path, new Date(0), new Date(0))
    expect(await cells.of([1999], columns, signal)).toEqual([['1999', 'x1999']])
    await writeFile(path, table.replace('x7\n', 'y7\n'))
    await expect(cells.of([7], columns, signal)).rejects.toMatchObject({ code: 'dataset.source-changed' })
    await appendFile(path, '1,2\n')
    await expect(cells.of([7], columns, signal)).rejects.toMatchObject({ code: 'dataset.source-changed' })
    await rm(path)
    await expect(cells.of([7], columns, signal)).rejects.toMatchObject({ code: 'dataset.source-missing' })
  })
})
