import { spawn, spawnSync } from 'node:child_process'
import { root } from './project.mjs'
import { SetupFailure } from './failure.mjs'

const keptCharacters = 200_000
const shownLines = 25

/**
 * Runs a command with its output captured; fails with the last lines of it.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, failure: string}} options failure: the sentence on a non-zero status
 * @returns {Promise<string>} standard output
 */
export async function capture(command, args, { cwd = root, env = process.env, failure }) {
  const { status, output, stdout } = await collect(command, args, cwd, env)
  if (status !== 0) throw new SetupFailure(failure, lastLines(output))
  return stdout
}

/**
 * Runs a command on this terminal.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, minutes?: number}} [options] minutes: ended after that long
 * @returns {Promise<number>} its exit status; 1 when it was ended or could not be started
 */
export function attach(command, args, { cwd = root, env = process.env, minutes = 0 } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: 'inherit', timeout: minutes * 60_000 })
    child.on('error', (error) => {
      console.error(`${command} could not be started: ${error.message}`)
      resolve(1)
    })
    child.on('exit', (status) => resolve(status ?? 1))
  })
}

/**
 * Runs a command and keeps what it prints, the last lines apart.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, minutes?: number}} [options] minutes: ended after that long
 * @returns {Promise<{status: number, output: string, tail: string}>} status: 1 when it was ended, 127 when it could not be started
 */
export async function watch(command, args, { cwd = root, env = process.env, minutes = 0 } = {}) {
  const { status, output } = await collect(command, args, cwd, env, minutes)
  return { status, output, tail: lastLines(output) }
}

/**
 * First line that a command prints, or null when it is not there or fails.
 * @param {string} command
 * @param {readonly string[]} args
 */
export function firstLine(command, args) {
  const { status, stdout } = spawnSync(command, args, { encoding: 'utf8' })
  return status === 0 ? stdout.split('\n')[0].trim() : null
}

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 * @param {number} [minutes] ended after that long; 0 for never
 * @returns {Promise<{status: number, output: string, stdout: string}>}
 */
function collect(command, args, cwd, env, minutes = 0) {
  return new Promise((resolve) => {
    let output = ''
    let stdout = ''
    const timeout = minutes * 60_000
    const child = spawn(command, args, { cwd, env, timeout, stdio: ['ignore', 'pipe', 'pipe'] })
    const keep = (/** @type {Buffer} */ chunk) => {
      output = (output + chunk.toString()).slice(-keptCharacters)
    }
    child.stdout.on('data', (chunk) => {
      keep(chunk)
      stdout += chunk.toString()
    })
    child.stderr.on('data', keep)
    child.on('error', (error) => resolve({ status: 127, output: error.message, stdout }))
    child.on('close', (status) => resolve({ status: status ?? 1, output, stdout }))
  })
}

/** @param {string} text */
function lastLines(text) {
  return text.trimEnd().split('\n').slice(-shownLines).join('\n')
}
