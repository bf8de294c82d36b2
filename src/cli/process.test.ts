import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { measuresTime } from '@shared/testing/measures-time'

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

function start(
  args: readonly string[],
  stdout: 'pipe' | number = 'pipe',
  more: NodeJS.ProcessEnv = {},
): ChildProcess {
  const cache = { CENTROID_LAB_CACHE_DIR: join(tmpdir(), 'centroid-lab-test-cache') }
  const env = { ...process.env, ...cache, ...more }
  return spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', stdout, 'pipe'] })
}

function ended(child: ChildProcess): Promise<{ status: number | null; stderr: string }> {
  let stderr = ''
  child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()))
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, stderr })))
}

/** Empty for a process that has ended, whether its parent has looked or not. */
function commandOf(pid: string): string {
  const path = `/proc/${pid}/cmdline`
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
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

  it.each(['cpu', 'webgpu'])(
    'Ctrl-C ends a run on %s at once with 130 and no files',
    measuresTime,
    async (engine) => {
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
    },
  )

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
    while (!existsSync(out) || !readdirSync(out).some((name) => name.endsWith('.lock'))) await after(20)
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

  it.skipIf(!existsSync('/proc/self'))(
    'Ctrl-C does not wait for a python3 that hangs, nor does it stay',
    async () => {
      const python = join(folder, 'python3')
      const pid = join(folder, 'pid')
      writeFileSync(python, `#!/bin/sh\nsleep 600 & echo $! > ${pid}; wait\n`, { mode: 0o755 })
      const asked = [
        'bench',
        'examples/iris.csv',
        '-k',
        '3',
        '--variants',
        'sequential',
        '--outside',
        'numpy',
      ]
      const child = start(asked, 'pipe', { PATH: `${folder}:${process.env.PATH}` })
      const end = ended(child)
      while (!existsSync(pid) || readFileSync(pid, 'utf8') === '') await after(20)
      const began = performance.now()
      child.kill('SIGINT')
      expect(await end).toMatchObject({ status: 130, stderr: expect.stringMatching(/Cancelled[^\n]*\.\n$/) })
      expect(performance.now() - began).toBeLessThan(2000)
      await after(100)
      expect(commandOf(readFileSync(pid, 'utf8').trim())).toBe('')
    },
  )

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
