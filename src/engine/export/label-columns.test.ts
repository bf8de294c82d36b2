import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import zlib from 'node:zlib'
import {
  columnFromArray,
  columnFromValues,
  float16,
  float32,
  float64,
  int64,
  int8,
  tableFromColumns,
} from '@uwdata/flechette'
import { bool, dateDay, decimal, dictionary, tableToIPC, timestamp, uint64, utf8 } from '@uwdata/flechette'
import type { DataType } from '@uwdata/flechette'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { loadCpuAddon } from '@engine/engines/native'
import type { RunResult } from '@engine/run/types'
import { exportDialects } from '@shared/text-choice'
import type { RunConfig } from '@shared/run-config'
import { writeAtomically } from './atomic-file'
import { csvForm } from './csv-text'
import { writeExport } from './index'
import { writeLabelColumns } from './label-columns'
import { writeLabelsCellByCell } from './labels'
import { runOf } from './testing/run-of'

const signal = new AbortController().signal
const files = 'tests/formats/files'
const kept = mkdtempSync(join(tmpdir(), 'centroid-lab-label-columns-'))
let folder = ''

afterAll(() => rmSync(kept, { recursive: true, force: true }))
beforeEach(() => {
  folder = mkdtempSync(join(kept, 'test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Sizes {
  readonly blockCells: number
  readonly chunkRows: number
}

async function bothWays(result: RunResult, sizes: Sizes): Promise<string> {
  const Writer = loadCpuAddon().addon?.LabelColumnWriter
  if (Writer === undefined) throw new Error(loadCpuAddon().reason ?? 'The addon has no writer of columns.')
  const onProgress = () => undefined
  const [byCell, byColumn] = [join(folder, 'cells'), join(folder, 'columns')]
  for (const dialect of exportDialects) {
    const form = csvForm({ dialect, ...(dialect === 'semicolon' && { clusterNames: ['near; "by", 漢字'] }) })
    await writeAtomically(byCell, { replace: true, signal }, (sink) =>
      writeLabelsCellByCell(result, sink, signal, onProgress, form),
    )
    await writeAtomically(byColumn, { replace: true, signal }, (sink) =>
      writeLabelColumns(result, sink, { signal, onProgress, form, Writer, ...sizes }),
    )
    const what = `${dialect}, blocks of ${sizes.blockCells} cells, chunks of ${sizes.chunkRows} rows`
    expect(readFileSync(byColumn, 'latin1'), what).toBe(readFileSync(byCell, 'latin1'))
  }
  return readFileSync(byColumn, 'utf8')
}

async function inAllSizes(path: string, config: Partial<RunConfig> = {}): Promise<string> {
  const result = await runOf(path, { k: 1, missing: 'mean', ...config })
  await bothWays(result, { blockCells: 1, chunkRows: 1 })
  await bothWays(result, { blockCells: 50, chunkRows: 2 })
  return bothWays(result, { blockCells: 1 << 16, chunkRows: 100 })
}

const hasZstd = typeof zlib.zstdCompressSync === 'function'
const tables = readdirSync(files).filter(
  (name) => /\.(parquet|arrow|npy)$/.test(name) && (hasZstd || !/zstd|^kinds\.parquet/.test(name)),
)

it.each(tables)('%s has the labels.csv of its cells, byte for byte', async (name) => {
  await inAllSizes(join(files, name))
})

/** Numbers that look random and are the same in every run. */
function sequenceOf(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const oddNumbers = [
  0,
  -0,
  1,
  -1,
  0.1,
  1e21,
  1e-7,
  123456.789,
  5e-324,
  1.7976931348623157e308,
  2 ** 53,
  -(2 ** 53) - 2,
]
const noNumbers = [NaN, Infinity, -Infinity]
const oddTexts = [
  '',
  'x',
  'a,b',
  'a;b',
  'a\tb',
  'two\nlines',
  'r\rr',
  '"',
  'say "so"',
  ' outer ',
  '\u00a0',
  'é',
  '漢字',
  '😀',
]
const oddWholes = [0n, 1n, -1n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n)]

/** A table with whatever a cell may hold, as an Arrow file. */
function oddTable(next: (below: number) => number, rows: number, withNulls: boolean): Uint8Array {
  const pick = <T>(list: readonly T[]) => list[next(list.length)]
  const orNull = <T>(value: T) => (withNulls && next(4) === 0 ? null : value)
  const float = () => (next(3) === 0 ? pick(oddNumbers) : (next(2 ** 31) - 2 ** 30) / 2 ** next(60))
  const some = <T>(make: () => T) => Array.from({ length: rows }, () => orNull(make()))
  const column = <T>(make: () => T, type: DataType) => columnFromArray(some(make), type)
  return tableToIPC(
    tableFromColumns({
      x: columnFromArray(
        Array.from({ length: rows }, (_, i) => i / 8),
        float64(),
      ),
      f64: column(() => (next(6) === 0 ? pick(noNumbers) : float()), float64()),
      f32: column(() => Math.fround(float() / 3), float32()),
      f16: column(() => next(100) / 4, float16()),
      i8: column(() => next(256) - 128, int8()),
      i64: column(() => pick(oddWholes), int64()),
      u64: column(() => pick([0n, 7n, 2n ** 63n, 2n ** 64n - 1n]), uint64()),
      money: column(() => pick([0, 1.25, -99.5]), decimal(20, 2, 128)),
      yes: column(() => next(2) === 0, bool()),
      text: column(() => pick(oddTexts) + pick(oddTexts), utf8()),
      code: column(() => pick(oddTexts), dictionary(utf8())),
      plain: column(() => `word ${next(9)}`, utf8()),
      day: column(() => new Date(86_400_000 * (next(40_000) - 20_000)), dateDay()),
      time: column(() => new Date(next(2 ** 31) * 700), timestamp(1)),
      never: columnFromValues(
        Array.from({ length: rows }, () => null),
        float64(),
      ),
    }),
    { format: 'file' },
  )!
}

it.each([true, false])(
  'tables of odd cells have it too, in blocks of all sizes; nulls: %s',
  async (withNulls) => {
    for (let seed = 1; seed <= 20; seed++) {
      const next = sequenceOf(seed)
      const path = join(folder, 'odd.arrow')
      writeFileSync(path, oddTable(next, 40 + next(80), withNulls))
      const missing = next(2) === 0 ? 'mean' : 'drop'
      const result = await runOf(path, { k: 1 + next(3), features: withNulls ? ['x'] : ['x', 'i8'], missing })
      await bothWays(result, { blockCells: 1 + next(4000), chunkRows: 1 + next(50) })
    }
  },
)

/** A NumPy array of version 1.0. */
function npy(descr: string, fortran: boolean, shape: string, values: ArrayBufferView): Uint8Array {
  const header = `{'descr': '${descr}', 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': (${shape}), }\n`
  const head = Buffer.from(`\x93NUMPY\x01\x00  ${header}`, 'latin1')
  head.writeUInt16LE(header.length, 8)
  return Buffer.concat([head, Buffer.from(values.buffer, values.byteOffset, values.byteLength)])
}

it.each([
  ['<f8', Float64Array],
  ['<f4', Float32Array],
  ['<i2', Int16Array],
  ['|u1', Uint8Array],
  ['<u4', Uint32Array],
] as const)('arrays of %s have it too, row by row and in the order of Fortran', async (descr, Kind) => {
  // All columns are features, and the largest number would be too large for one.
  const odd = [...oddNumbers.filter((value) => value < 1e300), ...noNumbers, 0.3, 100, 7, 1, 2]
  const cells = Array.from({ length: 300 }, (_, i) => (descr.includes('f') ? odd[i % odd.length] : i * 37))
  const values = Kind.from(cells)
  for (const fortran of [false, true]) {
    const path = join(folder, `odd-${fortran}.npy`)
    writeFileSync(path, npy(descr, fortran, '100, 3', values))
    await inAllSizes(path)
  }
})

it('whole numbers of 64 bits in an array keep all their digits', async () => {
  const path = join(folder, 'wholes.npy')
  writeFileSync(path, npy('<i8', false, '7, 2', BigInt64Array.from([...oddWholes, ...oddWholes])))
  expect(await inAllSizes(path)).toContain('9223372036854775807')
})

const large = (): Uint8Array => {
  const numbers = Float64Array.from({ length: 80_000 }, (_, i) => (i * 7919) % 1013)
  return npy('<f8', false, '40000, 2', numbers)
}

it('tells how far it is', async () => {
  const path = join(folder, 'large.npy')
  writeFileSync(path, large())
  const seen: number[] = []
  const onProgress = (rows: number) => seen.push(rows)
  const target = join(folder, 'labels.csv')
  await writeExport(await runOf(path, { k: 3 }), 'labels', target, { replace: false, signal, onProgress })
  expect(seen.at(-1)).toBe(40_000)
})

it('leaves nothing when it is cancelled, or its source is not the same any more', async () => {
  const path = join(folder, 'large.npy')
  writeFileSync(path, large())
  const result = await runOf(path, { k: 3 })
  const target = join(folder, 'labels.csv')
  const controller = new AbortController()
  const stop = { replace: false, signal: controller.signal, onProgress: () => controller.abort() }
  await expect(writeExport(result, 'labels', target, stop)).rejects.toMatchObject({ kind: 'cancelled' })
  const other = large()
  other[other.length - 100] ^= 1
  for (const bytes of [other, large().subarray(0, 400_000)]) {
    writeFileSync(path, bytes)
    const write = writeExport(result, 'labels', target, { replace: false, signal })
    await expect(write).rejects.toMatchObject({ code: 'export.source-changed', kind: 'io' })
  }
  rmSync(path)
  const write = writeExport(result, 'labels', target, { replace: false, signal })
  await expect(write).rejects.toMatchObject({ code: 'export.source-missing' })
  expect(readdirSync(folder)).toEqual([])
})

it('refuses what does not lie within its arrays', () => {
  const Writer = loadCpuAddon().addon?.LabelColumnWriter
  if (Writer === undefined) throw new Error('The addon has no writer of columns.')
  const rows = {
    ...{ x: new Float32Array(4), d: 1, labels: new Int32Array(4), centroids: new Float64Array(1), scale: 1 },
    ...{ names: null, leftOut: new Uint32Array(0), pointRows: null },
  }
  const writer = new Writer(rows, { separator: ',', mark: '.', chunkRows: 2 })
  const out = new Uint8Array(500)
  const values = new Float64Array(4)
  const texts = Buffer.from('abc')
  const wrong = [
    { values, first: 1, step: 1, missing: null },
    { values, first: 0, step: 2, missing: null },
    { values, first: 0, step: 1, missing: new Uint8Array(3) },
    { texts, ends: Uint32Array.of(1, 2, 3) },
    { texts, ends: Uint32Array.of(1, 2, 3, 4) },
    { texts, ends: Uint32Array.of(1, 3, 2, 3) },
  ]
  for (const column of wrong) expect(() => writer.write([column], 4, 1, 0, out)).toThrow()
})
