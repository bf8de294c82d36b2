import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import zlib from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDataset, previewFile } from '@engine/csv/open-dataset'
import { sourceCells } from '@engine/csv/testing/source-cells'
import { hashed, type Dataset } from '@engine/dataset/dataset'
import { writeExport } from '@engine/export'
import { runOf } from '@engine/export/testing/run-of'

const signal = new AbortController().signal
const iris = readFileSync('examples/iris.csv')
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'centroid-lab-formats-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, bytes: Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

const load = (path: string): Promise<Dataset> => openDataset(path, {}, () => undefined, signal).then(hashed)
const refusal = (path: string) => load(path).catch((thrown: unknown) => thrown)

async function labelled(path: string, k = 2): Promise<string> {
  const target = join(folder, `labels of ${path.slice(folder.length + 1)}`)
  await writeExport(await runOf(path, { k }), 'labels', target, { replace: true, signal })
  return readFileSync(target, 'utf8')
}

const numbersOf = ({ numeric, rows }: Dataset) =>
  numeric.map((column) => Array.from({ length: rows }, (_, row) => column?.at(row)))

const hasZstd = typeof zlib.zstdCompressSync === 'function'
const large = Buffer.from(
  `a,b,name\n${Array.from({ length: 30_000 }, (_, i) => `${i % 991}.25,${(i * 7) % 1009},n ${i}\n`).join('')}`,
)

describe('compressed text', () => {
  const ways: [string, string, (text: Uint8Array) => Uint8Array][] = [
    ['gzip', 'gz', (text) => zlib.gzipSync(text)],
    [
      'gzip in two parts',
      'gz',
      (text) => Buffer.concat([zlib.gzipSync(text.subarray(0, 100)), zlib.gzipSync(text.subarray(100))]),
    ],
    ['Zstandard', 'zst', (text) => zlib.zstdCompressSync(text)],
  ]
  it.each(ways)('by %s is the table that it holds', async (name, ending, pack) => {
    if (name === 'Zstandard' && !hasZstd) return
    for (const text of [iris, large, Buffer.from('\ufeffx;y\r\n1,5;2\r\n3;4\r\n9;\r\n', 'utf16le')]) {
      const plain = file('data.csv', text)
      const packed = file(`data.csv.${ending}`, pack(text))
      const [expected, dataset] = [await load(plain), await load(packed)]
      expect(dataset.columns).toEqual(expected.columns)
      expect(numbersOf(dataset)).toEqual(numbersOf(expected))
      const { loadMs: _, reader, ...receipt } = dataset.receipt
      expect(reader?.kind).toBe('text')
      expect(expected.receipt).toMatchObject(receipt)
      const bytes = readFileSync(packed)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      expect(dataset.file).toMatchObject({ bytes: bytes.length, sha256, name: `data.csv.${ending}` })
      expect((await sourceCells(dataset, [1], signal))[0].cells).toEqual(
        (await sourceCells(expected, [1], signal))[0].cells,
      )
      expect((await previewFile(packed, {})).sample).toEqual((await previewFile(plain, {})).sample)
      expect(await labelled(packed)).toBe(await labelled(plain))
    }
  })

  it('that is cut off or damaged is refused in one sentence', async () => {
    const packed = zlib.gzipSync(large)
    const sentence = /^The gzip file .*data\.csv\.gz is damaged or cut off: fetch or compress it again\.$/
    for (const length of [5, 30, packed.length - 3]) {
      const thrown = await refusal(file('data.csv.gz', packed.subarray(0, length)))
      expect(thrown).toMatchObject({ kind: 'input', message: expect.stringMatching(sentence) as unknown })
    }
    packed[packed.length >> 1] ^= 0xff
    expect(await refusal(file('data.csv.gz', packed))).toMatchObject({ code: 'csv.damaged-archive' })
  })

  it('that holds no table is refused as what it is', async () => {
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3, 10])
    const thrown = await refusal(file('picture.gz', zlib.gzipSync(png)))
    expect(thrown).toMatchObject({ message: expect.stringContaining('a PNG image') as unknown })
  })

  it('is not exported when it is another file by now', async () => {
    const path = file('data.csv.gz', zlib.gzipSync(large))
    const result = await runOf(path, { k: 2 })
    writeFileSync(path, zlib.gzipSync(large.toString().replace('n 77', 'm 77')))
    const write = writeExport(result, 'labels', join(folder, 'l.csv'), { replace: false, signal })
    await expect(write).rejects.toMatchObject({ code: 'export.source-changed' })
  })
})

/** A .npy file as numpy.save writes it. */
function npy(descr: string, shape: string, values: Uint8Array, fortran = false, version = 1): Buffer {
  const dictionary = `{'descr': ${descr}, 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': ${shape}, }`
  const head = version === 1 ? 10 : 12
  const length = Math.ceil((head + dictionary.length + 1) / 64) * 64 - head
  const begin = Buffer.alloc(head)
  begin.write('\x93NUMPY', 'latin1')
  begin[6] = version
  if (version === 1) begin.writeUInt16LE(length, 8)
  else begin.writeUInt32LE(length, 8)
  return Buffer.concat([begin, Buffer.from(`${dictionary.padEnd(length - 1)}\n`), values])
}

const bytesOfArray = ({ buffer }: { readonly buffer: ArrayBufferLike }) => new Uint8Array(buffer)
const swapped = (array: { readonly buffer: ArrayBufferLike }) => Buffer.from(bytesOfArray(array)).swap64()

describe('a NumPy array', () => {
  const rows = [
    [0.1, -2],
    [1e-300, 5],
    [123456.789, 7],
  ]
  const values = Float64Array.from(rows.flat())
  const columns = rows[0].map((_, j) => rows.map((row) => row[j]))
  const turned = Float64Array.from(columns.flat())

  it.each([
    ['in the order of C', npy("'<f8'", '(3, 2)', bytesOfArray(values))],
    ['in the order of Fortran', npy("'<f8'", '(3, 2)', bytesOfArray(turned), true)],
    ['with the high byte first', npy("'>f8'", '(3, 2)', swapped(values))],
    ['of version 2', npy("'<f8'", '(3, 2)', bytesOfArray(values), false, 2)],
    ['of version 3, Fortran, high byte first', npy("'>f8'", '(3, 2)', swapped(turned), true, 3)],
  ])('%s has every number exactly', async (_, bytes) => {
    const dataset = await load(file('array.npy', bytes))
    expect(numbersOf(dataset)).toEqual(columns)
    expect(dataset.columns.map(({ name, type }) => [name, type])).toEqual([
      ['column 1', 'numeric'],
      ['column 2', 'numeric'],
    ])
    expect(dataset.receipt.evidence.delimiter).toMatchObject({ overridden: false, doubtful: false })
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect(dataset.file).toMatchObject({ bytes: bytes.length, sha256 })
  })

  const kinds: [string, { readonly buffer: ArrayBufferLike }, number[]][] = [
    ["'<f4'", Float32Array.of(0.1, 3.5, -7), [Math.fround(0.1), 3.5, -7]],
    ["'|i1'", Int8Array.of(-128, 127, 3), [-128, 127, 3]],
    ["'|u1'", Uint8Array.of(0, 255, 3), [0, 255, 3]],
    ["'<i2'", Int16Array.of(-32768, 32767, 3), [-32768, 32767, 3]],
    ["'<u2'", Uint16Array.of(0, 65535, 3), [0, 65535, 3]],
    ["'<i4'", Int32Array.of(-(2 ** 31), 2 ** 31 - 1, 3), [-(2 ** 31), 2 ** 31 - 1, 3]],
    ["'<u4'", Uint32Array.of(0, 2 ** 32 - 1, 3), [0, 2 ** 32 - 1, 3]],
    ["'<i8'", BigInt64Array.of(-(2n ** 40n), 2n ** 53n, 3n), [-(2 ** 40), 2 ** 53, 3]],
    ["'<u8'", BigUint64Array.of(0n, 2n ** 52n, 3n), [0, 2 ** 52, 3]],
    ["'|b1'", Uint8Array.of(0, 1, 1), [0, 1, 1]],
  ]
  it.each(kinds)('of one dimension and type %s is a column', async (descr, array, numbers) => {
    const dataset = await load(file('array.npy', npy(descr, '(3,)', bytesOfArray(array))))
    expect(numbersOf(dataset)).toEqual([numbers])
  })

  it('of three whole numbers alone is no headed table', async () => {
    const array = Int32Array.of(1, 1, 1, 5)
    expect((await load(file('array.npy', npy("'<i4'", '(4,)', bytesOfArray(array))))).rows).toBe(4)
  })

  it('has rows with missing values left out, and labels.csv has them all', async () => {
    const array = Float64Array.of(1, 2, NaN, 3, 4, -Infinity, 50, 60, 70, 80)
    const path = file('array.npy', npy("'<f8'", '(5, 2)', bytesOfArray(array)))
    const dataset = await load(path)
    expect(dataset.columns.map(({ missing }) => missing)).toEqual([1, 1])
    expect(dataset.receipt.infiniteCells).toBe(1)
    expect(dataset.receipt.notes.join()).toContain('Row 3')
    const lines = (await labelled(path)).split('\n')
    expect(lines[0]).toBe('column 1,column 2,cluster,distance')
    expect(lines.slice(1, 4).map((line) => line.replace(/,\d+,[\d.]+$/, ''))).toEqual([
      '1,2',
      'NaN,3,,',
      '4,-Infinity,,',
    ])
  })

  it('of many blocks is the same in labels.csv as in memory, in either order', async () => {
    const [n, d] = [40_000, 3]
    const array = Float64Array.from({ length: n * d }, (_, i) => Math.sin(i) * 1000)
    const other = Float64Array.from({ length: n * d }, (_, i) => array[(i % n) * d + Math.floor(i / n)])
    const shape = `(${n}, ${d})`
    const c = await labelled(file('c.npy', npy("'<f8'", shape, bytesOfArray(array))))
    const fortran = await labelled(file('f.npy', npy("'<f8'", shape, bytesOfArray(other), true)))
    expect(fortran).toBe(c)
    const read = c
      .trimEnd()
      .split('\n')
      .slice(1)
      .flatMap((line) => line.split(',').slice(0, d).map(Number))
    expect(Float64Array.from(read)).toEqual(array)
  })

  const six = new Uint8Array(48)
  it.each([
    [npy("'<f8'", '(1, 2, 3)', six), 'holds an array of 3 dimensions: save rows and columns'],
    [npy("'<f8'", '()', six), 'holds a single value'],
    [npy("'<f8'", '(0, 3)', six), 'holds no values'],
    [npy("'<c16'", '(3,)', six), 'holds values of the type <c16, which are not read'],
    [npy("'|O'", '(3,)', six), 'holds values of the type |O'],
    [npy("[('a', '<f8')]", '(6,)', six), 'holds records of several fields'],
    [npy("'<f8'", '(7,)', six), 'is damaged or cut off'],
    [npy("'<f8'", '(6,)', six).subarray(0, 40), 'is damaged or cut off'],
    [Buffer.from('\x93NUMPY', 'latin1'), 'is damaged or cut off'],
  ])('that is no plain table is refused in one sentence: %#', async (bytes, sentence) => {
    const thrown = await refusal(file('array.npy', bytes))
    expect(thrown).toMatchObject({
      kind: 'input',
      code: 'csv.npy',
      message: expect.stringContaining(sentence) as unknown,
    })
  })
})

it('a workbook is refused in a sentence that says how to save it as CSV', async () => {
  const thrown = await refusal(file('book.xlsx', Buffer.from('PK\x03\x04 and so on', 'latin1')))
  const message =
    /it looks like a workbook \(xlsx, ods\) or a ZIP archive: save the sheet as CSV in the spreadsheet program/
  expect(thrown).toMatchObject({ code: 'csv.not-text', message: expect.stringMatching(message) as unknown })
})
