import { spawn } from 'node:child_process'

/**
 * Runs a program in the folder the person called from, on this terminal, and ends as it ends: with its exit
 * status, or by the signal that ended it.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} its exit status
 */
export function become(program, args, env = process.env) {
  const child = spawn(program, args, { cwd: callersFolder(), env, stdio: 'inherit' })
  // A terminal sends Ctrl-C to the child by itself; twice would look like a second wish.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(`${program} could not be started (${error.message}); run the set-up again.`)
      resolve(1)
    })
    child.on('exit', (status, signal) => {
      if (signal === null) resolve(status ?? 1)
      else endBy(signal)
    })
  })
}

/** npm runs scripts in the project's folder; file names mean the folder that npm was called from. */
export function callersFolder() {
  return process.env['INIT_CWD'] ?? process.cwd()
}

/** @param {NodeJS.Signals} signal */
function endBy(signal) {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}
