import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportOverrides } from '@shared/dataset'
import { overridesOf } from '@shared/import-overrides'
import type { Dataset } from '../dataset/dataset'
import { openDataset, previewFile } from './open-dataset'
import { sourceCells } from './testing/source-cells'
import { readHead } from './text-source'

const never = new AbortController().signal
let folder: string
let files = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doubtful text ñ '))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function file(content: string | Uint8Array): Promise<string> {
  const path = join(folder, `table ${++files}.csv`)
  await writeFile(path, content)
  return path
}

async function load(content: string | Uint8Array, overrides: ImportOverrides = {}): Promise<Dataset> {
  return openDataset(await file(content), overrides, () => undefined, never)
}

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))

describe('the preview of a doubtful file', () => {
  it('holds the row that is named, however far down', async () => {
    const rows = times(150, (i) => (i === 99 ? '1,2,3' : '1,2'))
    const shown = await previewFile(await file(`x,y\n${rows.join('\n')}\n`), {})
    expect(shown.receipt.notes[0]).toMatch(/^Row 101 /)
    expect(shown.doubtfulRows).toEqual([101])
    expect([shown.sampleRows.length, shown.sampleRows.at(-1), shown.sample.at(-1)]).toEqual([
      51,
      101,
      ['1', '2', '3'],
    ])
  })

  it('doubts the place of the names under a title, not the delimiter', async () => {
    const { receipt } = await previewFile(await file('A table of two columns\nx,y\n1,2\n3,4\n'), {})
    const doubts = Object.entries(receipt.evidence).filter(([, { doubtful }]) => doubtful)
    expect(doubts).toEqual([
      [
        'header',
        expect.objectContaining({ because: expect.stringMatching(/^One line was taken for a title/) }),
      ],
    ])
  })
})

describe('rows above the table that are a title', () => {
  const text = 'A table of two columns\nx,y\n1,2\n3,4\n'

  it('are as many as a person says', async () => {
    const { receipt, columns, rows } = await load(Buffer.from(text), { titleRows: 2, header: false })
    expect([columns.map(({ name }) => name), rows]).toEqual([['column 1', 'column 2'], 2])
    expect(receipt.warnings).toEqual([
      'Rows 1 to 2 were taken for a title above the table: they are no data.',
    ])
    expect(overridesOf(receipt)).toEqual({ header: false, titleRows: 2 })
  })

  it('are fewer than the rows of the file', async () => {
    await expect(load(Buffer.from(text), { titleRows: 4 })).rejects.toThrow(
      /has no rows of data below the 4 title rows: choose fewer title rows, or a file with data\.$/,
    )
  })

  it('are none where a person says so', async () => {
    const { receipt, columns } = await load(Buffer.from(text), { titleRows: 0, header: false })
    expect(columns.map(({ name }) => name)).toEqual(['column 1', 'column 2'])
    expect(receipt.warnings.join()).not.toContain('title')
    expect(receipt.tooShort).toBe(1)
    const preview = await previewFile(await file(text), { titleRows: 0 })
    expect(preview.receipt.evidence.header.doubtful).toBe(false)
  })
})

describe('what was read otherwise is said in a few words', () => {
  const plain = times(40_000, (i) => `${i % 97},${i % 89}.5`)
  const table = (text: string) => Buffer.from(text, 'latin1')

  it.each([
    ['a Latin-1 byte far in', `x,y\n${plain.join('\n')}\n1,2 \xe9\n`, ['read as Latin-1']],
    ['mixed line ends', `x,y\n1,2\r\n${plain.join('\n')}\n`, ['mixed line ends']],
    ['equal names', 'x,x,y,y\n1,2,3,4\n5,6,7,8\n', ['2 columns renamed (x_1, …)']],
    ['a title', 'A table of two columns\nx,y\n1,2\n3,4\n', ['1 line above the table left out']],
    ['cells with two units', 'x,y\n1,2 kg\n3,4 lb\n', ['1 column left out']],
    ['cells with one unit', 'x,y\n1,2 kg\n3,4 kg\n', ['1 column of numbers with units or groups']],
    ['nothing', 'x,y\n1,2\n3,4\n', []],
  ])('%s', async (_, text, findings) => {
    expect((await load(table(text))).receipt.findings).toEqual(findings)
  })
})

describe('a stray quote costs nothing but its line', () => {
  const named = (name: (row: number) => string) =>
    `x,y,name\n${times(10_000, (i) => `${i % 97},${i % 89}.5,${name(i + 2)}`).join('\n')}\n`

  it('in row 100, with another in row 9000: every row is there, both are named', async () => {
    const text = named((row) => (row === 100 ? '"Acme" Ltd' : row === 9000 ? '"Foo"' : 'plain'))
    const { rows, receipt } = await load(text)
    expect(rows).toBe(10_000)
    expect(receipt.doubtfulRows).toBe(1)
    expect(receipt.warnings).toEqual([
      'Row 100: a quote stands in the middle of a cell; the cell was read as text.',
    ])
  })

  it('where every other name is quoted', async () => {
    const { rows, receipt } = await load(named((row) => (row === 100 ? '"Acme" Ltd' : `"n ${row}"`)))
    expect(rows).toBe(10_000)
    expect(receipt.doubtfulRows).toBe(1)
  })

  it.each([
    ['opened in row 100, closed in row 9000', [100], [9000]],
    ['opened in row 100, closed in the next', [100], [101]],
    ['opened again and again', [100, 101, 300, 5000], [9000]],
    ['opened and never closed', [100], []],
    ['opened in the last row', [10_001], []],
  ])('%s', async (_, open, close) => {
    const name = (row: number) =>
      open.includes(row) ? '"Acme' : close.includes(row) ? 'Foo"' : row % 7 === 0 ? '""' : 'plain'
    const dataset = await load(named(name))
    expect(dataset.rows).toBe(10_000)
    expect(dataset.receipt.doubtfulRows).toBe(open.length + close.length)
    expect(dataset.receipt.warnings[0]).toContain('a quote')
    const [last] = await sourceCells(dataset, [98], never)
    expect(last).toMatchObject({
      fileRow: 100,
      cells: ['1', '9.5', open.includes(100) ? '"Acme' : name(100)],
    })
  })

  it('names the first rows and counts the others', async () => {
    const { receipt } = await load(named((row) => (row % 2 === 0 ? `${row}" pipe` : 'plain')))
    expect(receipt.warnings).toEqual([
      'Row 2: a quote stands in the middle of a cell; the cell was read as text. 4 999 other rows are like it: 4, 6, 8 and 4 996 more.',
    ])
  })

  it('is found by the preview too, which is then shown', async () => {
    const preview = await previewFile(await file('x,name\n1,"a" b\n2,c\n'), {})
    expect(preview.doubtful).toBe(true)
    expect(preview.receipt.warnings[0]).toContain('Row 2: a quote stands in the middle of a cell')
  })

  it('long cells of several lines stay cells, up to 16 million characters', async () => {
    const note = `"${'a line of a note, with a comma\n'.repeat(200_000)}"`
    const { rows, receipt } = await load(`x,note\n1,${note}\n2,b\n`)
    expect(rows).toBe(2)
    expect(receipt.warnings[0]).toContain('Row 2: a quoted cell spans very many lines')
  })

  it('a quote that nothing closes for 20 MB holds up nothing', async () => {
    const { rows } = await load(`x,name\n1,"open\n${'2,a name of some length\n'.repeat(1_000_000)}`)
    expect(rows).toBe(1_000_001)
  })
})

describe('line ends', () => {
  it('of line feeds and carriage returns mixed end a row each, and are reported', async () => {
    const { rows, receipt } = await load(
      `x,y\n${times(12, (i) => `${i},${i}${i % 2 ? '\n' : '\r'}`).join('')}`,
    )
    expect(rows).toBe(12)
    expect(receipt.warnings).toEqual([
      'Line ends are mixed: 7 line feeds, 6 carriage returns; each of them ends a row.',
    ])
  })
})

describe('lines of any width', () => {
  const row = (width: number, first: number) => times(width, (i) => (first + i) % 1000).join(',')

  it('a header of 21 849 names of 11 characters', async () => {
    const names = times(21_849, (i) => `name_${String(i).padStart(6, '0')}`)
    const { rows, columns } = await load(`${names.join(',')}\n${row(21_849, 1)}\n${row(21_849, 5)}\n`)
    expect(rows).toBe(2)
    expect(columns.at(-1)?.name).toBe('name_021848')
  })

  it.each([
    ['with a header', `${times(100_000, (i) => `c${i}`).join(',')}\n`],
    ['without', ''],
  ])('100 000 columns %s', async (_, header) => {
    const { rows, columns } = await load(`${header}${times(10, (i) => row(100_000, i)).join('\n')}\n`)
    expect(rows).toBe(10)
    expect(columns).toHaveLength(100_000)
  })

  it('100 000 columns between blanks', async () => {
    const { rows, columns } = await load(
      `${times(5, (i) => row(100_000, i).replaceAll(',', ' ')).join('\n')}\n`,
    )
    expect(rows).toBe(5)
    expect(columns).toHaveLength(100_000)
  })

  it('a line of 50 MB, quoted or not', async () => {
    for (const quote of ['', '"']) {
      const long = quote + 'a long text '.repeat(4_300_000) + quote
      const { rows, receipt } = await load(`x,note\n1,${long}\n2,b\n3,c\n`)
      expect(rows).toBe(3)
      expect(receipt.warnings).toEqual([])
    }
  })

  it('none in 8 GiB: an image of a disk is refused from its first bytes', async () => {
    const path = await file('')
    await truncate(path, 2 ** 33)
    await expect(openDataset(path, {}, () => undefined, never)).rejects.toMatchObject({
      code: 'csv.nul',
      message: `The file ${path} holds NUL characters near row 1, so it is no text table: export the table as CSV and open that.`,
    })
  })

  it('longer than any text is said', async () => {
    const path = await file('1,2,'.repeat(5000))
    await expect(readHead(path, 1024, 8192)).rejects.toMatchObject({
      kind: 'input',
      message: `The first line of ${path} is longer than 500 million characters: write each row on a line of its own.`,
    })
    expect(await readHead(path, 1024, 20_000)).toHaveLength(20_000)
  })

  it('many blank lines above the table', async () => {
    const { rows } = await load(`${'\n'.repeat(300_000)}x,y\n1,2\n3,4\n`)
    expect(rows).toBe(2)
  })
})

describe('rows that begin like comments are rows', () => {
  it.each([
    ['all of them', times(3000, (i) => `#${i},${i % 7},${i % 5}`)],
    ['a few', times(30, (i) => `#${i},${i % 7},${i % 5}`)],
    ['at the beginning', [...times(30, (i) => `#0000f${i},${i % 7},${i % 5}`), 'red,3,4', 'blue,1,1']],
    ['below a comment', ['# colours, of a screen', '#0000ff,1,2', '#00ff00,3,4', 'red,3,5', 'blue,1,1']],
  ])('%s', async (_, lines) => {
    const { rows, receipt } = await load(`${lines.join('\n')}\n`)
    const isComment = lines[0].startsWith('# ')
    expect(rows).toBe(lines.length - (isComment ? 1 : 0))
    expect(receipt.dialect.header).toBe(false)
    expect(receipt.warnings).toEqual(
      isComment ? ['Row 1 was taken for a comment above the table: it is no data.'] : [],
    )
  })

  it('but names in a comment, and rows of numbers that were taken out, are not', async () => {
    const { rows, columns } = await load('# country,2019,2020\nA,1,2\nB,3,4\n')
    expect([rows, columns.map(({ name }) => name)]).toEqual([2, ['# country', '2019', '2020']])
    expect((await load('#9,9,9\n1,2,3\n4,5,6\n')).rows).toBe(2)
  })
})

describe('names that stand twice in the header', () => {
  it('are told with what the columns are called', async () => {
    const two = await load('x,y,x\n1,2,3\n4,5,6\n')
    expect(two.receipt.warnings).toEqual([
      "Column 3 is called 'x_1', because an earlier one is named 'x' too.",
    ])
    const many = await load('x,x,x,x\n1,2,3,4\n4,5,6,7\n')
    expect(many.receipt.warnings[0]).toMatch(/ named 'x' too\. 2 other columns are like it\.$/)
    expect((await load('x, y ,\n1,2,3\n4,5,6\n')).receipt.warnings).toEqual([])
  })
})

describe('one damaged byte in the first block', () => {
  const damaged = Buffer.from('1,caf\xe9\n', 'latin1')
  const rows = (count: number, name: string) =>
    Buffer.from(times(count, (i) => `${i % 97},${name}\n`).join(''))
  const cells = async (dataset: Dataset, numbers: readonly number[]) =>
    (await sourceCells(dataset, numbers, never)).map((row) => row.cells[1])

  it.each([
    [
      'is told, and changes no other character',
      Buffer.concat([rows(20, 'Málaga'), damaged, rows(20, 'Köln')]),
    ],
    ['before the first character of the rest', Buffer.concat([rows(20, 'a'), damaged, rows(60_000, 'Köln')])],
  ])('%s', async (_, body) => {
    const path = await file(Buffer.concat([Buffer.from('x,name\n'), body]))
    const dataset = await openDataset(path, {}, () => undefined, never)
    expect(dataset.dialect.encoding).toBe('utf-8')
    expect(await cells(dataset, [20, 39])).toEqual(['café', 'Köln'])
    expect(dataset.receipt.warnings).toContain(
      'Row 22: some bytes are not valid UTF-8; they were read as Latin-1.',
    )
  })

  it('is shown by the preview', async () => {
    const path = await file(Buffer.concat([Buffer.from('x,name\n'), rows(20, 'Málaga'), damaged]))
    const { receipt, doubtful } = await previewFile(path, {})
    expect(doubtful).toBe(true)
    expect(receipt.warnings).toEqual(['Row 22: some bytes are not valid UTF-8; they were read as Latin-1.'])
  })
})

describe('bytes that are not UTF-8 beyond the first block', () => {
  const table = (name: string, rows = 40_000) =>
    `x,name\n${times(rows, (i) => `${i % 97},${i === rows - 10 ? name : 'plain'}`).join('\n')}\n`
  const cellOf = async (dataset: Dataset, row: number) =>
    (await sourceCells(dataset, [row], never))[0].cells[1]

  it('make the whole file Latin-1, which is reported with the row', async () => {
    const dataset = await load(Buffer.from(table('café'), 'latin1'))
    expect(dataset.dialect.encoding).toBe('latin1')
    expect(await cellOf(dataset, 39_990)).toBe('café')
    expect(dataset.receipt.warnings).toEqual([
      'Row 39 992 has bytes that are not valid UTF-8: the whole file was read as Latin-1 (windows-1252).',
    ])
    expect(dataset.receipt.evidence.encoding.doubtful).toBe(true)
  })

  it('are damage where the rest shows UTF-8: each is read as Latin-1, nothing else changes', async () => {
    const text = table('smörgåsbord').split('plain\n')
    const bytes = Buffer.concat([
      Buffer.from(text.slice(0, 30_000).join('plain\n')),
      Buffer.from('caf\xe9\n', 'latin1'),
      Buffer.from(text.slice(30_000).join('plain\n')),
    ])
    const dataset = await load(bytes)
    expect(dataset.dialect.encoding).toBe('utf-8')
    expect(await cellOf(dataset, 39_990)).toBe('smörgåsbord')
    expect(await cellOf(dataset, 29_999)).toBe('café')
    expect(dataset.receipt.warnings).toEqual([
      'Row 30 001: some bytes are not valid UTF-8; they were read as Latin-1.',
    ])
  })

  it('are damage where UTF-8 was set by hand', async () => {
    const dataset = await load(Buffer.from(table('café'), 'latin1'), { encoding: 'utf-8' })
    expect(dataset.dialect.encoding).toBe('utf-8')
    expect(await cellOf(dataset, 39_990)).toBe('café')
    expect(dataset.receipt.warnings[0]).toContain('Row 39 992: some bytes are not valid UTF-8')
  })

  it.each([
    ['below a quote that nothing closes', '\n', (row: number) => (row === 5 ? '"open' : 'plain')],
    ['behind a cell of several lines', '\n', (row: number) => (row === 5 ? '"two\nlines"' : 'plain')],
    ['at the beginning of lines that end with carriage returns', '\r', () => 'plain'],
  ])('are reported with their own row %s', async (_, end, name) => {
    const rows = times(300, (i) => `${i + 2 === 60 ? '\xff' : 'é'},${i % 7},${name(i + 2)}`)
    const text = `\ufeffname,x,note${end}${rows.join(end)}${end}`
    const damaged = text.split('\xff').map((part) => Buffer.from(part))
    const { receipt } = await load(Buffer.concat([damaged[0], Buffer.of(0xff), damaged[1]]))
    expect(receipt.warnings.filter((sentence) => sentence.includes('bytes'))).toEqual([
      'Row 60: some bytes are not valid UTF-8; they were read as Latin-1.',
    ])
  })

  it('are told in a comment and a title above the table', async () => {
    const latin = Buffer.from('# M\xe1laga\n# K\xf6ln\nAll the caf\xe9s\nx,y\n1,2\n3,4\n', 'latin1')
    const { receipt } = await load(Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), latin]))
    expect(receipt.warnings.at(-1)).toBe(
      'Row 1: some bytes are not valid UTF-8; they were read as Latin-1. 2 other rows are like it: 2, 3.',
    )
  })

  it('are counted row by row, however many there are', async () => {
    const bytes = Buffer.from(`x,name\n${times(5000, (i) => `${i % 97},caf\xe9`).join('\n')}\n`, 'latin1')
    const { receipt } = await load(bytes, { encoding: 'utf-8' })
    expect(receipt.warnings).toEqual([
      'Row 2: some bytes are not valid UTF-8; they were read as Latin-1. 4 999 other rows are like it: 3, 4, 5 and 4 996 more.',
    ])
  })

  it('half a character of UTF-16 is reported', async () => {
    const bytes = Buffer.from(`\ufeff${table('a \ud83d b', 200)}`, 'utf16le')
    const { receipt, rows } = await load(bytes)
    expect(rows).toBe(200)
    expect(receipt.warnings).toEqual([
      'Row 192: half a UTF-16 character stands alone; UTF-8 has none, so exports have \ufffd in its place.',
    ])
  })
})
