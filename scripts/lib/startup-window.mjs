import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { electronProgram } from './electron-runtime.mjs'
import { family, memoryOf, nameOf, read } from './process-family.mjs'
import { at } from './project.mjs'
import { electronEnvironment } from './sandbox.mjs'

const patienceMs = 60_000

/**
 * Starts the program, or an empty Electron window, with a user folder of its own that nobody used before.
 * @param {string} folder scratch
 * @param {'program' | 'empty'} kind
 * @param {string} [file] opened by the program; it is usable when the points are drawn
 */
export async function startWindow(folder, kind, file) {
  const app = join(folder, kind)
  const user = join(folder, 'user')
  mkdirSync(app, { recursive: true })
  rmSync(user, { recursive: true, force: true, maxRetries: 5 })
  const probe = pathToFileURL(at('scripts', 'lib', 'startup-probe.mjs')).href
  writeFileSync(
    join(app, 'package.json'),
    JSON.stringify({ name: kind, version: '0.0.0', type: 'module', main: 'main.js' }),
  )
  writeFileSync(join(app, 'main.js'), `await import(${JSON.stringify(probe)})\n`)
  const ready = file === undefined ? '[data-testid=drop-zone]' : '[data-testid=scatter][data-points-drawn]'
  const ours = { STARTUP_ROOT: at(), STARTUP_SELECTOR: ready }
  const env = {
    ...electronEnvironment(),
    CENTROID_LAB_CACHE_DIR: join(folder, 'cache'),
    ...(kind === 'program' ? ours : {}),
  }
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const args = [...asRoot, `--user-data-dir=${user}`, app, ...(file === undefined ? [] : [file])]
  const began = performance.now()
  const child = spawn(electronProgram, args, { env, stdio: ['ignore', 'pipe', 'ignore'] })
  await usable(child)
  const pid = child.pid ?? 0
  return {
    usableMs: performance.now() - began,
    /** Of the program and all it started. */
    processorMs: () => family(pid).reduce((sum, each) => sum + processorOf(each), 0),
    /** Shared pages count in shares. */
    memoryBytes: () => family(pid).reduce((sum, each) => sum + memoryOf(each), 0),
    memoryOfEach: () => family(pid).map((each) => ({ name: nameOf(each), bytes: memoryOf(each) })),
    close: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}

/** @param {import('node:child_process').ChildProcess} child */
async function usable(child) {
  await new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('no window within a minute')), patienceMs)
    child.stdout?.on('data', (/** @type {Buffer} */ data) => {
      if (!data.toString().includes('usable')) return
      clearTimeout(late)
      resolve(null)
    })
    child.once('exit', (status) => reject(new Error(`Electron ended with status ${status}`)))
  })
}

/**
 * Milliseconds, as the scheduler counts them: its ticks of 10 ms say nothing of a program that does next to nothing.
 * @param {number} pid
 */
function processorOf(pid) {
  const threads = entries(`/proc/${pid}/task`).map((id) => read(`/proc/${pid}/task/${id}/schedstat`))
  return threads.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / 1e6
}

/** @param {string} folder none of a process that is gone */
function entries(folder) {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
