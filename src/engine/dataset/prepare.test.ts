import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MissingPolicy, Scaling } from '@shared/dataset'
import { openDataset } from '../csv/open-dataset'
import type { Dataset } from './dataset'
import { fileRow } from './file-row'
import { prepare, resolveFeatures } from './prepare'
import type { PreparedPoints } from './prepared'

const never = new AbortController().signal
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prepare-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function table(text: string): Promise<Dataset> {
  const path = join(folder, `${Math.random().toString(36).slice(2)}.csv`)
  await writeFile(path, text)
  return await openDataset(path, {}, () => undefined, never)
}

async function points(
  dataset: Dataset,
  scaling: Scaling = 'none',
  missing: MissingPolicy = 'drop',
): Promise<PreparedPoints> {
  const features = resolveFeatures(dataset, null).map(({ index }) => index)
  return await prepare(dataset, { features, scaling, missing }, never)
}

/** Rows of scaled data, about the origin the points have: engine values times the power of two. */
function scaled({ x, n, d, exponent }: PreparedPoints): number[][] {
  return Array.from({ length: n }, (_, i) =>
    [...x.subarray(i * d, (i + 1) * d)].map((v) => v * 2 ** exponent),
  )
}

/** Columns of the scaled data. */
function columns(prepared: PreparedPoints): number[][] {
  const rows = scaled(prepared)
  return rows[0].map((_, j) => rows.map((row) => row[j]))
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length
const deviation = (values: readonly number[]) =>
  Math.sqrt(mean(values.map((value) => (value - mean(values)) ** 2)))

const gaps = 'a,b\n1,10\n,20\n3,?\n8,40\n'

describe('missing cells', () => {
  it('drop leaves out the rows and says which', async () => {
    const prepared = await points(await table(gaps))
    expect(prepared.n).toBe(2)
    expect([...(prepared.rows ?? [])]).toEqual([0, 3])
    expect([...prepared.leftOutRows]).toEqual([1, 2])
    expect(prepared.droppedRows).toBe(2)
    expect([...(prepared.toFile(prepared.x, 2) ?? [])]).toEqual([1, 10, 8, 40])
  })

  it('mean and median fill the cells of a column', async () => {
    const dataset = await table(gaps)
    const byMean = await points(dataset, 'none', 'mean')
    expect(byMean.rows).toBeNull()
    expect(byMean.filledCells).toBe(2)
    expect([...(byMean.transform.fill ?? [])]).toEqual([4, expect.closeTo(70 / 3, 5)])
    const byMedian = await points(dataset, 'none', 'median')
    expect([...(byMedian.transform.fill ?? [])]).toEqual([3, 20])
    expect([...(byMedian.toFile(byMedian.x, 4) ?? [])]).toEqual([1, 10, 3, 20, 3, 20, 8, 40])
  })

  it('refuse names the row of the file and the column', async () => {
    const dataset = await table(gaps)
    await expect(points(dataset, 'none', 'refuse')).rejects.toMatchObject({
      code: 'prepare.missing',
      message: expect.stringContaining("Row 3, column 'a'"),
    })
  })

  it('a gap in every row leaves no usable row', async () => {
    await expect(points(await table('a,b\n1,\n,2\n3,\n,5\n'))).rejects.toMatchObject({
      code: 'prepare.no-rows',
    })
  })

  it('a gap in a column that is no feature costs no row', async () => {
    const dataset = await table(gaps)
    const prepared = await prepare(dataset, { features: [0], missing: 'drop', scaling: 'none' }, never)
    expect(prepared.n).toBe(3)
  })
})

describe('scaling', () => {
  const text = 'a,b,c\n1,100,5\n2,300,5\n4,200,5\n9,800,5\n'

  it('none keeps differences in units of the file', async () => {
    const [a, b] = columns(await points(await table(text)))
    expect(a.map((value) => value - a[0])).toEqual([0, 1, 3, 8])
    expect(b.map((value) => value - b[0])).toEqual([0, 200, 100, 700])
  })

  it('standardise gives mean 0 and variance 1, and the mean variance says so', async () => {
    const prepared = await points(await table(text), 'standardise')
    for (const column of columns(prepared)) {
      expect(mean(column)).toBeCloseTo(0, 6)
      expect(deviation(column)).toBeCloseTo(1, 6)
    }
    expect(prepared.meanVariance).toBeCloseTo(1, 6)
    expect(prepared.totalSumOfSquares).toBeCloseTo(8, 5)
  })

  it('min-max brings each feature to 0..1', async () => {
    const [a, b] = columns(await points(await table(text), 'min-max'))
    expect([Math.min(...a), Math.max(...a), Math.min(...b), Math.max(...b)]).toEqual([0, 1, 0, 1])
  })

  it('robust divides the distance from the median by the quartile range', async () => {
    const [a] = columns(await points(await table(text), 'robust'))
    // Quartiles 1.75, 3, 5.25 as NumPy interpolates them.
    expect(a).toEqual([-2 / 3.5, -1 / 3.5, 1 / 3.5, 6 / 3.5].map((value) => expect.closeTo(value, 6)))
  })

  it.each(['standardise', 'min-max', 'robust'] as const)(
    '%s divides a constant feature by 1',
    async (scaling) => {
      const dataset = await table(text)
      const prepared = await prepare(dataset, { features: [0, 2], missing: 'drop', scaling }, never)
      expect(columns(prepared)[1]).toEqual([0, 0, 0, 0])
      const file = prepared.toFile(prepared.x, 4) ?? []
      expect([file[1], file[3], file[5], file[7]]).toEqual([5, 5, 5, 5])
    },
  )

  it('a column that is constant only among the usable rows is constant', async () => {
    const dataset = await table('a,b\n0.1,1\n0.1,2\n0.1,3\n7,\n')
    const prepared = await points(dataset, 'standardise')
    expect(columns(prepared)[0]).toEqual([0, 0, 0])
  })

  it('unit length divides rows of the own values by their norm and leaves a zero row at zero', async () => {
    const prepared = await points(await table('a,b\n3,4\n0,0\n1000006,0\n-5,12\n'), 'unit-length')
    const { offset, step } = prepared.transform
    const sphere = Array.from(prepared.x, (value, at) => offset[at % 2] + step[at % 2] * value)
    const expected = [0.6, 0.8, 0, 0, 1, 0, -5 / 13, 12 / 13]
    expect(sphere).toEqual(expected.map((value) => expect.closeTo(value, 6)))
    expect(prepared.toFile(prepared.x, 4)).toBeNull()
    const again = prepared.toEngine(Float64Array.of(6, 8, -10, 24), 2)
    expect([...again]).toEqual([...prepared.x.slice(0, 2), ...prepared.x.slice(6)])
  })
})

describe('engine units', () => {
  it.each(['none', 'standardise', 'min-max', 'robust', 'unit-length'] as const)(
    'the largest magnitude lies in [0.5, 1) under %s',
    async (scaling) => {
      const prepared = await points(await table('a,b\n1,2\n5,1000\n-3,4\n7,0.001\n'), scaling)
      const largest = Math.max(...prepared.x.map(Math.abs))
      expect(largest).toBeGreaterThanOrEqual(0.5)
      expect(largest).toBeLessThan(1)
      expect([...prepared.maxAbs]).toEqual(
        columns(prepared).map((column) => Math.max(...column.map(Math.abs)) * 2 ** -prepared.exponent),
      )
    },
  )

  it('all points equal are zeros', async () => {
    const dataset = await table('a\n7.3\n7.3\n7.3\n')
    const prepared = await prepare(dataset, { features: [0], missing: 'drop', scaling: 'none' }, never)
    expect([...prepared.x]).toEqual([0, 0, 0])
    expect(prepared.totalSumOfSquares).toBe(0)
    expect([...(prepared.toFile(prepared.x, 3) ?? [])]).toEqual([7.3, 7.3, 7.3])
  })

  it('a large offset costs no digit', async () => {
    const values = [1600000005, 1599999995, 1600000000.25, 1600000001]
    const prepared = await points(await table(`t\n${values.join('\n')}\n`))
    expect([...(prepared.toFile(prepared.x, 4) ?? [])]).toEqual(values)
    expect(prepared.toEngine(Float64Array.from(values), 4)).toEqual(prepared.x)
  })

  it.each(['1e300', '1e-300'])('numbers of the size %s come back and are standardised', async (size) => {
    const unit = Number(size)
    const text = `a,b\n${[1, 2, 4].map((value) => `${value * unit},${value}`).join('\n')}\n`
    const dataset = await table(text)
    const plain = await prepare(dataset, { features: [0], missing: 'drop', scaling: 'none' }, never)
    expect((plain.toFile(plain.x, 3) ?? [])[2] / unit).toBeCloseTo(4, 6)
    const [a, b] = columns(await points(dataset, 'standardise'))
    expect(a).toEqual(b.map((value) => expect.closeTo(value, 6)))
  })

  it('numbers at the end of float64 are computed with or refused, never NaN', async () => {
    const dataset = await table('a\n1.7e308\n-1.7e308\n1e308\n0\n')
    const outcome = await points(dataset, 'standardise').then(
      (prepared) => [...(prepared.toFile(prepared.x, 4) ?? [])].every(Number.isFinite),
      (error: unknown) => (error as { code: string }).code === 'prepare.magnitude',
    )
    expect(outcome).toBe(true)
  })

  it('says the spread in units of the scaled data', async () => {
    const prepared = await points(await table('a,b\n1,10\n3,30\n'))
    expect(prepared.totalSumOfSquares).toBe(2 + 200)
    expect(prepared.meanVariance).toBe((1 + 100) / 2)
  })

  it('means of members are in units of the file', async () => {
    const prepared = await points(await table('a,b\n1,10\n3,30\n8,5\n'))
    const means = await prepared.memberMeans(Int32Array.of(0, 0, 2), 3, new AbortController().signal)
    expect([...means]).toEqual([2, 20, NaN, NaN, 8, 5])
  })

  it('means of members of very many rows stop when nobody wants them any more', async () => {
    const prepared = await points(await table(`a\n${'1\n2\n'.repeat(4e5)}`))
    const controller = new AbortController()
    const labels = new Int32Array(8e5)
    // More than one slice of work, whatever the machine.
    const means = Promise.all(
      Array.from({ length: 20 }, () => prepared.memberMeans(labels, 1, controller.signal)),
    )
    setImmediate(() => controller.abort())
    await expect(means).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('stops when asked to', async () => {
    const control = new AbortController()
    control.abort()
    const dataset = await table(gaps)
    const preparing = prepare(dataset, { features: [0], missing: 'drop', scaling: 'none' }, control.signal)
    await expect(preparing).rejects.toMatchObject({ code: 'cancelled' })
  })
})

describe('features', () => {
  const text = 'name,a,b\nx,1,2\ny,2,3\ny,5,1\n'

  it('are the proposed columns, or those named, in the order asked for', async () => {
    const dataset = await table(text)
    expect(resolveFeatures(dataset, null).map(({ name }) => name)).toEqual(['a', 'b'])
    expect(resolveFeatures(dataset, ['b', 'a']).map(({ index }) => index)).toEqual([2, 1])
  })

  it.each([
    [['c'], 'features.unknown', "'name', 'a', 'b'"],
    [['a', 'name'], 'features.not-numeric', "'a', 'b'"],
    [['a', 'a'], 'features.twice', "'a'"],
    [[], 'features.none', "'a', 'b'"],
  ])('%j is refused with the columns there are', async (names, code, message) => {
    const dataset = await table(text)
    expect(() => resolveFeatures(dataset, names)).toThrow(expect.objectContaining({ code }))
    expect(() => resolveFeatures(dataset, names)).toThrow(message)
  })
})

describe('row numbers', () => {
  it('count the header, blank lines and rows left out', async () => {
    const dataset = await table('a,b\n1,2\n\n3,4\n5\n6,7\n8,9,10\n\n11,12\n1,1\n')
    expect(Array.from({ length: dataset.rows }, (_, row) => fileRow(dataset, row))).toEqual([2, 4, 6, 9, 10])
  })

  it('are plain where nothing is left out', () => {
    const plain = { firstRecord: 4, leftOutRecords: new Uint32Array(), blankRecords: new Uint32Array() }
    expect(fileRow(plain, 0)).toBe(4)
    expect(fileRow(plain, 99)).toBe(103)
  })
})
