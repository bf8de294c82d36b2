import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readText } from './fingerprint.mjs'
import { at } from './project.mjs'

const pollMs = 250
/** A lock without a process id in it is being written; one this old was left behind so. */
const writingMs = 5000

/**
 * Runs the work while no other set-up of this checkout runs; waits for one that does. A lock whose process is
 * gone counts for nothing.
 * @template T
 * @param {() => Promise<T>} work
 * @param {string} [file] the lock
 * @returns {Promise<T>}
 */
export async function alone(work, file = at('.runtime', 'setup.lock')) {
  mkdirSync(dirname(file), { recursive: true })
  if (!take(file)) {
    process.stderr.write(`set-up: another one is running (${file}), waiting for it\n`)
    while (!take(file)) await sleep(pollMs)
  }
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

/** @param {string} file */
function take(file) {
  if (write(file)) return true
  if (isHeld(file)) return false
  rmSync(file, { force: true })
  return write(file)
}

/** @param {string} file */
function write(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** @param {string} file */
function isHeld(file) {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return false
  const pid = Number(readText(file))
  return pid > 0 ? isAlive(pid) : Date.now() - stat.mtimeMs < writingMs
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process may not be signalled, but it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
