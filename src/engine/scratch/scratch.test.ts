import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openDataset } from '@engine/csv/open-dataset'
import { runKmeans } from '@engine/run/run-kmeans'
import { defaultRunConfig, type RunConfig } from '@shared/run-config'
import type * as memoryModule from '../memory'
import { limitNames, memoryLimit, parseSize } from '../memory'
import { inMemory, roomFor } from './room'
import { scratchRefusal } from './scratch-file'
import { scratchVariable } from './scratch-variable'

const memory = vi.hoisted(() => ({ free: Number.POSITIVE_INFINITY }))
vi.mock('../memory', async (original) => ({
  ...(await original<typeof memoryModule>()),
  freeBytes: () => memory.free,
}))

const never = new AbortController().signal
const silent = { phase: () => undefined, iterations: () => undefined }
const rows = 300_000
let folder: string
let file: string

// Not in the system's folder for temporary files, which may lie in memory.
beforeAll(async () => {
  await mkdir(resolve('.native'), { recursive: true })
  folder = await mkdtemp(resolve('.native', 'scratch-test-'))
  process.env[scratchVariable] = folder
  file = join(folder, 'points.csv')
  const cell = (at: number) =>
    (Math.sin(at * 12.9898) * 43758.5453 + (at % 4) * 1e5).toFixed(at % 3 === 0 ? 2 : 9)
  const lines = Array.from({ length: rows }, (_, i) => `${cell(4 * i)},${cell(4 * i + 1)},${cell(4 * i + 2)}`)
  await writeFile(file, `a,b,c\n${lines.join('\n')}\n`)
})
afterEach(() => {
  memory.free = Number.POSITIVE_INFINITY
  delete process.env[limitNames.memory]
})
afterAll(async () => {
  delete process.env[scratchVariable]
  await rm(folder, { recursive: true, force: true })
})

async function clusteredWith(free: number, config: Partial<RunConfig> = {}) {
  memory.free = free
  const dataset = await openDataset(file, {}, () => undefined, never)
  const asked = { ...defaultRunConfig, engine: 'cpu', k: 6, ...config } as const
  return await runKmeans(dataset, asked, silent, never)
}

describe('data beyond memory', () => {
  it.each([
    ['k-means++', {}],
    ['k-means||', { init: 'k-means||', variant: 'openmp' }],
    ['standardised', { scaling: 'standardise', init: 'random' }],
    ['sequential in float64', { variant: 'sequential', precision: 'float64', engine: 'cpu' }],
  ] as const)('give the same result as in memory, to the last bit: %s', async (_, config) => {
    const plain = await clusteredWith(Number.POSITIVE_INFINITY, config)
    const far = await clusteredWith(rows * 9, config)
    expect(plain.points.location.in).toBe('memory')
    expect(far.points.location.in).toBe('scratch')
    expect(far.labels).toEqual(plain.labels)
    expect(far.centroids).toEqual(plain.centroids)
    expect(far.record.inertia).toBe(plain.record.inertia)
    expect(far.points.x).toEqual(plain.points.x)
  })

  it('are said to lie in a scratch file, where and why, in the import and in the run', async () => {
    const { dataset, record } = await clusteredWith(rows * 9)
    const why = /lie in a scratch file in .*scratch-test.*, because only 3 MiB of memory are free/
    expect(dataset.receipt.notes).toContainEqual(expect.stringMatching(why))
    expect(dataset.receipt.findings).toContain('in a scratch file')
    expect(record.warnings).toContainEqual(
      expect.stringMatching(/^The points \(4 MiB\) lie in a scratch file/),
    )
  })

  it('hold texts too, as they are in memory', async () => {
    const words = join(folder, 'words.csv')
    const lines = Array.from({ length: rows }, (_, i) => `${i % 977},w${i % 250},${i % 2 ? 'yes' : 'no'}`)
    await writeFile(words, `a,b,c\n${lines.join('\n')}\n`)
    const read = async (free: number) => {
      memory.free = free
      const { categories = [], receipt } = await openDataset(words, {}, () => undefined, never)
      const rowsOf = categories.map(
        (column) => column && Array.from({ length: rows }, (_, row) => column.at(row)),
      )
      return { rows: rowsOf, where: receipt.findings }
    }
    const far = await read(rows * 9)
    expect(far.where).toContain('in a scratch file')
    expect(far.rows).toEqual((await read(Number.POSITIVE_INFINITY)).rows)
    await rm(words)
  })

  it('leave no file behind that has a name', async () => {
    await clusteredWith(rows * 9)
    expect(await readdir(folder)).toEqual(['points.csv'])
  })

  it('are refused where not even their labels would lie in memory', async () => {
    await expect(clusteredWith(rows * 4)).rejects.toThrow(
      /points\.csv would need about .* but 2 MiB of memory are free and 3 MiB of it must lie in memory/,
    )
  })
})

describe('a scratch file', () => {
  it('takes what does not fit into memory with what follows', () => {
    const need = { what: 'The columns', bytes: 100, follows: 50, beside: 10 }
    expect(roomFor(need, 160)).toBe(inMemory)
    expect(roomFor(need, 159)).toMatchObject({ location: 'scratch' })
    expect(roomFor(need, 9)).toEqual({ refusal: '1 MiB of it must lie in memory' })
  })

  it('is refused where the disk has too little room, and where the folder lies in memory itself', () => {
    expect(scratchRefusal(2 ** 62)).toMatch(/^the disk of the scratch folder .* has .* left$/)
    expect(scratchRefusal(1, '/dev/shm')).toBe('the scratch folder /dev/shm lies in memory itself')
    vi.unstubAllEnvs()
  })
})

describe('a limit of memory', () => {
  it.each([
    ['512M', 2 ** 29],
    ['4g', 2 ** 32],
    ['1.5 GiB', 1.5 * 2 ** 30],
    ['300000000', 300_000_000],
  ])('%s is a size', (text, bytes) => {
    expect(parseSize(text, 'it')).toBe(bytes)
  })

  it.each(['', 'much', '-1G', '0', '4X'])("'%s' is none", (text) => {
    expect(() => parseSize(text, '--memory-limit')).toThrow(
      /Expected a size such as 512M or 4G for --memory-limit/,
    )
  })

  it('is at least what the program itself needs', () => {
    process.env[limitNames.memory] = '100M'
    expect(() => memoryLimit()).toThrow(/at least 256 MiB for the memory limit/)
  })
})
