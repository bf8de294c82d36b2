import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { approximateVariants, canonicalEngines } from '@shared/approximate'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import type { ResultJson } from '@shared/result-json'
import { runCli } from './run-cli'

let folder = ''
let blobs = ''

async function lab(...args: string[]) {
  const said = { stdout: '', stderr: '' }
  const status = await runCli(args, {
    stdout: { write: (text) => (said.stdout += text) },
    stderr: { write: (text) => (said.stderr += text) },
    signal: new AbortController().signal,
    env: {},
  })
  return { status, ...said }
}

const clustered = async (...options: string[]) => {
  const { status, stdout, stderr } = await lab('cluster', blobs, '-k', '4', '--json', ...options)
  expect(status, stderr).toBe(0)
  return JSON.parse(stdout) as ResultJson
}

const batch = ['--variant', 'mini-batch']

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'centroid-lab-mini-batch-'))
  vi.stubEnv('CENTROID_LAB_CACHE_DIR', join(folder, 'cache'))
  blobs = join(folder, 'blobs.csv')
  const { status } = await lab('generate', 'blobs', '-n', '30000', '-k', '4', '-d', '3', '-o', blobs)
  expect(status).toBe(0)
})

afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

it('every variant that is offered as inexact is known as approximate', async () => {
  const { stdout } = await lab('engines', '--json')
  const { engines } = JSON.parse(stdout) as {
    engines: { id: string; variants: { id: string; exact: boolean; grade: string }[] }[]
  }
  const offered = engines.flatMap(({ id: engine, variants }) => variants.map((each) => ({ ...each, engine })))
  expect(offered.filter(({ exact }) => !exact).map(({ id }) => id)).toEqual(approximateVariants)
  for (const { id, engine, exact, grade } of offered) {
    const expected = exact ? 'bounded' : 'approximate'
    const isCanonical = id === 'fused' && canonicalEngines.includes(engine)
    expect(grade, id).toBe(isCanonical ? 'canonical' : expected)
  }
})

describe('cluster --variant mini-batch', () => {
  it('comes near the clusters of all points, the same each time, and says that it is approximate', async () => {
    const exact = await clustered()
    const one = await clustered(...batch)
    expect(one).toMatchObject({ variant: 'mini-batch', grade: 'approximate', deterministic: true })
    expect(exact.grade).toBe(exact.variant === 'fused' ? 'canonical' : 'bounded')
    expect(one.inertia).toBeGreaterThanOrEqual(exact.inertia)
    expect(one.inertia).toBeLessThan(1.05 * exact.inertia)
    expect(one.sizes.reduce((sum, size) => sum + size, 0)).toBe(30_000)
    const again = await clustered(...batch)
    expect({ ...again, timings: null }).toEqual({ ...one, timings: null })
    const { stdout } = await lab('cluster', blobs, '-k', '4', ...batch)
    expect(stdout).toContain('variant mini-batch, float32, APPROXIMATE')
  })

  it('keeps a history without what nobody counted', async () => {
    const { stdout } = await lab('cluster', blobs, '-k', '4', ...batch, '--history', '--json')
    const { history } = JSON.parse(stdout) as { history: Record<string, number | null>[] }
    expect(history.length).toBeGreaterThan(1)
    for (const row of history) expect(row).toMatchObject({ inertia: null, changed: null })
    expect(history.every(({ max_shift: shift }) => shift !== null)).toBe(true)
  })

  it.each([
    [['--stop', 'labels'], "for stop but received 'labels'"],
    [['--stop', 'inertia'], "for stop but received 'inertia'"],
    [['--empty', 'farthest'], "for empty but received 'farthest'"],
  ])('refuses %s, which needs all points in an iteration', async (options, sentence) => {
    const { status, stderr } = await lab('cluster', blobs, '-k', '4', ...batch, ...options)
    expect(status).toBe(2)
    expect(stderr).toContain(sentence)
    expect(stderr).toContain('looks at a few points in an iteration')
  })
})

describe('bench with mini-batch', () => {
  const bench = ['-k', '4', '--variants', 'sequential,mini-batch', '--repeats', '2', '--engines', 'cpu']

  it('has its time, marked, and no speed-up over exact ones', async () => {
    const out = join(folder, 'times')
    const { status, stdout, stderr } = await lab('bench', blobs, ...bench, '-o', out, '--json')
    expect(status, stderr).toBe(0)
    const { rows } = JSON.parse(stdout) as BenchmarkDocument
    expect(rows.map(({ state }) => state)).toEqual(['measured', 'approximate'])
    expect(rows[1].verification).toMatchObject({
      agrees: false,
      reason: expect.stringMatching(/^Approximate/),
    })
    const timings = readFileSync(join(out, 'timings.csv'), 'utf8').trim().split('\n').slice(1)
    expect(timings.map((line) => line.split(',').at(-1))).toEqual(['bounded', 'approximate'])
    expect(readFileSync(join(out, 'speedups.csv'), 'utf8')).toMatch(/,mini-batch,\n/)
    const { stdout: text } = await lab('bench', blobs, ...bench, '--markdown')
    expect(text).toContain('cpu/mini-batch (approximate)')
  })

  it('is skipped with its reason under a rule that it has no answer to', async () => {
    const { stdout } = await lab('bench', blobs, ...bench, '--stop', 'labels', '--json')
    const { rows } = JSON.parse(stdout) as BenchmarkDocument
    expect(rows.map(({ state }) => state)).toEqual(['measured', 'skipped'])
    expect(rows[1].reason).toContain('with mini-batch, which looks at a few points in an iteration')
  })
})
