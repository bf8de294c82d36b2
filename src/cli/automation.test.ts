import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { commands } from './arguments'
import { runCli } from './run-cli'

let folder = ''

beforeAll(async () => {
  vi.stubEnv('CENTROID_LAB_CACHE_DIR', join(tmpdir(), 'centroid-lab-test-cache'))
  folder = mkdtempSync(join(tmpdir(), 'centroid-lab-automation-'))
  const iris = ['cluster', 'examples/iris.csv', '-k', '3', '--engine', 'cpu', '-o', join(folder, 'run')]
  expect((await command(iris)).status).toBe(0)
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

async function command(args: readonly string[], signal = new AbortController().signal) {
  let [out, said] = ['', '']
  const status = await runCli(args, {
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (said += text) },
    signal,
    env: {},
  })
  return { status, out, said }
}

const run = () => join(folder, 'run', 'run.json')

/** Every command that answers in numbers, with little to do; `completions` and `manual` answer in text that other programs read. */
const asked: Readonly<Record<Exclude<(typeof commands)[number], 'completions' | 'manual'>, () => string[]>> =
  {
    cluster: () => ['examples/iris.csv', '-k', '3', '--engine', 'cpu'],
    scan: () => ['examples/iris.csv', '--k-min', '2', '--k-max', '3', '--n-init', '1', '--engine', 'cpu'],
    judge: () => ['examples/iris.csv', '--labels', 'species'],
    predict: () => ['examples/iris.csv', '--model', run()],
    verify: () => [run(), '--data', 'examples/iris.csv'],
    generate: () => ['blobs', '-n', '20', '-o', join(folder, 'made.csv'), '--force'],
    bench: () => [
      'examples/iris.csv',
      '-k',
      '2',
      '--variants',
      'cpu/fused',
      '--repeats',
      '1',
      '--outside',
      'none',
    ],
    engines: () => [],
  }

describe.each(Object.entries(asked))('%s', (name, args) => {
  it('answers --json with one object on one line, and status 0', { timeout: 60_000 }, async () => {
    const { status, out, said } = await command([name, ...args(), '--json'])
    expect(status, said).toBe(0)
    expect(out.endsWith('\n')).toBe(true)
    const answer: unknown = JSON.parse(out)
    expect(typeof answer === 'object' && answer !== null && !Array.isArray(answer)).toBe(true)
    expect(out.trim().split('\n')).toHaveLength(1)
  })

  it('refuses an option that there is none of with status 2, a sentence and no output', async () => {
    const { status, out, said } = await command([name, ...args(), '--no-such-option'])
    expect([status, out]).toEqual([2, ''])
    expect(said).toMatch(/no-such-option.*\n$/)
  })
})

it.each(['cluster', 'scan', 'judge', 'predict', 'verify', 'generate'] as const)(
  '%s that is cancelled ends with status 130 and without output',
  async (name) => {
    const before = readdirSync(folder).sort()
    const { status, out } = await command([name, ...asked[name]()], AbortSignal.abort())
    expect([status, out]).toEqual([130, ''])
    expect(readdirSync(folder).sort()).toEqual(before)
  },
)

it.each([['completions', 'bash'], ['completions', 'zsh'], ['completions', 'fish'], ['manual']])(
  '%s %s answers text that names every command, with status 0',
  async (...args) => {
    const { status, out } = await command(args)
    expect(status).toBe(0)
    for (const name of commands) expect(out).toContain(name)
  },
)
