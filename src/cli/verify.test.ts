import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { runCli } from './run-cli'

let folder = ''

// What `auto` learns about this machine must not land in the home of whoever runs the tests.
beforeAll(() => vi.stubEnv('CENTROID_LAB_CACHE_DIR', join(tmpdir(), 'centroid-lab-test-cache')))
afterAll(() => vi.unstubAllEnvs())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'centroid-lab-verify-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const at = (...names: string[]): string => join(folder, ...names)

async function command(...args: string[]): Promise<{ status: number; out: string; said: string }> {
  let [out, said] = ['', '']
  const status = await runCli(args, {
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (said += text) },
    signal: new AbortController().signal,
    env: {},
  })
  return { status, out, said }
}

/** Clusters wine into a folder of its own; the data lie elsewhere. @returns its run.json */
async function kept(...options: string[]): Promise<string> {
  const { status, said } = await command(
    ...['cluster', 'examples/wine.csv', '-k', '4', '--scaling', 'standardise', '--n-init', '3'],
    ...[...options, '-o', at('kept')],
  )
  expect(status, said).toBe(0)
  return at('kept', 'run.json')
}

/** Changes run.json as if another run had written it. */
function edit(path: string, change: (run: Record<string, Record<string, unknown>>) => void): void {
  const run = JSON.parse(readFileSync(path, 'utf8')) as Record<string, Record<string, unknown>>
  change(run)
  writeFileSync(path, JSON.stringify(run))
}

it('says identical, with the hash that run.json has, and finds moved data by name', async () => {
  const path = await kept()
  copyFileSync('examples/wine.csv', at('kept', 'wine.csv'))
  const { status, out } = await command('verify', path, '--json')
  const { results } = JSON.parse(readFileSync(path, 'utf8')) as { results: { result_sha256: string } }
  expect(status).toBe(0)
  expect(JSON.parse(out)).toEqual({
    ...{ verdict: 'identical', differences: [], reasons: [] },
    ...{ kept_sha256: results.result_sha256, result_sha256: results.result_sha256 },
  })
  expect(results.result_sha256).toMatch(/^[0-9a-f]{64}$/)
})

it('finds data beside run.json by their contents, whatever they are called now', async () => {
  const path = await kept()
  writeFileSync(at('kept', 'another.csv'), `${readFileSync('examples/wine.csv', 'utf8')}\n`)
  copyFileSync('examples/wine.csv', at('kept', 'as received.csv'))
  const { status, out } = await command('verify', path, '--json')
  expect(status).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ verdict: 'identical' })
})

it('says it in words, and for a run.json from before the hash was kept', async () => {
  const path = await kept()
  edit(path, ({ results }) => delete results['result_sha256'])
  const { status, out } = await command('verify', path, '--data', 'examples/wine.csv')
  expect(status).toBe(0)
  expect(out).toMatch(/^Identical: .*\n/)
  expect(out).toContain('run.json has no SHA-256 of its result')
})

it('runs on another engine, and says what was not the same', async () => {
  const path = await kept('--engine', 'cpu', '--variant', 'openmp')
  edit(path, ({ results }) => (results['result_sha256'] = '0'.repeat(64)))
  const { status, out } = await command('verify', path, '--data', 'examples/wine.csv', '--engine', 'webgpu')
  expect(status).toBe(0)
  expect(out).toMatch(/^The same within the bound/)
  expect(out).toContain('- The engine was cpu and is webgpu.')
  expect(out).toContain('- The variant was openmp and is fused.')
})

it('says what differs, with exit status 1', async () => {
  const path = await kept()
  edit(path, (run) => {
    run['results']['result_sha256'] = '0'.repeat(64)
    run['results']['inertia'] = Number(run['results']['inertia']) * 2
    run['machine']['versions'] = { ...(run['machine']['versions'] as object), node: 'v1.0.0' }
  })
  const { status, out } = await command('verify', path, '--data', 'examples/wine.csv', '--json')
  const { verdict, differences, reasons } = JSON.parse(out) as {
    verdict: string
    differences: { what: string }[]
    reasons: string[]
  }
  expect([status, verdict]).toEqual([1, 'different'])
  expect(differences.map(({ what }) => what)).toEqual(['inertia'])
  expect(reasons.join()).toContain('version of node was v1.0.0')
})

it('refuses a live run whose start its file does not have', async () => {
  const path = await kept()
  edit(path, ({ results }) => (results.reused = ['points', 'clusters']))
  const { status, said } = await command('verify', path, '--data', 'examples/wine.csv')
  expect(status).toBe(2)
  expect(said).toMatch(
    /began from the clusters of the run before it, .*: run it once more with Run, and keep that\.\n$/,
  )
})

it('refuses other data, and says where it looked for the right ones', async () => {
  const path = await kept()
  const missing = await command('verify', path)
  expect([missing.status, missing.said]).toEqual([
    2,
    'The data file wine.csv is neither beside run.json, under whatever name, nor in this folder: name it by --data.\n',
  ])
  writeFileSync(at('wine.csv'), `${readFileSync('examples/wine.csv', 'utf8')}\n`)
  const other = await command('verify', path, '--data', at('wine.csv'))
  expect(other.status).toBe(2)
  expect(other.said).toMatch(/is not the file that was clustered: its SHA-256 is not [0-9a-f]{64}; .*\.\n$/)
})

it.each(['{}', 'no json', '{"format":"centroid-lab-run","version":1,"command_line":[]}'])(
  'refuses what is no run.json: %s',
  async (text) => {
    writeFileSync(at('run.json'), text)
    const { status, said } = await command('verify', at('run.json'))
    expect(status).toBe(2)
    expect(said).toMatch(/^run\.json is no run\.json that this program can use \(.*\): .*\.\n$/)
  },
)
