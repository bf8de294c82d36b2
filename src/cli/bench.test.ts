import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { suiteOf } from '@engine/benchmark/testing/fakes'
import type { BenchmarkDocument } from '@shared/benchmark/document'
import type { Plan } from '@shared/benchmark/requests'
import type { Suite } from '@shared/benchmark/suite'
import { runCli } from './run-cli'

let folder = ''
// What is learnt about this machine must not land in the home of whoever runs the tests.
beforeAll(() => vi.stubEnv('CENTROID_LAB_CACHE_DIR', join(tmpdir(), 'centroid-lab-test-cache')))
afterAll(() => vi.unstubAllEnvs())
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'centroid-lab-bench-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Said {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** @param hear what is said on standard error, as it is said */
async function bench(args: readonly string[], controller = new AbortController(), hear = (_: string) => {}) {
  const said = { stdout: '', stderr: '' }
  const status = await runCli(['bench', ...args], {
    stdout: { write: (text) => (said.stdout += text) },
    stderr: {
      isTTY: true,
      columns: 200,
      write: (text) => {
        said.stderr += text
        hear(text)
      },
    },
    signal: controller.signal,
    env: {},
  })
  return { status, ...said } satisfies Said
}

const iris = ['examples/iris.csv', '-k', '2,3', '--variants', 'sequential,fused', '--engines', 'cpu']
const quick = ['--repeats', '2', '--stop', 'labels', '--init', 'first-k']

describe('bench', () => {
  it('compares on a data file: plan first, then times, speed-ups and agreement', async () => {
    const { status, stdout, stderr } = await bench([...iris, ...quick])
    expect(status).toBe(0)
    expect(stderr).toMatch(
      /cpu\/fused +2 of 2[^]*4 of 4 cells run; expected time about [^]*known only afterwards\.\n/,
    )
    expect(stdout).toMatch(/^iris\.csv\n.*\nConfiguration: start first k rows; stop when no label changes/)
    expect(stdout).toMatch(/speed-ups over cpu\/sequential/)
    expect(stdout).toMatch(/iris\.csv +150 +4 +3 +cpu\/fused +tiled +2 .* 100 % +0 +measured\n/)
  })

  it('reads data files as cluster does, and refuses that where none is read', async () => {
    const file = join(folder, 'comma.txt')
    const rows = ['0,5 0,25', '0,75 0,5', '9,5 9,25', '9,75 9,5']
    writeFileSync(file, `${rows.join('\n')}\n`)
    const read = ['--delimiter', 'space', '--decimal', ',', '--no-header']
    const only = ['-k', '2', '--variants', 'fused', '--engines', 'cpu']
    const { status, stdout } = await bench([file, ...only, ...quick, ...read, '--json'])
    expect(status).toBe(0)
    const { rows: measured, suite } = JSON.parse(stdout) as BenchmarkDocument
    expect(measured).toMatchObject([{ n: 4, d: 2, state: 'measured' }])
    expect(suite.cases[0].dataset).toMatchObject({
      overrides: { delimiter: ' ', decimal: ',', header: false },
    })
    const refused = await bench(['di-dio-table', '--plan', '--no-header'])
    expect(refused.status).toBe(2)
    expect(refused.stderr).toMatch(/a data file to read/)
  })

  it('tells what is left out of the data, where cluster does and in every file that is read', async () => {
    const file = join(folder, 'rough.csv')
    const rows = Array.from({ length: 40 }, (_, i) => `${i},${i % 7 || 'inf'},${i} kg,"1,${100 + i}"`)
    writeFileSync(file, `x,y,mass,price\n${rows.join('\n')}\n`)
    const out = join(folder, 'out')
    const only = ['-k', '2', '--variants', 'sequential,fused', '--engines', 'cpu', '-o', out]
    const { status, stderr } = await bench([file, ...only, ...quick])
    expect(status).toBe(0)
    const why = 'missing values in the selected columns, the first in row 2.'
    const leftOut = `rough.csv: 6 rows of the file were left out: ${why}`
    expect(stderr).toContain(`Warning: ${leftOut}\n`)
    expect(stderr).toMatch(/Warning: rough\.csv: .*mass/)
    const document = JSON.parse(readFileSync(join(out, 'benchmark.json'), 'utf8')) as BenchmarkDocument
    const [{ dataset, warnings } = { dataset: '', warnings: [] }] = document.dataWarnings ?? []
    expect(dataset).toBe('rough.csv')
    const said = { stdout: '', stderr: '' }
    const io = { stdout: { write: (text: string) => (said.stdout += text) }, stderr: { write: () => '' } }
    const { signal } = new AbortController()
    await runCli(['cluster', file, '-k', '2', '--json'], { ...io, signal, env: {} })
    const clustered = JSON.parse(said.stdout) as { readonly warnings: readonly string[] }
    expect(clustered.warnings).toEqual(warnings)
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain(leftOut)
    const again = await bench(['--resume', join(out, 'benchmark.json'), '--markdown'])
    expect(again.stdout).toContain(leftOut)
    expect(again.stderr).toContain(leftOut)
  })

  it('refuses more clusters than points as wrong use, before anything is written', async () => {
    const out = join(folder, 'out')
    const only = ['--variants', 'fused', '--engines', 'cpu', '-o', out]
    const { status, stdout, stderr } = await bench(['examples/iris.csv', '-k', '151,200', ...only])
    expect(status).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain('k is 151 but iris.csv has only 150 points: choose a smaller k.\n')
    expect(readdirSync(folder)).toEqual([])
  })

  it('gives the contender that has workers as many as were asked for, and says so', async () => {
    const contenders = ['examples/iris.csv', '-k', '3', '--variants', 'partial-sums,sequential']
    const args = [...contenders, '--engines', 'cpu,webgpu', '--workers', '7', ...quick]
    const { status, stdout, stderr } = await bench([...args, '--json'])
    expect(status, stderr).toBe(0)
    const { suite, rows } = JSON.parse(stdout) as BenchmarkDocument
    expect(suite.config.workers).toBe(7)
    expect(rows.map(({ contender, state }) => [contender, state])).toEqual([
      ['webgpu/partial-sums', 'measured'],
      ['cpu/sequential', 'measured'],
    ])
    expect((await bench(args)).stdout).toContain('; workers 7 (partial-sums); ')
    const refused = await bench(['examples/iris.csv', '-k', '3', '--variants', 'fused', '--workers', '7'])
    expect(refused.status).toBe(2)
    expect(refused.stderr).toContain('Expected partial-sums, which alone has workers to number,')
  })

  it('says in one object what benchmark.json holds, and writes the tables', async () => {
    const out = join(folder, 'new', 'out')
    const { status, stdout } = await bench([...iris, ...quick, '--json', '-o', out, '--timing', 'phases'])
    expect(status).toBe(0)
    const names = ['benchmark.json', 'report.html', 'speedups.csv', 'timings.csv', 'timings.xlsx']
    expect(readdirSync(out).toSorted()).toEqual(names)
    const { files, ...document } = JSON.parse(stdout) as BenchmarkDocument & { files: readonly string[] }
    expect(files.toSorted()).toEqual(names.map((name) => join(out, name)))
    expect(JSON.parse(readFileSync(join(out, 'benchmark.json'), 'utf8'))).toEqual(document)
    expect(document).toMatchObject({ state: 'done', suite: { repeats: 2, baseline: 'cpu/sequential' } })
    expect(document.rows.map(({ k, contender, totalsMs }) => [k, contender, totalsMs.length])).toEqual([
      [2, 'cpu/sequential', 2],
      [2, 'cpu/fused', 2],
      [3, 'cpu/sequential', 2],
      [3, 'cpu/fused', 2],
    ])
    const ours = {
      regime: 'tiled',
      regimeReason: expect.stringMatching(/^[A-Z].*\.$/),
      phasesRegime: 'tiled',
    }
    const studied = { regime: 'as-studied', phasesRegime: 'as-studied' }
    expect(document.rows).toMatchObject([studied, ours, studied, ours])
    const timings = readFileSync(join(out, 'timings.csv'), 'utf8').split('\n')
    expect(timings[0]).toContain(',variant,regime,iterations,')
    expect(timings[2]).toContain(',fused,tiled,')
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toMatch(/<td title="[^"]+">tiled<\/td>/)
    const again = await bench([...iris, '-o', out])
    expect(again.status).toBe(2)
    expect(again.stderr).toMatch(/timings\.csv already exists: add --force[^\n]*\.\n$/)
    expect((await bench([...iris, ...quick, '-o', out, '--force'])).status).toBe(0)
  })

  it('is cancelled with the finished rows kept, and goes on from there', async () => {
    const out = join(folder, 'out')
    const controller = new AbortController()
    const long = [...'examples/iris.csv -k 2,3 --variants cpu/sequential --stop none'.split(' ')]
    const endless = [...long, '--max-iterations', '200000', '--repeats', '2', '-o', out]
    const secondCase = (text: string) => text.includes('k = 3') && controller.abort()
    const cancelled = await bench(endless, controller, secondCase)
    expect(cancelled.status).toBe(130)
    expect(cancelled.stdout).toBe('')
    const path = join(out, 'benchmark.json')
    expect(cancelled.stderr).toMatch(
      /Cancelled: 1 of 2 rows were finished, resume with [^\n]*--resume [^\n]*\.\n$/,
    )
    expect(readdirSync(out)).toEqual(['benchmark.json'])
    const first = JSON.parse(readFileSync(path, 'utf8')) as BenchmarkDocument
    expect(first.state).toBe('cancelled')

    const resumed = await bench(['--resume', path, '--json'])
    expect(resumed.status).toBe(0)
    const document = JSON.parse(resumed.stdout) as BenchmarkDocument
    expect(document.rows.map(({ k }) => k)).toEqual([2, 3])
    expect(document.rows[0]).toEqual(first.rows[0])
    const shown = await bench([path, '--markdown'])
    expect(shown.stdout).toMatch(/^## iris\.csv\n[^]*\| iris\.csv \| 150 \| 4 \| 3 \|/)
  })

  it('goes on with a benchmark.json of before regimes were kept', async () => {
    const out = join(folder, 'out')
    const path = join(out, 'benchmark.json')
    await bench([...iris, ...quick, '-o', out])
    const { rows, ...rest } = JSON.parse(readFileSync(path, 'utf8')) as BenchmarkDocument
    const [first] = rows.map(({ regime: _, regimeReason: _why, phasesRegime: _fine, ...row }) => row)
    writeFileSync(path, JSON.stringify({ ...rest, rows: [first] }))
    const { status, stdout } = await bench(['--resume', path])
    expect(status).toBe(0)
    expect(stdout).toMatch(/ 2 +cpu\/sequential +- +2 /)
    expect(stdout).toMatch(/ 2 +cpu\/fused +tiled +2 /)
    const lines = readFileSync(join(out, 'timings.csv'), 'utf8').split('\n')
    expect(lines.slice(1, 3).map((line) => line.split(',').slice(6, 8))).toEqual([
      ['sequential', ''],
      ['fused', 'tiled'],
    ])
  })

  it('with every row finished shows the same tables and files again, and says so', async () => {
    const out = join(folder, 'out')
    const path = join(out, 'benchmark.json')
    const begun = await bench([...iris, ...quick, '-o', out])
    const files = readdirSync(out)
    const tables = () => ['timings.csv', 'speedups.csv'].map((name) => readFileSync(join(out, name), 'utf8'))
    const document = () => JSON.parse(readFileSync(path, 'utf8')) as BenchmarkDocument
    const [written, kept] = [tables(), document()]
    const again = await bench(['--resume', path])
    expect(again).toEqual({ ...begun, stderr: expect.any(String) })
    expect(again.stderr).toMatch(/Every row of this comparison \(4\) was finished already/)
    expect(again.stderr).not.toContain('0 of 0')
    expect(readdirSync(out)).toEqual(files)
    expect(tables()).toEqual(written)
    expect(document()).toEqual(kept)
    const elsewhere = join(folder, 'elsewhere')
    await bench(['--resume', path, '-o', elsewhere])
    expect(readdirSync(elsewhere)).toEqual(files)
    const planned = await bench(['--resume', path, '--plan'])
    expect(planned.stdout).toMatch(/^Every row of this comparison \(4\) was finished already[^\n]+\.\n$/)
  })

  it('cannot go on with what is no comparison: what it is, and what to name', async () => {
    const run = join(folder, 'run')
    const status = await runCli(['cluster', 'examples/iris.csv', '-k', '3', '-o', run], {
      stdout: { write: () => true },
      stderr: { write: () => true },
      signal: new AbortController().signal,
      env: {},
    })
    expect(status).toBe(0)
    const record = await bench(['--resume', join(run, 'run.json')])
    expect(record.status).toBe(2)
    expect(record.stderr).toMatch(
      /run\.json is the record of one clustering and no comparison: choose a benchmark\.json/,
    )
    const begun = {
      ...suiteOf([]),
      contenders: [{ kind: 'outside', system: 'scipy' }],
      baseline: 'outside/scipy',
    }
    writeFileSync(join(folder, 'suite.json'), JSON.stringify(begun))
    const suite = await bench(['--resume', join(folder, 'suite.json')])
    expect(suite.status).toBe(2)
    expect(suite.stderr).toMatch(/suite\.json is a suite that was not begun: name the benchmark\.json/)
  })

  it('a contender that ended the program twice is not tried again', async () => {
    const out = join(folder, 'out')
    const path = join(out, 'benchmark.json')
    await bench([...iris, ...quick, '-o', out])
    const done = JSON.parse(readFileSync(path, 'utf8')) as BenchmarkDocument
    writeFileSync(path, JSON.stringify({ ...done, state: 'running', rows: [] }))
    const cell = { dataset: 'iris.csv', k: 2, contender: 'cpu/fused' }
    writeFileSync(join(out, `${done.id}.running.json`), JSON.stringify({ cell, deaths: 1 }))
    const { status, stdout } = await bench(['--resume', path, '--json'])
    expect(status).toBe(0)
    const { rows } = JSON.parse(stdout) as BenchmarkDocument
    expect(rows.map(({ state }) => state)).toEqual(['measured', 'failed', 'measured', 'measured'])
    expect(readdirSync(out)).not.toContain(`${done.id}.running.json`)
  })

  it('plans and ends; what this machine lacks is skipped with its reason', async () => {
    const args = ['di-dio-table', '--scale', '0.02', '--engines', 'cpu', '--plan']
    const { status, stdout } = await bench([...args, '--json', '--variants', 'sequential,cuda:9/fused'])
    expect(status).toBe(0)
    const { cells } = JSON.parse(stdout) as Plan
    expect(cells).toHaveLength(12)
    expect(
      cells.every(({ contender, skipped }) => (skipped === null) === (contender === 'cpu/sequential')),
    ).toBe(true)
    expect((await bench(args)).stdout).toMatch(
      /2048 points, scale 0\.02, at least 500 for k = 500 +500 +2 +256 +cpu\/sequential/,
    )
  })

  it('takes the k of each headed file of a folder, -k for all, and names the file that has none', async () => {
    const headed = (k: number) => `4\n2\n${k}\n0 0\n0 1\n9 9\n9 8\n`
    writeFileSync(join(folder, 'a.txt'), headed(2))
    writeFileSync(join(folder, 'b.txt'), headed(3))
    const planned = async (...more: string[]) => {
      const args = [folder, '--variants', 'sequential', '--engines', 'cpu', '--plan', '--json', ...more]
      const { status, stdout, stderr } = await bench(args)
      if (status !== 0) return { status, stdout, stderr }
      return (JSON.parse(stdout) as Plan).cells.map(({ dataset, k }) => [dataset, k])
    }
    expect(await planned()).toEqual([['a.txt', 2], ['b.txt', 3]]) // prettier-ignore
    expect(await planned('-k', '4')).toEqual([['a.txt', 4], ['b.txt', 4]]) // prettier-ignore
    writeFileSync(join(folder, 'c.csv'), 'x,y\n1,2\n3,4\n')
    expect(await planned()).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/c\.csv names no k.* -k/),
    })
  })

  it('lists the presets', async () => {
    const { status, stdout } = await bench(['--list'])
    expect(status).toBe(0)
    expect(stdout).toMatch(
      /goldsborough-table[^]*di-dio-table[^]*dhanasekaran-rubin-figure-8[^]*four-modules-small/,
    )
  })

  it.each([
    [['nonsense'], /one of goldsborough-table, .*, or a file for bench but received 'nonsense'/],
    [['./none.csv', '-k', '3'], /none\.csv does not exist/],
    [['examples/iris.csv'], /iris\.csv names no k, .*numbers of clusters with -k \(as in 5,10\)/],
    [['examples/iris.csv', '-k', '3', '--scale', '2'], /iris\.csv is a file: leave the scale out/],
    [['examples/iris.csv', '-k', '3', '--baseline', 'x'], /for the baseline but received 'x'/],
  ])('%j is wrong use', async (args, sentence) => {
    const { status, stdout, stderr } = await bench(args)
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(sentence)
  })

  it('with nothing measured has failed', async () => {
    const suite = suiteOf([], { baseline: 'outside/scipy' })
    const contenders: Suite['contenders'] = [{ kind: 'outside', system: 'scipy' }]
    const path = join(folder, 'suite.json')
    writeFileSync(
      path,
      JSON.stringify({ ...suite, contenders, config: { ...suite.config, empty: 'farthest' } }),
    )
    const { status, stderr } = await bench([path])
    expect(status).toBe(1)
    expect(stderr).toMatch(/No contender was measured, the first because: .*scipy/)
  })
})
