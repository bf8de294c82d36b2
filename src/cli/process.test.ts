import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

// The program as it is shipped, so it must be built: the test command builds it first, vitest alone does not.
const program = 'out/main/cli.js'
const unbuilt = !existsSync(program)
if (unbuilt) console.warn(`SKIPPED: the tests of the command line's process need ${program} (npm run build)`)

const iris = ['cluster', 'examples/iris.csv', '-k', '3']
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'centroid-lab-process-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function start(args: readonly string[], stdout: 'pipe' | number = 'pipe'): ChildProcess {
  const env = { ...process.env, CENTROID_LAB_CACHE_DIR: join(tmpdir(), 'centroid-lab-test-cache') }
  return spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', stdout, 'pipe'] })
}

function ended(child: ChildProcess): Promise<{ status: number | null; stderr: string }> {
  let stderr = ''
  child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()))
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, stderr })))
}

/** Points that keep an engine busy, and a run over them that never ends by itself. */
function endlessRun(engine: string, out: string): readonly string[] {
  const rows = Array.from({ length: 50_000 }, (_, i) => `${Math.sin(i)},${Math.cos(i * 7)},${i % 97}`)
  const data = join(folder, 'big.csv')
  writeFileSync(data, `a,b,c\n${rows.join('\n')}\n`)
  const endless = ['--stop', 'none', '--max-iterations', '100000000', '-o', out]
  return ['cluster', data, '-k', '40', '--engine', engine, ...endless]
}

describe.skipIf(unbuilt)(`the process${unbuilt ? ' (SKIPPED: not built)' : ''}`, () => {
  it('ends with the status, the result alone on standard output', async () => {
    const child = start([...iris, '--json'])
    let stdout = ''
    child.stdout?.on('data', (data: Buffer) => (stdout += data.toString()))
    expect((await ended(child)).status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ n: 150 })
    expect((await ended(start(['cluster', 'examples/iris.csv', '-k', '0']))).status).toBe(2)
  })

  it.each(['cpu', 'webgpu'])('Ctrl-C ends a run on %s at once with 130 and no files', async (engine) => {
    const child = start(endlessRun(engine, join(folder, 'out')))
    const end = ended(child)
    await once(child.stderr ?? child, 'data')
    expect(child.exitCode).toBeNull()
    const began = performance.now()
    child.kill('SIGINT')
    expect(await end).toEqual({
      status: 130,
      stderr: expect.stringMatching(/(^|\n)Cancelled\.\n$/),
    })
    expect(performance.now() - began).toBeLessThan(2000)
    expect(readdirSync(folder)).toEqual(['big.csv'])
  })

  it.skipIf(!existsSync('/proc/self'))('a place that takes no folder is refused at once', async () => {
    for (const out of ['/proc/x', '/dev/null/x']) {
      const { status, stderr } = await ended(start([...iris, '-o', out]))
      expect(status).toBe(1)
      expect(stderr).toMatch(/^[^\n]+\.\n$/)
      expect(stderr).toContain(out.split('/')[1])
    }
  })

  it('two runs into one folder: the second says so, and the first is whole', async () => {
    const out = join(folder, 'out')
    const first = start(endlessRun('cpu', out))
    const end = ended(first)
    await once(first.stderr ?? first, 'data')
    while (!existsSync(out) || !readdirSync(out).some((name) => name.endsWith('.lock')))
      await new Promise((resolve) => setTimeout(resolve, 20))
    const second = await ended(start([...iris, '-o', out, '--force']))
    expect(second.status).toBe(1)
    expect(second.stderr).toMatch(
      /^Another run is writing into [^\n]+: wait for its end, or choose another folder\.\n$/,
    )
    first.kill('SIGKILL')
    await end
    expect((await ended(start([...iris, '-o', out, '--force']))).status).toBe(0)
    expect(readdirSync(out).sort()).toEqual(['centroids.csv', 'labels.csv', 'run.json'])
  })

  it('a reader that has seen enough is no failure', async () => {
    const child = start([...iris, '--history'])
    child.stdout?.destroy()
    expect((await ended(child)).status).toBe(0)
  })

  it.skipIf(!existsSync('/dev/full'))('a standard output that takes nothing is one', async () => {
    const { status, stderr } = await ended(start([...iris, '--json'], openSync('/dev/full', 'w')))
    expect(status).toBe(1)
    expect(stderr).toMatch(/^The result could not be written[^\n]*\.\n$/)
  })
})
