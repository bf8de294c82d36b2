import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDataset } from '@engine/csv/open-dataset'
import { sourceCells } from '@engine/csv/testing/source-cells'
import type { Dataset } from '@engine/dataset/dataset'
import { prepare } from '@engine/dataset/prepare'
import { runKmeans } from '@engine/run/run-kmeans'
import { defaultSpecOf, type GeneratorFormat, type GeneratorSpec } from '@shared/generator'
import { defaultRunConfig } from '@shared/run-config'
import { loadCpuAddon } from '../engines/native'
import { generateDataset, generatePoints, writeGenerated } from './index'
import { nativeRows } from './native-rows'
import { writeNumber } from './row-text'

const never = new AbortController().signal
const shapes = ['uniform', 'blobs', 'rings', 'moons'] as const

function values(spec: GeneratorSpec, block = spec.n): Float64Array {
  const points = generatePoints(spec)
  const all = new Float64Array(spec.n * spec.d)
  for (let first = 0; first < spec.n; first += block) {
    const count = Math.min(block, spec.n - first)
    points.values(first, count, all.subarray(first * spec.d))
  }
  return all
}

function feature(all: Float64Array, d: number, j: number): number[] {
  return Array.from({ length: all.length / d }, (_, i) => all[i * d + j])
}

const mean = (list: readonly number[]) => list.reduce((a, b) => a + b, 0) / list.length
const deviation = (list: readonly number[]) => {
  const centre = mean(list)
  return Math.sqrt(mean(list.map((value) => (value - centre) ** 2)))
}

describe('generated points', () => {
  it.each(shapes)('of %s are the same rows however the work is cut', (shape) => {
    const spec = { ...defaultSpecOf(shape), n: 301, d: 7, noise: 0.1, duplicates: 0.3, imbalance: 0.4 }
    const whole = values(spec)
    for (const block of [1, 7, 128]) expect(values(spec, block)).toEqual(whole)
    expect(values({ ...spec, seed: 2 })).not.toEqual(whole)
  })

  it('keep the rows they had in every release', () => {
    const rows = shapes.map((shape) => [...values({ ...defaultSpecOf(shape), n: 5 })])
    expect(rows).toMatchInlineSnapshot(`
      [
        [
          15.778148,
          74.89277,
          74.920269,
          58.279013,
          96.385635,
          14.568427,
          73.880682,
          58.03402,
          43.597877,
          45.510023,
        ],
        [
          73.39168,
          41.479706,
          17.82827,
          40.52056,
          85.641219,
          76.119504,
          52.090247,
          83.932203,
          49.864054,
          86.87228,
        ],
        [
          57.91682,
          92.681459,
          50.158654,
          18.621463,
          5.07284,
          40.41002,
          44.607966,
          64.219741,
          60.258871,
          60.071893,
        ],
        [
          42.44223,
          21.931707,
          13.450921,
          74.016705,
          67.716919,
          8.475513,
          50.74894,
          80.099486,
          58.894078,
          55.451881,
        ],
      ]
    `)
  })

  it('fill the region evenly', () => {
    const all = values({ ...defaultSpecOf('uniform'), n: 40_000, width: 200, height: 10 })
    const [x, y] = [feature(all, 2, 0), feature(all, 2, 1)]
    expect(mean(x)).toBeCloseTo(100, -0.5)
    expect(deviation(x)).toBeCloseTo(200 / Math.sqrt(12), -0.1)
    expect(Math.min(...y)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...y)).toBeLessThan(10)
    expect(deviation(y)).toBeCloseTo(10 / Math.sqrt(12), 1)
  })

  it('scatter a blob by its spread, normally in every feature', () => {
    const all = values({ ...defaultSpecOf('blobs'), n: 40_000, d: 5, k: 1, spread: 0.03, width: 1000 })
    for (let j = 0; j < 5; j++) {
      const x = feature(all, 5, j)
      const [centre, spread] = [mean(x), deviation(x)]
      expect(Math.abs(spread - 30)).toBeLessThan(0.5)
      const within = x.filter((value) => Math.abs(value - centre) < spread).length / x.length
      expect(Math.abs(within - 0.6827)).toBeLessThan(0.01)
    }
  })

  it('give blobs sizes that fall geometrically under imbalance', () => {
    const spec = { ...defaultSpecOf('blobs'), n: 35_000, k: 3, spread: 0, imbalance: 0.5 }
    const counts = new Map<string, number>()
    const all = values(spec)
    for (let i = 0; i < spec.n; i++) {
      const key = `${all[2 * i]} ${all[2 * i + 1]}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    const sizes = [...counts.values()].sort((a, b) => b - a)
    expect(sizes).toHaveLength(3)
    ;[20_000, 10_000, 5_000].forEach((size, i) => expect(Math.abs(sizes[i] - size)).toBeLessThan(400))
  })

  it('place the stated share of noise anywhere, and repeat the stated share exactly', () => {
    const n = 20_000
    const still = values({ ...defaultSpecOf('blobs'), n, k: 1, spread: 0, noise: 0.2 })
    const centre = feature(still, 2, 0).sort((a, b) => a - b)[n >> 1]
    const noisy = feature(still, 2, 0).filter((x) => x !== centre).length / n
    expect(Math.abs(noisy - 0.2)).toBeLessThan(0.015)

    const x = feature(values({ ...defaultSpecOf('uniform'), n, width: 1e6, duplicates: 0.3 }), 2, 0)
    const repeated = 1 - new Set(x).size / n
    expect(Math.abs(repeated - 0.3)).toBeLessThan(0.015)
  })

  it('lie on k concentric rings, and on two half circles', () => {
    const flat = { n: 3000, spread: 0, width: 200, height: 200 }
    const rings = values({ ...defaultSpecOf('rings'), ...flat, k: 4 })
    const radii = feature(rings, 2, 0).map((x, i) => Math.hypot(x - 100, rings[2 * i + 1] - 100))
    for (const radius of radii) expect(Math.abs(radius - 25 * Math.round(radius / 25))).toBeLessThan(1e-4)
    expect(new Set(radii.map((radius) => Math.round(radius / 25)))).toEqual(new Set([1, 2, 3, 4]))

    const moons = values({ ...defaultSpecOf('moons'), ...flat, width: 300, height: 150 })
    for (let i = 0; i < flat.n; i++) {
      const [x, y] = [moons[2 * i], moons[2 * i + 1]]
      const upper = Math.abs(Math.hypot(x - 100, y - 50) - 100) < 1e-4 && y > 49.9
      const lower = Math.abs(Math.hypot(x - 200, y - 100) - 100) < 1e-4 && y < 100.1
      expect(upper || lower).toBe(true)
    }
  })

  it.each([
    [{ n: 0 }, 'The number of points must be a whole number from 1 to 1099511627776, but it is 0.'],
    [
      { shape: 'moons', d: 1 },
      'The number of features of moons must be a whole number from 2 to 10000, but it is 1.',
    ],
    [
      { n: 3, k: 4 },
      'The number of clusters must be a whole number from 1 to 3, the number of points, but it is 4.',
    ],
    [{ width: -1 }, 'The width must be a number from 0.000001 to 1000000000000, but it is -1.'],
    [{ imbalance: 1 }, 'The imbalance must be a number from 0 to below 1, but it is 1.'],
    [{ seed: NaN }, 'The seed must be a whole number from 0 to 9007199254740991.'],
  ] as const)('refuse %j in one sentence', (wrong, sentence) => {
    expect(() => generatePoints({ ...defaultSpecOf('blobs'), ...wrong })).toThrow(sentence)
  })
})

describe('generated data', () => {
  let folder: string
  beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'generate-'))))
  afterAll(() => rm(folder, { recursive: true }))

  const write = (spec: GeneratorSpec, format: GeneratorFormat, name: string, signal = never) =>
    writeGenerated(spec, {
      format,
      path: join(folder, name),
      replace: false,
      signal,
      onRows: () => undefined,
    })
  const numbers = ({ numeric }: Dataset) =>
    numeric.map((column) => column && Array.from({ length: column.length }, (_, row) => column.at(row)))

  it.each([
    { shape: 'uniform', n: 3000, d: 2 },
    { shape: 'uniform', n: 1, d: 1 },
    { shape: 'uniform', n: 700, d: 3, width: 1e12, height: 1e-6 },
    { shape: 'blobs', n: 220, d: 150, k: 7, width: 1e-3, noise: 0.1 },
    { shape: 'rings', n: 500, d: 3, k: 3, height: 3 },
    { shape: 'moons', n: 201, d: 2, spread: 5, duplicates: 0.4 },
  ] as const)('in memory is what reading the written file gives: %j', async (chosen) => {
    const spec = { ...defaultSpecOf(chosen.shape), ...chosen }
    const name = `${spec.shape}-${spec.n}-${spec.d}.csv`
    const { bytes } = await write(spec, 'csv', name)
    const read = await openDataset(join(folder, name), {}, () => undefined, never)
    const made = await generateDataset(spec, never)
    expect(read.file.bytes).toBe(bytes)
    expect(numbers(made)).toEqual(numbers(read))
    expect(made.columns).toEqual(read.columns)
    const notOfFile = { loadMs: 0, reader: undefined }
    expect({ ...made.receipt, ...notOfFile }).toEqual({ ...read.receipt, ...notOfFile })
  })

  it.each([
    { d: 1, seed: 2 ** 40 + 3, first: 0 },
    { d: 5, seed: 7, first: 123 },
    { d: 8, seed: 2 ** 53 - 1, first: 2 ** 32 - 40_000 },
  ])('from the addon has the very numbers of a single thread: %j', async ({ d, seed, first }) => {
    const spec = { ...defaultSpecOf('uniform'), n: 2 ** 33, d, seed, width: 1e3 }
    const points = generatePoints(spec)
    const expected = new Float64Array(50_000 * d)
    points.values(first, 50_000, expected)
    const found = new Float64Array(expected.length)
    await nativeRows(spec, points)?.(first, found)
    const isBuilt = loadCpuAddon().addon?.uniformRows !== undefined
    expect(found.findIndex((value, at) => !Object.is(value, expected[at]))).toBe(isBuilt ? -1 : 0)
  })

  it('opens in the headed format with its k proposed', async () => {
    await write({ ...defaultSpecOf('rings'), n: 50, k: 4 }, 'headed', 'rings.txt')
    const read = await openDataset(join(folder, 'rings.txt'), {}, () => undefined, never)
    expect(read.receipt.dialect.format).toBe('headed')
    expect([read.rows, read.columns.length, read.receipt.proposedK]).toEqual([50, 2, 4])
  })

  it('leaves no file behind when it is cancelled, and replaces none unasked', async () => {
    const spec = { ...defaultSpecOf('uniform'), n: 100 }
    await write(spec, 'csv', 'there.csv')
    const before = await readFile(join(folder, 'there.csv'))
    await expect(write(spec, 'csv', 'there.csv')).rejects.toMatchObject({ code: 'export.exists' })
    const stop = new AbortController()
    const late = writeGenerated(
      { ...spec, n: 1e9 },
      {
        format: 'csv',
        path: join(folder, 'late.csv'),
        replace: false,
        signal: stop.signal,
        onRows: () => stop.abort(),
      },
    )
    await expect(late).rejects.toMatchObject({ kind: 'cancelled' })
    expect(await readFile(join(folder, 'there.csv'))).toEqual(before)
    expect((await readdir(folder)).filter((name) => /late|tmp/.test(name))).toEqual([])
  })

  it('made in memory can be prepared and clustered; what needs the file says that there is none', async () => {
    const dataset = await generateDataset({ ...defaultSpecOf('blobs'), n: 500, k: 3, spread: 0.01 }, never)
    const preparation = { features: [0, 1], missing: 'drop', scaling: 'standardise' } as const
    expect((await prepare(dataset, preparation, never)).n).toBe(500)
    const config = { ...defaultRunConfig, k: 3, engine: 'cpu', variant: 'sequential', nInit: 3 } as const
    const { record } = await runKmeans(
      dataset,
      config,
      { phase: () => undefined, iterations: () => undefined },
      never,
    )
    expect(record.clusters.reduce((sum, { size }) => sum + size, 0)).toBe(500)
    await expect(sourceCells(dataset, [0], never)).rejects.toThrow(
      'blobs-500x2-k3-seed1 was generated in memory and has no file to read cells from',
    )
  })

  it('refuses more than fits into memory before it starts', async () => {
    const huge = { ...defaultSpecOf('uniform'), n: 1e12, d: 10 }
    await expect(generateDataset(huge, never)).rejects.toMatchObject({ code: 'generate.memory' })
  })

  it.each([
    [0, 6, '0'],
    [-12_500_000, 6, '-12.5'],
    [1, 14, '0.00000000000001'],
    [999_999_999_999_999, 14, '9.99999999999999'],
    [123_456_789_012, 0, '123456789012'],
    [100_000_000, 6, '100'],
  ])('writes %d at %d decimals as %s', (steps, decimals, text) => {
    const out = new Uint8Array(20)
    expect(Buffer.from(out.subarray(0, writeNumber(steps, decimals, out, 0))).toString()).toBe(text)
  })
})
