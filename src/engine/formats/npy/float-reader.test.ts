import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inspect } from '@engine/csv/inspect'
import { openDataset } from '@engine/csv/open-dataset'
import { hashed, type Dataset } from '@engine/dataset/dataset'
import { FloatColumn } from '@engine/dataset/float-column'
import { preparationOf } from '@engine/dataset/preparation'
import { prepare } from '@engine/dataset/prepare'
import { loadCpuAddon } from '@engine/engines/native'
import { defaultRunConfig } from '@shared/run-config'
import { openNpy } from './npy-table'

const hasAddon = loadCpuAddon().addon?.readFloatTable !== undefined
const never = new AbortController().signal
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'float-reader-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** An array of float32 as numpy.save writes it. */
async function saved(name: string, shape: string, values: Float32Array, fortran = false): Promise<string> {
  const text = `{'descr': '<f4', 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': ${shape}, }`
  const header = Buffer.alloc(128, ' ')
  header.write('\x93NUMPY\x01\x00', 'latin1')
  header.writeUInt16LE(118, 8)
  header.write(text, 10, 'latin1')
  header.write('\n', 127, 'latin1')
  const path = join(folder, name)
  await writeFile(path, Buffer.concat([header, Buffer.from(values.buffer)]))
  return path
}

const load = (path: string, text = false) =>
  openDataset(path, {}, () => undefined, never, { text }).then(hashed)

/** Without what differs from one reading to the next. */
function facts({ receipt, columns, rows, file, numeric }: Dataset) {
  const { loadMs: _, ...rest } = receipt
  const values = numeric.map((column) => column && Array.from({ length: rows }, (_at, row) => column.at(row)))
  return { receipt: rest, columns, rows, sha256: file.sha256, values }
}

/** Three blocks of rows, the last of them short. */
const rows = 2 * 2 ** 14 + 77
const noise = (at: number) => Math.sin(at * 12.9898) * 43_758.5453
const manyValues = Float32Array.from({ length: 3 * rows }, (_, at) => {
  const [row, column] = [Math.floor(at / 3), at % 3]
  return column === 0 ? noise(row) : column === 1 ? (row % 40) / 8 - 2 : row + 1
})
const turned = Float32Array.from(
  { length: 3 * rows },
  (_, at) => manyValues[(at % rows) * 3 + Math.floor(at / rows)],
)

describe.skipIf(!hasAddon)('an array of float32', () => {
  it.each([
    ['rows', false, manyValues],
    ['columns', true, turned],
  ] as const)(
    'is read as it stands, %s behind each other, to the same table',
    async (name, fortran, values) => {
      const path = await saved(`${name}.npy`, `(${rows}, 3)`, values, fortran)
      const [fast, slow] = [await load(path), await load(path, true)]
      expect(fast.numeric.every((column) => column instanceof FloatColumn)).toBe(true)
      expect(slow.numeric.some((column) => column instanceof FloatColumn)).toBe(false)
      expect(facts(fast)).toEqual(facts(slow))
      expect(fast.columns.map(({ type }) => type)).toEqual(['numeric', 'numeric', 'identifier'])
      expect(fast.memoryBytes).toBe(12 * rows)
    },
  )

  it('makes the same points', async () => {
    const path = await saved('points.npy', `(${rows}, 3)`, manyValues)
    const config = {
      ...defaultRunConfig,
      features: ['column 1', 'column 2'],
      scaling: 'standardise',
    } as const
    const [fast, slow] = await Promise.all(
      [await load(path), await load(path, true)].map((dataset) => {
        const features = dataset.columns.slice(0, 2).map(({ name }) => name)
        return prepare(dataset, preparationOf(dataset, { ...config, features }).preparation, never)
      }),
    )
    expect(fast.x).toEqual(slow.x)
    expect(fast.maxAbs).toEqual(slow.maxAbs)
    expect(fast.meanVariance).toBe(slow.meanVariance)
  })

  it('has missing numbers and zeros without a sign as ever', async () => {
    const values = Float32Array.of(NaN, -0, 3, NaN, 5, 6, NaN, 8)
    const path = await saved('gaps.npy', '(8,)', values)
    const [fast, slow] = [await load(path), await load(path, true)]
    expect(fast.numeric[0]).toBeInstanceOf(FloatColumn)
    expect(facts(fast)).toEqual(facts(slow))
    expect(Object.is(fast.numeric[0]?.at(1), 0)).toBe(true)
    expect(fast.columns[0].missing).toBe(3)
  })

  it.each([
    ['infinite', Infinity],
    ['too large for whole numbers', 2 ** 60],
  ])('is read cell by cell where a number is %s', async (name, value) => {
    const path = await saved(`${name}.npy`, '(4,)', Float32Array.of(1, value, 2.5, 3))
    const [fast, slow] = [await load(path), await load(path, true)]
    expect(fast.numeric[0]).not.toBeInstanceOf(FloatColumn)
    expect(facts(fast)).toEqual(facts(slow))
  })

  it('tells how far it is, and ends where it is cancelled', async () => {
    const path = await saved('cancelled.npy', `(${rows}, 3)`, manyValues)
    const seen: number[] = []
    await openDataset(path, {}, ({ bytes, rows: read }) => seen.push(bytes, read), never)
    expect(seen.slice(-2)).toEqual([128 + manyValues.byteLength, rows])
    await expect(openDataset(path, {}, () => undefined, AbortSignal.abort())).rejects.toMatchObject({
      kind: 'cancelled',
    })
  })
})

describe('an array of a billion rows', () => {
  it('is looked at and read from wherever it is asked for', async () => {
    // Sparse: a file of 32 GB that takes a page on the disk.
    const path = await saved('billion.npy', '(1000000000, 8)', new Float32Array(8))
    const handle = await open(path, 'r+')
    try {
      const rowBytes = 8 * Float32Array.BYTES_PER_ELEMENT
      await handle.write(Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8.5), 0, rowBytes, 128 + 999_999_999 * rowBytes)
      const table = await openNpy(handle, path)
      expect([table.rows, table.columns.length, table.numberBytes]).toEqual([
        1e9,
        8,
        hasAddon ? 4 : undefined,
      ])
      const { first, rows: count, column } = await table.groupAt(999_999_999)
      const cells = await column(7)
      expect(first + count).toBe(1e9)
      expect(cells.numbers?.at(-1)).toBe(8.5)
      expect(cells.textAt(count - 1)).toBe('8.5')
    } finally {
      await handle.close()
    }
    const { columnar, names } = await inspect(path, {})
    expect([columnar?.rows, names.length]).toEqual([1e9, 8])
  })
})
