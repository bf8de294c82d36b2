import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, rmdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { runCli } from './run-cli'

let folder = ''
let out = ''
// What is learnt about this machine must not land in the home of whoever runs the tests.
beforeAll(() => vi.stubEnv('CENTROID_LAB_CACHE_DIR', join(tmpdir(), 'centroid-lab-test-cache')))
afterAll(() => vi.unstubAllEnvs())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'centroid-lab-unwritten-'))
  out = join(folder, 'out')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** @param hear what is said on standard error, as it is said */
async function lab(args: readonly string[], hear: (text: string, controller: AbortController) => void) {
  const said = { stdout: '', stderr: '' }
  const controller = new AbortController()
  const status = await runCli(args, {
    stdout: { write: (text) => (said.stdout += text) },
    stderr: {
      ...{ isTTY: true, columns: 200 },
      write: (text) => {
        said.stderr += text
        hear(text, controller)
      },
    },
    ...{ signal: controller.signal, env: {} },
  })
  return { status, ...said }
}

/** From then on the file cannot be written: a folder has its name, as if its disk were full. */
function occupy(name: string): void {
  rmSync(join(out, name), { recursive: true, force: true })
  mkdirSync(join(out, name), { recursive: true })
}

/** Of the object that --json has on standard error in the end, behind the progress. */
function messageIn(stderr: string): string {
  const failure = JSON.parse(stderr.slice(stderr.indexOf('{"error"'))) as { error: { message: string } }
  return failure.error.message
}

const fixed = ['--engine', 'cpu', '--variant', 'sequential', '--init', 'first-k', '--stop', 'none']
const cluster = ['cluster', 'examples/iris.csv', '-k', '3', ...fixed, '--max-iterations', '20000', '--json']

describe('a result whose files cannot be written', () => {
  it('is wrong use where -o names a file, as where it names earlier results', async () => {
    writeFileSync(out, '')
    const said = await lab([...cluster, '-o', out], () => undefined)
    expect(said.status).toBe(2)
    expect(messageIn(said.stderr)).toMatch(/out is not a folder.*\.$/)
  })

  it('is printed all the same, then what is wrong is reported', async () => {
    const said = await lab([...cluster, '-o', out], (text) => {
      if (text.includes('reading')) occupy('labels.csv')
    })
    expect(said.status).toBe(1)
    expect(messageIn(said.stderr)).toMatch(/labels\.csv is a folder: .*\.$/)
    expect(readdirSync(out)).toEqual(['labels.csv'])
    expect(JSON.parse(said.stdout)).toMatchObject({
      n: 150,
      iterations: 20000,
    })
  })

  it('is not computed a second time where its checkpoint is kept', async () => {
    const kept = join(folder, 'kept')
    const args = [...cluster, '-o', out, '--checkpoint', kept]
    const first = await lab(args, (text) => {
      if (text.includes('reading')) occupy('labels.csv')
    })
    expect([first.status, readdirSync(kept).length]).toEqual([1, 1])
    rmdirSync(join(out, 'labels.csv'))
    const second = await lab([...args, '--force'], () => undefined)
    expect(second.status).toBe(0)
    expect(second.stderr).toMatch(/Going on after [^\n]*, kept in /)
    expect(readdirSync(kept)).toEqual([])
    const numbers = ({ stdout }: { stdout: string }) => {
      const { iterations, inertia, centroids } = JSON.parse(stdout) as Record<string, unknown>
      return { iterations, inertia, centroids }
    }
    expect(numbers(second)).toEqual(numbers(first))
  })
})

describe('a comparison that cannot be kept', () => {
  const long = ['bench', 'examples/iris.csv', '-k', '2,3', '--variants', 'sequential', '--engines', 'cpu']
  const args = (iterations: string) => [
    ...long,
    ...['--stop', 'none', '--max-iterations', iterations, '--repeats', '2', '-o', out],
  ]
  const warning = /What is finished cannot be kept for now: [^\n]*benchmark\.json is a folder: [^\n]*\.\n/g

  // Told once the folder is its own, and before the first run.
  const begins = (text: string) => text.includes('cells run; expected')

  it('says so once, goes on, and prints what it measured', async () => {
    const said = await lab(args('5000'), (text) => {
      if (begins(text)) occupy('benchmark.json')
    })
    expect(said.status).toBe(1)
    expect(said.stderr.match(warning)).toHaveLength(1)
    expect(said.stdout).toMatch(/iris\.csv +150 +4 +3 +cpu\/sequential +as-studied +2 .* measured\n/)
    expect(said.stderr).toMatch(/benchmark\.json is a folder: [^\n]*\.\n$/)
  })

  it('and is cancelled promises nothing', async () => {
    const said = await lab(args('200000'), (text, controller) => {
      if (begins(text)) occupy('benchmark.json')
      if (text.includes('k = 3')) controller.abort()
    })
    expect([said.status, said.stdout]).toEqual([130, ''])
    expect(said.stderr).toMatch(
      /Cancelled: 1 of 2 rows were finished, but they could not be kept: [^\n]*is a folder: [^\n]*\.\n$/,
    )
  })

  it('is refused before it is planned where its folder takes no files', async () => {
    if (!existsSync('/proc/self')) return
    const said = await lab([...long, '-o', '/dev/null/x'], () => undefined)
    expect(said.status).toBe(1)
    expect(said.stderr).toMatch(/^[^\n]*\/dev\/null is not a folder[^\n]*\.\n$/)
  })
})
