import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { engines } from '@engine/engines'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import type { Plan } from '@shared/benchmark/requests'
import { float64Variants } from '@shared/precision'
import { runCli } from './run-cli'

let folder = ''
let data = ''
let start = ''
// What is learnt about this machine must not land in the home of whoever runs the tests.
beforeAll(() => vi.stubEnv('CENTROID_LAB_CACHE_DIR', join(tmpdir(), 'centroid-lab-test-cache')))
afterAll(() => vi.unstubAllEnvs())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'centroid-lab-float64-'))
  data = table('fine.csv', rows)
  start = table('start.csv', first)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

type Row = readonly number[]

/**
 * Most rows at 0, so that nothing is centred away, and groups around (1, 1) that lie 2^-36 apart: float32 has steps of
 * 2^-24 there.
 */
const step = 2 ** -40
const near = (i: number): Row => [1 + ((i * 7) % 5) * step, 1 + ((i * 3) % 4) * step + (i % 3) * 2 ** -36]
const rows: readonly Row[] = [
  ...Array.from({ length: 70 }, (): Row => [0, 0]),
  ...Array.from({ length: 60 }, (_, i) => near(i)),
]
const first = [rows[0], near(0), near(1), near(2)]

function table(name: string, of: readonly Row[]): string {
  const path = join(folder, name)
  writeFileSync(path, `a,b\n${of.map((row) => row.join(',')).join('\n')}\n`)
  return path
}

/** Lloyd's k-means in plain float64 loops on the numbers of the file, to its fixed point. */
function reference(points: readonly Row[], centroids: readonly Row[]) {
  const distance = (a: Row, b: Row) => (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])
  const nearest = (point: Row) => {
    const distances = centroids.map((centroid) => distance(point, centroid))
    return distances.indexOf(Math.min(...distances))
  }
  const labels = points.map(nearest)
  const means = centroids.map((centroid, c) => {
    const members = points.filter((_, i) => labels[i] === c)
    const sum = (j: number) => members.reduce((total, row) => total + row[j], 0)
    return members.length === 0 ? centroid : [sum(0) / members.length, sum(1) / members.length]
  })
  if (String(means) === String(centroids)) return { labels, centroids }
  return reference(points, means)
}

async function lab(...args: readonly string[]) {
  const said = { stdout: '', stderr: '' }
  const status = await runCli(args, {
    stdout: { write: (text) => (said.stdout += text) },
    stderr: { write: (text) => (said.stderr += text) },
    signal: new AbortController().signal,
    env: {},
  })
  return { status, ...said }
}

const out = () => join(folder, 'out')
const lines = (name: string) => readFileSync(join(out(), name), 'utf8').trim().split('\n').slice(1)
const offered = engines.cpu.variants().map(({ id }) => id)
const variants = float64Variants.filter((variant) => offered.includes(variant))

describe.skipIf(offered.length === 0)('cluster --precision float64', () => {
  it.each(variants)('%s ends at the labels and centroids of plain loops in double', async (variant) => {
    const options = ['-k', '4', '--centroids', start, '--stop', 'labels', '--variant', variant, '-o', out()]
    const { status, stdout, stderr } = await lab(
      'cluster',
      data,
      ...options,
      '--precision',
      'float64',
      '--json',
    )
    expect(status, stderr).toBe(0)
    const expected = reference(rows, first)
    expect(new Set(expected.labels).size).toBe(4)
    expect(lines('labels.csv').map((line) => Number(line.split(',').at(-2)))).toEqual(expected.labels)
    const centroids = lines('centroids.csv').map((line) => line.split(',').slice(-2).map(Number))
    expect(centroids).toEqual(expected.centroids)
    expect(JSON.parse(stdout)).toMatchObject({ precision: 'float64', warnings: [], centroids })
    const run = JSON.parse(readFileSync(join(out(), 'run.json'), 'utf8')) as Record<string, object>
    expect(run).toMatchObject({ results: { precision: 'float64' }, configuration: { precision: 'float64' } })
    expect(String(run.command_line)).toContain(`--variant,${variant},--precision,float64`)
  })

  it('holds apart what float32 makes one, which is said there', async () => {
    const options = ['-k', '4', '--centroids', start, '--variant', 'sequential', '--json']
    const [coarse, fine] = [
      await lab('cluster', data, ...options),
      await lab('cluster', data, ...options, '--precision', 'float64'),
    ]
    const answers = [coarse, fine].map(
      ({ stdout }) => JSON.parse(stdout) as { sizes: number[]; precision: string; warnings: string[] },
    )
    expect(answers.map(({ precision }) => precision)).toEqual(['float32', 'float64'])
    expect(answers[0].sizes.filter((size) => size > 0)).toHaveLength(2)
    expect(answers[0].warnings.join(' ')).toContain('only 2 distinct points')
    expect(answers[1].sizes.filter((size) => size > 0)).toHaveLength(4)
    expect(answers[1].warnings).toEqual([])
  })

  it.each(['k-means++', 'k-means||', 'random', 'random-box', 'first-k'])(
    'begins by %s in float64 too',
    async (init) => {
      const fine = table('only-fine.csv', [
        ...rows.slice(70),
        ...Array.from({ length: 70 }, (): Row => [0, 0]),
      ])
      const options = ['-k', '3', '--init', init, '--variant', 'eigen', '--precision', 'float64', '--json']
      const { status, stdout, stderr } = await lab('cluster', fine, ...options)
      expect(status, stderr).toBe(0)
      const { sizes } = JSON.parse(stdout) as { sizes: number[] }
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(130)
    },
  )

  it.each([
    [
      ['--variant', 'fused'],
      "Expected sequential or eigen with precision float64 (all others work in float32 only) for variant but received 'fused'.",
    ],
    [[], "for variant but received 'auto'."],
    [
      ['--variant', 'sequential', '--engine', 'webgpu'],
      "Expected cpu with precision float64 (the others work in float32 only) for engine but received 'webgpu'.",
    ],
  ])('%j is refused in one sentence', async (options, sentence) => {
    const { status, stdout, stderr } = await lab(
      'cluster',
      data,
      '-k',
      '2',
      '--precision',
      'float64',
      ...options,
    )
    expect(status).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain(sentence)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })

  it('knows no third precision', async () => {
    const { status, stderr } = await lab('cluster', data, '-k', '2', '--precision', 'float16')
    expect([status, stderr]).toEqual([2, expect.stringContaining('one of float32, float64 for --precision')])
  })
})

describe.skipIf(offered.length === 0)('bench --precision float64', () => {
  const quick = ['-k', '3', '--repeats', '2', '--stop', 'labels', '--init', 'first-k', '--engines', 'cpu']
  const both = () => ['bench', data, ...quick, '--variants', variants.join(','), '--precision', 'float64']

  it('measures in float64, and says so in rows, tables, timings.csv and the configuration', async () => {
    const { status, stdout, stderr } = await lab(...both(), '-o', out(), '--json')
    expect(status, stderr).toBe(0)
    const { rows: measured, suite } = JSON.parse(stdout) as BenchmarkDocument
    expect(suite.config.precision).toBe('float64')
    for (const row of measured) {
      expect(row).toMatchObject({ state: 'measured', precision: 'float64' })
      expect(row.verification).toMatchObject({ agrees: true, labelAgreement: 1, centroidDifference: 0 })
    }
    for (const line of lines('timings.csv')) expect(line.split(',').slice(-2)).toEqual(['float64', 'bounded'])
    const { stdout: text } = await lab(...both())
    expect(text).toContain('; in float64; ')
    const { stdout: tables } = await lab(...both(), '--markdown')
    expect(tables).toContain('| cpu/sequential | as-studied | float64 |')
    const { stdout: coarse } = await lab('bench', data, ...quick, '--variants', 'sequential', '--markdown')
    expect(coarse).toContain('| cpu/sequential | as-studied | float32 |')
  })

  it('refuses contenders that work in float32 only, and plans the others', async () => {
    const sentence =
      'Expected only cpu/sequential, cpu/eigen and outside systems with precision float64 (all others work in float32)'
    const refused = await lab(
      'bench',
      data,
      ...quick,
      '--variants',
      'sequential,fused',
      '--precision',
      'float64',
    )
    expect(refused.status).toBe(2)
    expect(refused.stderr).toContain(`${sentence} for the contenders but received 'cpu/fused'.`)
    const planned = await lab(...both(), '--plan', '--json')
    expect((JSON.parse(planned.stdout) as Plan).cells.map(({ skipped }) => skipped)).toEqual(
      variants.map(() => null),
    )
  })
})
