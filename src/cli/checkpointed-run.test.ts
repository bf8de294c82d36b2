import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Spool } from '@engine/host/spool'
import { runCli } from './run-cli'

let folder = ''
const signal = new AbortController().signal

// What `auto` learns about this machine must not land in the home of whoever runs the tests.
beforeAll(() => {
  vi.stubEnv('CENTROID_LAB_CACHE_DIR', join(tmpdir(), 'centroid-lab-test-cache'))
  folder = join(mkdtempSync(join(tmpdir(), 'centroid-lab-kept-')), 'checkpoint')
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(join(folder, '..'), { recursive: true, force: true })
})

/** @param stopAt ends it like a queue does, as soon as this many iterations are told of */
async function lab(args: readonly string[], stopAt = Infinity) {
  const said = { stdout: '', stderr: '' }
  const stop = new AbortController()
  const status = await runCli(args, {
    stdout: { write: (text) => (said.stdout += text) },
    stderr: {
      isTTY: true,
      write: (text) => {
        said.stderr += text
        if (Number(/iteration (\d+)/.exec(text)?.[1] ?? 0) >= stopAt) stop.abort()
      },
    },
    ...{ signal: stopAt === Infinity ? signal : stop.signal, env: {} },
  })
  return { status, ...said }
}
const sentences = (text: string) =>
  text.replaceAll(/\r[^\n]*?\x1b\[K[^\n\r]*(?=\r)/g, '').replaceAll(/\r?\x1b\[K/g, '')

describe('a run whose checkpoint is kept', () => {
  const long = ['--init', 'first-k', '--stop', 'none', '--engine', 'cpu', '--variant', 'sequential', '--json']
  const cut = ['cluster', 'examples/digits.csv', '-k', '10', ...long, '--max-iterations', '1500']

  it('goes on with the same command after it was ended, to the same end', async () => {
    const kept = [...cut, '--checkpoint', folder]
    const first = await lab(kept, 100)
    expect(first.status).toBe(130)
    expect(sentences(first.stderr)).toContain(
      `Cancelled; its progress is kept in ${folder}: the same command resumes it.`,
    )
    expect(readdirSync(folder)).toHaveLength(1)
    // Half of the next, from a process that was killed while it wrote.
    writeFileSync(join(folder, 'cluster-0123456789abcdef.checkpoint.new'), 'half')
    const second = await lab(kept)
    expect(second.stderr).toMatch(/Going on after [\d\u202f]+ iterations of an earlier start/)
    expect(readdirSync(folder)).toEqual([])
    const [whole, gone] = [(await lab(cut)).stdout, second.stdout].map(
      (text) => JSON.parse(text) as Record<string, unknown>,
    )
    expect([gone['iterations'], gone['sizes'], gone['centroids']]).toEqual([
      whole['iterations'],
      whole['sizes'],
      whole['centroids'],
    ])
    expect(String(gone['warnings'])).toMatch(/This run was cut off and went on: iterations 1 to/)
  })

  it('says that an earlier checkpoint is kept where the newest found no room', async () => {
    const ours = join(folder, '..', 'full')
    const kept = [...cut, '--checkpoint', ours]
    await lab(kept, 100)
    const full = vi.spyOn(Spool.prototype, 'saveCheckpoint').mockResolvedValue(false)
    const { status, stderr } = await lab(kept, 400)
    full.mockRestore()
    expect(status).toBe(130)
    expect(sentences(stderr)).toContain(
      `Cancelled; an earlier checkpoint is kept in ${ours}: the same command resumes from it.`,
    )
  })

  it('may lie in the folder of the results, under whatever name', async () => {
    const results = join(folder, '..', 'results')
    const link = join(folder, '..', 'another name')
    mkdirSync(results)
    symlinkSync(results, link)
    const args = ['cluster', 'examples/iris.csv', '-k', '2', '-o', results, '--checkpoint', link]
    expect(await lab(args)).toMatchObject({ status: 0, stdout: expect.stringContaining('Written: ') })
  })

  it('is another one where another question is asked', async () => {
    const kept = (k: string) => ['cluster', 'examples/digits.csv', '-k', k, ...long, '--checkpoint', folder]
    await lab([...kept('5'), '--max-iterations', '1500'], 100)
    const { status, stderr } = await lab([...kept('6'), '--max-iterations', '3'])
    expect([status, stderr.includes('Going on')]).toEqual([0, false])
    expect(readdirSync(folder)).toHaveLength(1)
  })

  it('is another one where the same file is read in another way, or begins with other centroids', async () => {
    const data = join(folder, '..', 'points.csv')
    const begin = join(folder, '..', 'begin.csv')
    const ours = join(folder, '..', 'reading')
    const rows = Array.from({ length: 400 }, (_, i) => `${(i * 37) % 101},${(i * 53) % 89}`)
    writeFileSync(data, `${rows.join('\n')}\n`)
    writeFileSync(begin, 'a,b\n1,2\n3,4\n')
    const rest = '--stop none --engine cpu --variant sequential --max-iterations'.split(' ')
    const kept = ['cluster', data, '--centroids', begin, '--checkpoint', ours, ...rest]
    await lab([...kept, '1000000', '--no-header'], 100)
    expect(readdirSync(ours)).toHaveLength(1)
    await lab([...kept, '1000000', '--header'], 100)
    expect(readdirSync(ours)).toHaveLength(2)
    writeFileSync(begin, 'a,b\n5,6\n7,8\n')
    const { stderr } = await lab([...kept, '1000000', '--header'], 100)
    expect([readdirSync(ours).length, stderr.includes('Going on')]).toEqual([3, false])
  })
})

// The program as it is shipped, so it must be built: the test command builds it first, vitest alone does not.
const program = 'out/main/cli.js'

it.skipIf(!existsSync(program))('outlives the end of its process by force', async () => {
  const long = '-k 9 --init first-k --stop none --engine cpu --max-iterations 100000000'.split(' ')
  const args = ['cluster', 'examples/iris.csv', ...long, '--checkpoint', folder]
  const child = spawn(process.execPath, [program, ...args], { stdio: 'ignore' })
  const before = existsSync(folder) ? readdirSync(folder) : []
  const isKept = () =>
    existsSync(folder) &&
    readdirSync(folder).some((name) => name.endsWith('.checkpoint') && !before.includes(name))
  try {
    await expect.poll(isKept, { timeout: 20_000 }).toBe(true)
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const { stderr } = await lab(args, 1)
  expect(stderr).toContain('Going on after')
})
