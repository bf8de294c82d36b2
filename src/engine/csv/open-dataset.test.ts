import { appendFile, chmod, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportOverrides } from '@shared/dataset'
import { LabError } from '@shared/errors'
import { hashed, type Dataset } from '../dataset/dataset'
import { openDataset, previewFile } from './open-dataset'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'centroid-csv é '))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

let files = 0

async function file(content: string | Uint8Array): Promise<string> {
  const path = join(folder, `table ${++files}.csv`)
  await writeFile(path, content)
  return path
}

async function load(content: string | Uint8Array, overrides: ImportOverrides = {}): Promise<Dataset> {
  return await openDataset(await file(content), overrides, () => undefined, new AbortController().signal)
}

/** The error of loading, checked to be one sentence that names the file. */
async function refusal(content: string | Uint8Array): Promise<LabError> {
  const path = await file(content)
  const thrown = await openDataset(path, {}, () => undefined, new AbortController().signal).catch(
    (error: unknown) => error,
  )
  expect(thrown).toBeInstanceOf(LabError)
  const error = thrown as LabError
  expect(error.kind).toBe('input')
  expect(error.message).toContain(path)
  expect(error.message.endsWith('.')).toBe(true)
  return error
}

function column(dataset: Dataset, index: number): number[] {
  const numeric = dataset.numeric[index]
  if (!numeric) throw new Error(`column ${index} is not numeric`)
  return Array.from({ length: numeric.length }, (_, row) => numeric.at(row))
}

describe('dialects', () => {
  const tables: readonly [string, string, Partial<Dataset['dialect']>][] = [
    ['comma', 'a,b\n1,2\n3,4.5\n', { delimiter: ',', header: true }],
    ['tab', 'a\tb\n1\t2\n3\t4.5\n', { delimiter: '\t' }],
    ['semicolon with decimal comma', 'a;b\n1;2\n3;4,5\n', { delimiter: ';', decimal: ',' }],
    ['bar', 'a|b\n1|2\n3|4.5\n', { delimiter: '|' }],
    ['blanks', 'a   b\n1 \t 2\n  3  4.5\n', { delimiter: ' ' }],
    ['no header', '1,2\n3,4.5\n', { header: false }],
    ['carriage returns', 'a,b\r1,2\r3,4.5\r', { delimiter: ',' }],
    ['CRLF', 'a,b\r\n1,2\r\n3,4.5\r\n', { delimiter: ',' }],
    ['no line end at the end', 'a,b\n1,2\n3,4.5', { delimiter: ',' }],
    ['delimiter at each line end', 'a,b,\n1,2,\n3,4.5,\n', { delimiter: ',' }],
    ['delimiter at each data line end', 'a,b\n1,2,\n3,4.5,\n', { delimiter: ',' }],
    ['quoted numbers', '"a","b"\n"1","2"\n"3","4.5"\n', { quote: '"' }],
    ['single quotes', "'a','b'\n'1','2'\n'3','4.5'\n", { quote: "'" }],
    ['headed', '2\n2\n1\n1 2\n3 4.5\n', { format: 'headed', header: false }],
  ]
  it.each(tables)('%s', async (_, text, expected) => {
    const dataset = await load(text)
    expect(dataset.dialect).toMatchObject(expected)
    expect(column(dataset, 0)).toEqual([1, 3])
    expect(column(dataset, 1)).toEqual([2, 4.5])
  })

  const headers: readonly [string, string, boolean, boolean][] = [
    ['words above numbers', 'a,b\n1,2\n3,4\n', true, false],
    ['numbers only', '1,2\n3,4\n', false, false],
    ['a class label without a header', '5.1,setosa\n4.9,setosa\n6.1,virginica\n', false, false],
    ['years as names', 'country,2019,2020\nA,1,2\nB,3,4\n', true, true],
    ['a number as a name', 'age,7\n1,2\n3,4\n', true, true],
  ]
  it.each(headers)('header row: %s', async (_, text, header, doubtful) => {
    const { dialect, receipt } = await load(text)
    expect(dialect.header).toBe(header)
    expect(receipt.evidence.header.doubtful).toBe(doubtful)
  })

  it('proposes the k of the headed format', async () => {
    const dataset = await load('3\n1\n2\n1.5\n2\n9\n')
    expect(dataset.receipt.proposedK).toBe(2)
    expect(dataset.firstRecord).toBe(4)
  })

  it('takes what was set by hand', async () => {
    const dataset = await load('a;b\n1,5;2\n', { decimal: ',', delimiter: ';', header: true })
    expect(column(dataset, 0)).toEqual([1.5])
    expect(dataset.receipt.evidence.delimiter).toMatchObject({ overridden: true, doubtful: false })
  })

  it('takes column types set by hand', async () => {
    const { columns, numeric } = await load('a,b\n1,2\n3,4\n', {
      columnTypes: { 0: 'categorical', 1: 'numeric' },
    })
    expect(columns.map(({ type }) => type)).toEqual(['categorical', 'numeric'])
    expect(columns.map(({ proposed }) => proposed)).toEqual([false, true])
    expect(numeric[0]).toBeUndefined()
  })

  it('takes the headed format for a plain table when told so', async () => {
    const dataset = await load('3\n1\n2\n7\n8\n9\n', { format: 'delimited' })
    expect(column(dataset, 0)).toEqual([3, 1, 2, 7, 8, 9])
    expect(dataset.receipt.proposedK).toBeNull()
  })

  it('reads quotes as text when there is no quoting', async () => {
    const dataset = await load('a,b\n1,5" pipe\n2,"open\n', { quote: '' })
    expect(column(dataset, 0)).toEqual([1, 2])
  })

  it('reads bytes in the encoding set by hand', async () => {
    const { columns } = await load(Buffer.from('größe\n1\n'), { encoding: 'latin1' })
    expect(columns[0].name).toBe('grÃ¶ÃŸe')
  })

  it('keeps a quoted cell that spans lines and holds delimiters', async () => {
    const dataset = await load('name,x\n"one, ""two""\nthree",1\nb,2\n')
    expect(dataset.rows).toBe(2)
    expect(column(dataset, 1)).toEqual([1, 2])
  })
})

describe('a last column without a name', () => {
  it.each([
    ['in every row', [3, 6, 9]],
    ['in one of them', ['', 6, '']],
  ])('is there where cells stand %s', async (_, last) => {
    const { rows, columns } = await load(`x,y,\n1,2,${last[0]}\n4,5,${last[1]}\n7,8,${last[2]}\n`)
    expect(rows).toBe(3)
    expect(columns.map(({ name }) => name)).toEqual(['x', 'y', 'column 3'])
  })

  it('is none where lines only end with a delimiter', async () => {
    expect((await load('x,y,\n1,2,\n4,5,\n')).columns).toHaveLength(2)
    expect((await load('x,y,\n1,2\n4,5\n')).columns).toHaveLength(2)
  })
})

describe('columns whose numbers begin below the first block', () => {
  it('are columns of numbers, with what is none in their warnings', async () => {
    const rows = Array.from({ length: 2000 }, (_, i) => `${i % 7},${i < 300 ? 'none yet' : i % 11}`)
    const dataset = await load(`x,y\n${rows.join('\n')}\n`)
    const [, y] = dataset.columns
    expect(y).toMatchObject({ type: 'numeric', proposed: true, notNumeric: 300, min: 0, max: 10 })
    expect([299, 300, 1999].map((row) => dataset.numeric[1]?.at(row))).toEqual([NaN, 300 % 11, 1999 % 11])
    expect(dataset.receipt.notes[0]).toBe(
      "Row 2, column y: 'none yet' is not a number; it counts as missing.",
    )
  })

  it('stay text where most cells are words', async () => {
    const rows = Array.from({ length: 2000 }, (_, i) => `${i % 7},${i < 1100 ? 'none' : i}`)
    const { columns } = await load(`x,y\n${rows.join('\n')}\n`)
    expect(columns[1].type).not.toBe('numeric')
  })
})

describe('encodings', () => {
  const text = 'größe,b\n1,2\n3,4\n'
  const utf16 = (big: boolean, mark: boolean) => {
    const bytes = Buffer.from((mark ? '\ufeff' : '') + text, 'utf16le')
    return big ? bytes.swap16() : bytes
  }
  it.each([
    ['UTF-8', Buffer.from(text), 'utf-8', false],
    ['UTF-8 with mark', Buffer.from('\ufeff' + text), 'utf-8', true],
    ['UTF-16 LE', utf16(false, true), 'utf-16le', true],
    ['UTF-16 BE', utf16(true, true), 'utf-16be', true],
    ['UTF-16 LE without mark', utf16(false, false), 'utf-16le', false],
    ['Latin-1', Buffer.from(text, 'latin1'), 'latin1', false],
  ])('%s', async (_, bytes, encoding, bom) => {
    const dataset = await load(bytes)
    expect(dataset.dialect.encoding).toBe(encoding)
    expect(dataset.receipt.bom).toBe(bom)
    expect(dataset.columns[0].name).toBe('größe')
    expect(column(dataset, 0)).toEqual([1, 3])
  })
})

describe('columns', () => {
  it('tells numbers, categories, constants and identifiers apart', async () => {
    const rows = Array.from(
      { length: 40 },
      (_, i) => `${i + 1},${(i * 7) % 11},${i % 2 ? 'a' : 'b'},5,text ${i}`,
    )
    const { columns } = await load(`row,x,kind,same,free\n${rows.join('\n')}\n`)
    expect(columns.map(({ type }) => type)).toEqual([
      'identifier',
      'numeric',
      'categorical',
      'constant',
      'text',
    ])
    expect(columns.map(({ proposed }) => proposed)).toEqual([false, true, false, false, false])
  })

  it('knows an identifier by its name and by numbers that never repeat', async () => {
    const { columns } = await load('user_id,id,age\n17,17,30\n3,3,25\n9,9,60\n12,3,1\n')
    expect(columns.map(({ type }) => type)).toEqual(['identifier', 'numeric', 'numeric'])
  })

  it('knows one whose numbers are too long to tell whether they repeat', async () => {
    const { columns } = await load('tweet_id,x\n1234567890123456789,1\n1234567890123456790,2\n99,3\n')
    expect(columns.map(({ type }) => type)).toEqual(['identifier', 'numeric'])
    expect(columns[0].because).toMatch(/more digits than float64 holds/)
  })

  it('keeps digits that count anything but rows', async () => {
    const { columns } = await load('pixel,x\n3,1\n4,2\n5,0\n6,1\n7,3\n8,8\n')
    expect(columns[0]).toMatchObject({ type: 'numeric', integer: true, min: 3, max: 8, mean: 5.5 })
  })

  it('takes one counting column as a feature when there is nothing else', async () => {
    const { columns } = await load(`x\n${Array.from({ length: 9 }, (_, i) => i).join('\n')}\n`)
    expect(columns[0]).toMatchObject({ type: 'numeric', proposed: true })
  })

  it('makes names unique', async () => {
    const { columns } = await load('a,a,,a_1\n1,2,3,4\n')
    expect(columns.map(({ name }) => name)).toEqual(['a', 'a_2', 'column 3', 'a_1'])
  })

  it('keeps the digits of a small spread on a large value', async () => {
    const values = [1_600_000_000.25, 1_600_000_004.5, 1_599_999_995.125]
    expect(column(await load(`t,u\n${values.map((v) => `${v},1`).join('\n')}\n`), 0)).toEqual(values)
  })

  it('holds numbers beyond the range of float32', async () => {
    expect(column(await load('x,y\n1e300,1\n-3e300,2\n'), 0)).toEqual([1e300, -3e300])
  })

  it.each([
    ['small', ['1e-300', '3e-300', '-2e-300']],
    ['subnormal', ['1e-310', '3e-310', '-2e-310']],
    ['as far apart as float64 allows', ['1.7e308', '-1.7e308', '5e307']],
  ])('holds numbers that are %s', async (_, cells) => {
    const dataset = await load(`x,y\n${cells.map((cell) => `${cell},1`).join('\n')}\n`)
    expect(column(dataset, 0)).toEqual(cells.map(Number))
  })

  it('holds a column whose first numbers stand far down', async () => {
    const gaps = '9,\n'.repeat(1000)
    const dataset = await load(`a,t\n8,\n${gaps}1,1600000000.25\n2,1600000001.5\n`)
    expect(column(dataset, 1).slice(-2)).toEqual([1600000000.25, 1600000001.5])
  })

  it('holds a later number that is far larger', async () => {
    const rows = Array.from({ length: 1000 }, (_, i) => String(i % 7))
    const values = column(await load(`x\n${rows.join('\n')}\n1e200\n`), 0)
    expect(values).toEqual([...rows.map(Number), 1e200])
  })

  it('counts missing marks, infinities and words in a numeric column, each with its row', async () => {
    const dataset = await load('age,b\n1,1\nNA,2\n?,3\n1e400,4\ninf,5\nn/x,6\n-,7\n,8\n2.5,9\n3,9\n4,9\n')
    expect(dataset.columns[0]).toMatchObject({ missing: 7, notNumeric: 1, type: 'numeric' })
    expect(dataset.receipt.infiniteCells).toBe(2)
    expect(dataset.receipt.notes).toContain("Row 7, column age: 'n/x' is not a number; it counts as missing.")
    expect(column(dataset, 0).filter((value) => !Number.isNaN(value))).toEqual([1, 2.5, 3, 4])
  })
})

describe('rows', () => {
  it('leaves ragged rows out, counts them and keeps the record numbers', async () => {
    const dataset = await load('a,b\n1,2\n3\n\n4,5,6\n7,8\n9,10\n11,12\n')
    expect(dataset.rows).toBe(4)
    expect(dataset.receipt).toMatchObject({ tooShort: 1, tooLong: 1, blankLines: 1, records: 6 })
    expect([...dataset.leftOutRecords]).toEqual([3, 5])
    expect([...dataset.blankRecords]).toEqual([4])
  })

  it('reads a file of many blocks as it was written, with progress and a SHA-256', async () => {
    const rows = 200_000
    const lines = Array.from({ length: rows }, (_, i) => `${i % 1000}.5,"x ${i}",${-i}`)
    const path = await file(`a,name,c\n${lines.join('\n')}\n`)
    const seen: number[] = []
    const dataset = await openDataset(
      path,
      {},
      ({ rows: done }) => seen.push(done),
      new AbortController().signal,
    )
    expect(dataset.rows).toBe(rows)
    expect(column(dataset, 2)[123_456]).toBe(-123_456)
    expect(seen.at(-1)).toBe(rows)
    expect((await hashed(dataset)).file.sha256).toMatch(/^[0-9a-f]{64}$/)
  })

  it('stops when it is cancelled', async () => {
    const path = await file(`a,b\n${`1,${'x'.repeat(1000)}\n`.repeat(5000)}`)
    const abort = new AbortController()
    const opening = openDataset(path, {}, () => abort.abort(), abort.signal)
    await expect(opening).rejects.toMatchObject({ kind: 'cancelled' })
  })

  it('reads 5000 columns', async () => {
    const names = Array.from({ length: 5000 }, (_, i) => `c${i}`)
    const row = (add: number) => names.map((_, i) => i + add).join(',')
    const dataset = await load(`${names.join(',')}\n${row(0)}\n${row(1)}\n`)
    expect(column(dataset, 4999)).toEqual([4999, 5000])
  })
})

describe('bad input, one sentence each', () => {
  const bad: readonly [string, string | Uint8Array, string, RegExp][] = [
    ['PNG', Buffer.from('89504e470d0a1a0a0000', 'hex'), 'csv.not-text', /PNG image/],
    ['zip', Buffer.from('504b030414000000', 'hex'), 'csv.not-text', /ZIP archive/],
    ['binary', Buffer.from([1, 2, 0, 0, 0, 9, 8, 7, 0, 1, 2, 3]), 'csv.nul', /NUL/],
    ['NUL further down', `a,b\n${'1,2\n'.repeat(200_000)}1,\0\n`, 'csv.nul', /NUL/],
    ['empty', '', 'csv.empty', /is empty/],
    ['blank', '\n \n', 'csv.empty', /is empty/],
    ['header only', 'a,b\n', 'csv.no-rows', /no rows of data/],
    ['no numeric column', 'a,b\nx,y\nz,w\n', 'csv.no-numeric', /No column/],
    ['mostly ragged', 'a,b\n1\n2\n3,4\n', 'csv.ragged', /2 of 3 rows.*\(the first: row 2 has 1\)/],
    ['decimal commas in one column', 'a\n1,5\n2,5\n', 'csv.decimal-comma', /set the delimiter/],
    ['decimal commas between commas', 'a,b\n1,5,2,5\n2,5,3,5\n', 'csv.decimal-comma', /decimal marks/],
    ['headed with a wrong count', '3\n2\n1\n1 2\n3 4\n', 'csv.headed-count', /says 3 points but 2/],
  ]
  it.each(bad)('%s', async (_, content, code, sentence) => {
    const error = await refusal(content)
    expect(error.code).toBe(code)
    expect(error.message).toMatch(sentence)
  })

  it('a file that is not there, and a folder', async () => {
    const open = (path: string) => openDataset(path, {}, () => undefined, new AbortController().signal)
    await expect(open(join(folder, 'nowhere.csv'))).rejects.toMatchObject({ code: 'csv.not-found' })
    await expect(open(folder)).rejects.toMatchObject({ code: 'csv.directory' })
  })

  it.each([
    ['truncated', (path: string) => truncate(path, 1_000_000)],
    ['appended to', (path: string) => appendFile(path, '1,x\n')],
    ['removed', (path: string) => rm(path)],
    ['replaced', (path: string) => rm(path).then(() => writeFile(path, 'a,b\n1,2\n'))],
  ])('a file %s while it is read, by either reader', async (_, change) => {
    for (const wish of [{ text: true }, { batchBytes: 1 << 16 }]) {
      const path = await file(`a,b\n${`1,${'x'.repeat(1000)}\n`.repeat(5000)}`)
      let changed: Promise<void> | undefined
      const { signal } = new AbortController()
      const opening = openDataset(path, {}, () => (changed ??= change(path)), signal, wish)
      await expect(opening).rejects.toMatchObject({ code: 'csv.changed' })
      await changed
    }
  })

  it.skipIf(process.getuid?.() === 0)('a file nobody may read (root may read any)', async () => {
    const path = await file('a\n1\n')
    await chmod(path, 0)
    const opening = openDataset(path, {}, () => undefined, new AbortController().signal)
    await expect(opening).rejects.toMatchObject({ code: 'csv.no-permission' })
  })

  it('a device is refused before anything waits for it', async () => {
    const opening = openDataset('/dev/null', {}, () => undefined, new AbortController().signal)
    await expect(opening).rejects.toMatchObject({ code: 'csv.not-a-file' })
  })
})

describe('preview', () => {
  it('shows the first rows and what was doubtful', async () => {
    const preview = await previewFile(await file('a;b\n1;2\n3;4\n'), {})
    expect(preview).toMatchObject({
      doubtful: false,
      sample: [
        ['1', '2'],
        ['3', '4'],
      ],
    })
    expect((await previewFile(await file('a,b\n1,2\n3\n'), {})).doubtful).toBe(true)
  })

  it('counts rows as the messages do: what stands above, blank lines and all', async () => {
    const preview = await previewFile(await file('sep=;\na;b\n\n1;2\n\n3;4\n'), {})
    expect(preview.sampleRows).toEqual([4, 6])
    expect(preview.receipt.blankLines).toBe(2)
    expect((await previewFile(await file('2\n2\n1\n1 2\n3 4\n'), {})).sampleRows).toEqual([4, 5])
  })
})
