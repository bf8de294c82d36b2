import { appendFile, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportOverrides, ReaderUsed } from '@shared/dataset'
import { toErrorReport } from '@shared/errors'
import { hashed, type CategoryColumn, type Dataset } from '../dataset/dataset'
import { openDataset, type ReaderWish } from './open-dataset'
import { awkwardText } from './testing/awkward-text'
import { Chance } from './testing/chance'
import { randomTable, writeTable } from './testing/tables'

const never = new AbortController().signal
let folder: string
let path: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'native reader ñ '))
  path = join(folder, 'table.csv')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Everything a file becomes, but for what tells the readers apart. */
async function outcome(file: string, overrides: ImportOverrides, wish: ReaderWish) {
  const opened = openDataset(file, overrides, () => undefined, never, wish).then(hashed)
  return opened.then(factsOf, (thrown: unknown) => ({
    reader: undefined,
    facts: toErrorReport(thrown) as unknown,
  }))
}

function factsOf(dataset: Dataset): { reader: ReaderUsed | undefined; facts: unknown } {
  const { id: _id, hashing: _hashing, receipt, numeric, categories = [], ...others } = dataset
  const { loadMs: _loadMs, reader, ...rest } = receipt
  const columns = { numeric: numeric.map((column) => column?.blocks?.()), texts: categories.map(textsOf) }
  return { reader, facts: { ...others, receipt: rest, ...columns } }
}

/** The different texts, and which each row has. */
function textsOf(column: CategoryColumn | undefined) {
  if (column === undefined) return null
  const { values, length, byteLength } = column
  return { values, byteLength, rows: Array.from({ length }, (_, row) => column.at(row)) }
}

/** Blocks so small that each file is cut at many places. */
const cuts: readonly ReaderWish[] = [{}, { blockBytes: 64, batchBytes: 1 << 14 }, { blockBytes: 7 }]

/** Reads a file by both readers. @returns what the native one said of itself, where it was read */
async function agreed(file: string, overrides: ImportOverrides = {}): Promise<ReaderUsed | undefined> {
  const text = await outcome(file, overrides, { text: true })
  const readers = await Promise.all(cuts.map((cut) => outcome(file, overrides, cut)))
  for (const native of readers) expect(native.facts).toEqual(text.facts)
  return readers[0].reader
}

const times = (count: number, make: (i: number) => string) => Array.from({ length: count }, (_, i) => make(i))
const plain = times(9000, (i) => `${i % 97},${i % 89}.25`).join('\n')
const native = null

/** A file, and why the native reader does not read it; null where it does. */
const files: readonly [string, string | Uint8Array, string | null, ImportOverrides?][] = [
  ['plain', 'a,b\n1,2\n3,4.5\n', native],
  ['no header, no line end at the end', '1,2\n3,4.5', native],
  ['one column', 'x\n1\n\n3\n', native],
  ['a byte order mark', '\ufeffa,b\n1,2\n3,4\n', native],
  ['mixed line ends', 'a,b\r\n1,2\n3,4\r5,6\n7,8\r', native],
  ['blank lines', '\n\na,b\n\n1,2\n \n3,4\n\n', native],
  ['ragged rows', `a,b\n1,2\n3\n4,5,6\n7,8,\n9,10\n${plain}\n`, native],
  ['mostly ragged rows', 'a,b\n1\n2\n3\n4,5\n', native],
  ['missing marks', 'a,b,c\n1,NA,\n?,nan,-\nnull,3,4\n', native],
  ['infinities', 'a,b\ninf,1\n-Infinity,2\n1e400,3\n4,5\n', native],
  ['huge whole numbers', 'a,b\n9007199254740993,1\n12345678901234567890,2\n-9223372036854775807,3\n', native],
  ['seventeen digits', 'a,b\n0.30000000000000004,1.7976931348623157e308\n4.9e-324,-0\n', native],
  ['decimal commas', 'a;b\n1,5;2\n3,25;-4\n', native],
  ['tabs', 'a\tb\n1\t2\n3\t4.5\n', native],
  ['quoted cells', '"a","b"\n"1","x, y"\n"2","say ""so"""\n3,"née"\n', native],
  ['single quotes', "'a','b'\n'1','2'\n'3','4.5'\n", native],
  ['no quotes at all', 'a,b\n1,5" pipe\n2,"open\n', native, { quote: '' }],
  ['an identifier and a constant', 'id,x,y\n1,5,a\n2,5,a\n3,5,a\n4,5,b\n5,5,c\n', native],
  [
    'an identifier that counts to the end',
    `id,x\n${times(40_000, (i) => `${i + 7},${i % 9}`).join('\n')}\n`,
    native,
  ],
  [
    'an identifier that stops counting, and one that comes again',
    `id,row id,x\n${times(40_000, (i) => `${i < 20_000 ? i : 3 * i},${i < 39_000 ? i : i - 38_000},${i % 9}`).join('\n')}\n`,
    native,
  ],
  [
    'an identifier beyond which adding 1 changes nothing',
    `id,x\n9007199254740990,1\n9007199254740991,2\n9007199254740992,3\n9007199254740992,4\n`,
    native,
  ],
  ['text in a column of numbers', `a,b\n1,2\nx,3\n4,1.580\n${plain}\n`, native],
  ['a title', 'A table of two columns\nx,y\n1,2\n3,4\n', native],
  ['comments', '# one\n# two\nx,y\n1,2\n3,4\n', native],
  ['numbers below words', `a,b\n${times(300, (i) => `w${i},1`).join('\n')}\n${plain}\n`, native],
  ['types set by hand', 'a,b\n1,2\n3,4\n', native, { columnTypes: { 0: 'categorical', 1: 'numeric' } }],
  [
    'exactly as many rows as a block has, that no whole numbers hold',
    `x,y\n${times(1 << 14, (i) => `${i / 3},${1_600_000_000 + i * 0.875}`).join('\n')}\n`,
    native,
  ],
  ['more rows than a block has', `x,y\n${plain}\n${plain}\n${plain}\n`, native],
  [
    'texts that repeat',
    `x,y\n${times(40_000, (i) => `${i % 7 === 3 ? '' : ` t${i % 301}`},${i}`).join('\n')}\n`,
    native,
  ],
  [
    'texts that are many far down',
    `x,y\n${times(30_000, (i) => `t${i < 25_000 ? i % 9 : i},${i}`).join('\n')}\n`,
    native,
  ],
  ['dates', 'day,v\n2024-01-31,1\n2024-02-01,2\n', 'Column day has dates.'],
  ['many texts', `x,y\n${times(4000, (i) => `t${i % 1500},${i}`).join('\n')}\n`, native],
  ['empty', '', null],
  ['a header alone', 'a,b\n', null],
  ['words alone', 'a,b\nc,d\n', null],
  ['a NUL character', `a,b\n${plain}\n1,\0\n`, null],
  [
    'a quoted cell of several lines',
    `x,y,z\n1,2,"two\nlines"\n3,4,c\n`,
    'Row 2 has a quoted cell of several lines.',
  ],
  [
    'a stray quote far down',
    `x,y\n${plain}\n1,2"\n`,
    'Row 9 002 has a quote within a cell, or blanks beside a quote.',
  ],
  [
    'a damaged byte far down',
    Buffer.from(`x,y\n${plain}\né,2\n1,\xe9\n`, 'latin1'),
    'The file is in Latin-1.',
  ],
  ['Latin-1', Buffer.from('größe,b\n1,2\n3,4\n', 'latin1'), 'The file is in Latin-1.'],
  ['UTF-16', Buffer.from('\ufeffa,b\n1,2\n3,4\n', 'utf16le'), 'The file is in UTF-16.'],
  ['blanks between cells', 'a b\n1 2\n3 4\n', 'Cells are separated by blanks.'],
  ['the headed format', '2\n2\n1\n1 2\n3 4.5\n', 'The file is in the headed format.'],
  ['units', 'a,b\n1,2 kg\n3,4 kg\n', 'Column b has numbers with units or groups.'],
]

describe('both readers make the same of a file', () => {
  it.each(files)('%s', async (_, content, because, overrides = {}) => {
    await writeFile(path, content)
    const reader = await agreed(path, overrides)
    if (reader !== undefined) expect(reader.because).toBe(because)
  })

  it('every file of the corpus and of the examples', async () => {
    for (const where of ['tests/corpus/files', 'examples']) {
      const names = (await readdir(resolve(where))).filter((name) => name.endsWith('.csv'))
      for (const name of names) await agreed(resolve(where, name))
    }
  })

  it.each(Array.from({ length: 60 }, (_, i) => i + 1))('random table %i', async (seed) => {
    const table = randomTable(seed)
    await writeFile(path, writeTable({ ...table, dialect: { ...table.dialect, encoding: 'utf-8' } }))
    await agreed(path)
  })

  it('random awkward tables, most of them by the native reader', async () => {
    const used = { native: 0, text: 0, refused: 0 }
    for (let seed = 1; seed <= 200; seed++) {
      const chance = new Chance(seed * 0x51ed27)
      await writeFile(path, awkwardText(chance, chance.of([0.001, 0.01, 0.1, 0.4])))
      const kind = await agreed(path).catch((error: unknown) => {
        throw new Error(`seed ${seed}`, { cause: error })
      })
      used[kind?.kind ?? 'refused']++
    }
    expect(used.native).toBeGreaterThan(50)
    expect(used.text).toBeGreaterThan(20)
  })
})

describe('a file that changes while the native reader reads it', () => {
  const rows = `x,y\n${times(200_000, (i) => `${i % 97},${i % 89}.25`).join('\n')}\n`

  async function whileRead(change: () => Promise<void>): Promise<unknown> {
    await writeFile(path, rows)
    let changing: Promise<void> | undefined
    const read = openDataset(path, {}, () => (changing ??= change()), never, { batchBytes: 1 << 16 })
    return read.catch((thrown: unknown) => thrown).finally(() => changing)
  }

  it.each([
    ['grows', () => appendFile(path, '1,2\n')],
    ['shrinks', () => truncate(path, 1000)],
  ])('%s is not believed', async (_, change) => {
    expect(await whileRead(change)).toMatchObject({ code: 'csv.changed' })
  })
})

describe('the native reader', () => {
  it('tells how far it is, and stops when asked to', async () => {
    await writeFile(path, `x,y\n${times(200_000, (i) => `${i % 97},${i % 89}.25`).join('\n')}\n`)
    const abort = new AbortController()
    const seen: number[] = []
    const read = openDataset(
      path,
      {},
      ({ bytes }) => {
        seen.push(bytes)
        abort.abort()
      },
      abort.signal,
      { batchBytes: 1 << 16 },
    )
    await expect(read).rejects.toMatchObject({ kind: 'cancelled' })
    expect(seen).toHaveLength(1)
  })
})
