import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import zlib from 'node:zlib'
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ImportOverrides } from '@shared/dataset'
import { LabError } from '@shared/errors'
import { inspect, type Inspection } from '@engine/csv/inspect'
import { openDataset, previewFile } from '@engine/csv/open-dataset'
import { roomForColumns } from '@engine/csv/room-for-columns'
import { sourceCells } from '@engine/csv/testing/source-cells'
import type { Dataset } from '@engine/dataset/dataset'
import { writeExport } from '@engine/export'
import { runOf } from '@engine/export/testing/run-of'

// Made by another program, which writes the same tables as CSV: see make-files.mjs.
const files = 'tests/formats/files'
const signal = new AbortController().signal
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'centroid-lab-columnar-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const load = (path: string, overrides: ImportOverrides = {}): Promise<Dataset> =>
  openDataset(path, overrides, () => undefined, signal)
const refusal = (path: string, overrides?: ImportOverrides) =>
  load(path, overrides).catch((thrown: unknown) => thrown)

function file(name: string, bytes: Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

const numbersOf = ({ numeric, rows }: Dataset) =>
  numeric.map((column) => column && Array.from({ length: rows }, (_, row) => column.at(row)))

async function labelled(path: string): Promise<string> {
  const target = join(folder, `labels of ${basename(path)}`)
  await writeExport(await runOf(path, { k: 2 }), 'labels', target, { replace: true, signal })
  return readFileSync(target, 'utf8')
}

const hasZstd = typeof zlib.zstdCompressSync === 'function'
const tables = readdirSync(files)
  .filter((name) => name.startsWith('table-') && !name.endsWith('.csv'))
  .filter((name) => hasZstd || !name.includes('zstd'))

describe('a table that is written as Parquet or Arrow too', () => {
  it.each(tables)('%s is the same as its CSV', async (name) => {
    const path = join(files, name)
    const [dataset, expected] = [await load(path), await load(path.replace(/\.\w+$/, '.csv'))]
    expect(dataset.rows).toBe(expected.rows)
    // The header of the CSV is its first row.
    const before = expected.columns.map(({ odd, ...column }) => ({
      ...column,
      ...(odd && { odd: { ...odd, row: odd.row - 1 } }),
    }))
    expect(dataset.columns).toEqual(before)
    expect(numbersOf(dataset)).toEqual(numbersOf(expected))
    const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex')
    expect(dataset.file).toMatchObject({ sha256, name })
    const cells = await sourceCells(dataset, [0, dataset.rows - 1], signal)
    const same = await sourceCells(expected, [0, dataset.rows - 1], signal)
    expect(cells.map((row) => row.cells)).toEqual(same.map((row) => row.cells))
    expect((await previewFile(path, {})).sample[3]).toEqual(
      (await previewFile(path.replace(/\.\w+$/, '.csv'), {})).sample[3],
    )
    // The other program writes 5877 as 5877.0 in columns of float64.
    const lines = (await labelled(path.replace(/\.\w+$/, '.csv'))).replace(/(?<=,\d+)\.0(?=,)/g, '')
    expect(await labelled(path)).toBe(lines)
  })
})

describe.each(['kinds.parquet', 'kinds.arrow'])('%s', (name) => {
  if (!hasZstd && name === 'kinds.parquet') return
  const path = join(files, name)

  it('has every kind of number exactly, nulls are missing', async () => {
    const dataset = await load(path)
    const numbers = Object.fromEntries(
      dataset.columns.map((column, i) => [column.name, numbersOf(dataset)[i]]),
    )
    expect(numbers).toMatchObject({
      f64: [0.1, NaN, NaN, NaN, -1e300],
      f32: [0.5, NaN, -2.25, 3, 1e10],
      i8: [-128, NaN, 0, 1, 127],
      i16: [-32768, 1, 2, 3, 32767],
      i32: [-(2 ** 31), NaN, 2, 3, 2 ** 31 - 1],
      i64: [2 ** 53, NaN, -(2 ** 63), 4, 5],
      u64: [2 ** 64, 0, 2, NaN, 5],
      yes: [1, NaN, 0, 1, 1],
      money: [1234.5, -0.01, NaN, 1e17, 7],
    })
    const of = (column: string) => dataset.columns.find((one) => one.name === column)
    expect(of('i64')?.coarse).toEqual({ count: 2, step: 2, row: 1, cell: '9007199254740993' })
    expect(of('f64')).toMatchObject({ missing: 3, odd: { count: 1, row: 4, cell: 'Infinity' } })
    expect(dataset.receipt.notes.join()).toContain("Row 4, column f64: 'Infinity' is infinite")
    expect(of('none')).toMatchObject({ type: 'constant', missing: 5 })
  })

  it('has texts that stay texts, digits too, unless a person says so', async () => {
    const { columns } = await load(path)
    const types = Object.fromEntries(columns.map((column) => [column.name, column.type]))
    expect(types).toMatchObject({ zip: 'categorical', class: 'categorical' })
    const zip = columns.findIndex((column) => column.name === 'zip')
    const forced = await load(path, { columnTypes: { [zip]: 'numeric' } })
    expect(numbersOf(forced)[zip]).toEqual([1234, 98765, NaN, 1234, 1000])
  })

  it('has dates as text of ISO 8601, and its cells as they stand', async () => {
    const dataset = await load(path)
    const rows = await sourceCells(dataset, [0, 1, 2, 3, 4], signal)
    const cellsOf = (column: string) => {
      const index = dataset.columns.findIndex((one) => one.name === column)
      return rows.map(({ cells }) => cells[index])
    }
    expect(cellsOf('day')).toEqual(['1970-01-01', '2026-11-23', '', '1969-12-31', '1970-01-02'])
    expect(cellsOf('time')).toEqual([
      '1970-01-01T00:00:00',
      '2023-11-14T22:13:20.123456',
      '',
      '1969-12-31T23:59:59.999999',
      '1970-01-01T00:00:00.000001',
    ])
    expect(cellsOf('utc')).toEqual([
      '1970-01-01T00:00:00.000000001Z',
      '1970-01-01T00:00:00Z',
      '',
      '1969-12-31T23:59:59.999999999Z',
      '1970-01-01T00:00:01.5Z',
    ])
    expect(cellsOf('money')).toEqual(['1234.50', '-0.01', '', '99999999999999999.99', '7.00'])
    expect(cellsOf('u64')[0]).toBe('18446744073709551615')
    expect(cellsOf('class')).toEqual(['a', 'a', '', 'a, "b"', 'two\nlines'])
    expect(cellsOf('yes')).toEqual(['1', '', '0', '1', '1'])
  })

  it('has dates as numbers too, which are no features by themselves', async () => {
    const dataset = await load(path)
    const index = (name: string) => dataset.columns.findIndex((one) => one.name === name)
    const [day, time] = [index('day'), index('time')]
    const date = (unit: string) => ({ type: 'date', proposed: false, date: { order: 'ymd', unit } })
    expect([dataset.columns[day], dataset.columns[time]]).toMatchObject([date('days'), date('seconds')])
    expect(numbersOf(dataset)[day]).toEqual([0, 20780, NaN, -1, 1])
    expect(numbersOf(dataset)[time]).toEqual(
      [0, 1_700_000_000.123456, NaN, -1e-6, 1e-6].map((value) =>
        Number.isNaN(value) ? NaN : (expect.closeTo(value, 9) as number),
      ),
    )
  })

  it('names the columns that hold no plain cells', async () => {
    const { receipt, columns } = await load(path)
    const words = 'lists, structs or the like'
    expect(receipt.warnings).toContain(
      `Left out, because they hold no plain cells: clock (times of day), list (${words}), struct (${words}).`,
    )
    expect(receipt.findings).toContain('3 columns without plain cells left out')
    expect(columns.map((column) => column.name)).not.toContain('list')
    expect(receipt.columnar).toBe(name === 'kinds.arrow' ? 'arrow' : 'parquet')
  })

  it('has no dialect to be set', async () => {
    expect(await refusal(path, { delimiter: ';', header: false })).toMatchObject({
      kind: 'input',
      message: expect.stringMatching(
        /kinds\.\w+ has no text, so that no delimiter, header row can be set for it: leave that out, or export the table as CSV\.$/,
      ) as unknown,
    })
  })
})

describe('a file that is damaged', () => {
  const sound = tables.filter((name) => !name.includes('csv'))

  it.each(sound)('%s, cut off anywhere, is refused in one sentence', async (name) => {
    const bytes = readFileSync(join(files, name))
    const lengths = Array.from({ length: 40 }, (_, i) => 8 + Math.floor((i * (bytes.length - 16)) / 40))
    for (const length of lengths) {
      const thrown = await refusal(file('cut', bytes.subarray(0, length)))
      const isWhole = !(thrown instanceof LabError)
      // A stream may end behind any message, and then says so.
      if (isWhole && name.endsWith('.arrows')) {
        expect((thrown as Dataset).receipt.warnings.join()).toContain('may be cut off')
        continue
      }
      expect(thrown).toMatchObject({
        kind: 'input',
        message: expect.stringMatching(/^[^.].*\.$/s) as unknown,
      })
    }
  })

  it.each(sound)('%s with a wrong byte is read or refused, never worse', async (name) => {
    const bytes = readFileSync(join(files, name))
    for (let i = 0; i < 60; i++) {
      const at = Math.floor(((i + 0.5) * bytes.length) / 60)
      const wrong = Buffer.from(bytes)
      wrong[at] ^= 1 << (i % 8)
      const thrown = await refusal(file('wrong', wrong))
      if (thrown instanceof Error) expect(thrown).toBeInstanceOf(LabError)
    }
  })
})

it('a stream of Arrow with any count of its metadata huge is read or refused, and takes no memory', async () => {
  const bytes = readFileSync(join(files, 'table-uncompressed.arrows'))
  for (let at = 0; at < 1200; at += 4) {
    const wrong = Buffer.from(bytes)
    wrong.writeInt32LE(0x7fffffff, at)
    const thrown = await refusal(file('huge', wrong))
    if (thrown instanceof Error) expect(thrown).toBeInstanceOf(LabError)
  }
})

it.each(['table-lz4.parquet', 'table-lz4.arrow'])('%s: a load that is cancelled stops', async (name) => {
  const rows: number[] = []
  const aborted = AbortSignal.abort()
  const loading = openDataset(join(files, name), {}, (progress) => rows.push(progress.rows), aborted)
  await expect(loading).rejects.toMatchObject({ kind: 'cancelled' })
  expect(rows).toEqual([])
})

it('room is judged by the number of rows that a file states', async () => {
  const { rows } = await load(join(files, 'table-lz4.parquet'))
  const inspection = await inspect(join(files, 'table-lz4.parquet'), {})
  expect(inspection.columnar?.rows).toBe(rows)
  // Four columns of numbers, of 4 or 8 bytes a row, whatever their bytes in the file are.
  expect(() => roomForColumns({ ...inspection, columnar: factsOf(inspection, 1e12) }, 1e9)).toThrow(
    /would need about \d+\.\d GiB for 4 columns/,
  )
})

const factsOf = ({ columnar }: Inspection, rows: number) => columnar && { ...columnar, rows }

it('old Feather files and encrypted Parquet files are refused as what they are', async () => {
  const old = await refusal(file('old.feather', Buffer.from('FEA1 and so on')))
  expect(old).toMatchObject({ message: expect.stringContaining('write it as Feather 2') as unknown })
  const secret = await refusal(file('secret.parquet', Buffer.from('PARE and so on')))
  expect(secret).toMatchObject({ message: expect.stringContaining('encrypted Parquet') as unknown })
})
