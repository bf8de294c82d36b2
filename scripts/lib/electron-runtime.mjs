import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readText } from './fingerprint.mjs'
import { paths } from './project.mjs'

const executables = {
  linux: 'electron',
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
}
const dist = join(paths.electron, 'dist')
const parked = join(paths.runtime, 'electron')

/** Path of the executable inside the runtime's folder. */
export const executable =
  executables[/** @type {keyof typeof executables} */ (process.platform)] ?? 'electron'

/** Path of the program itself. */
export const electronProgram = join(dist, executable)

/** Version of the runtime that the installed package `electron` asks for. */
export function wantedVersion() {
  /** @type {{version: string}} */
  const { version } = JSON.parse(readFileSync(join(paths.electron, 'package.json'), 'utf8'))
  return version
}

/** True when the runtime is where the package `electron` looks for it. */
export function isInstalled() {
  if (!existsSync(join(paths.electron, 'package.json'))) return false
  return (
    isVersion(dist, wantedVersion()) &&
    readText(join(paths.electron, 'path.txt')) === executable &&
    existsSync(electronProgram)
  )
}

/**
 * Puts a complete runtime where the package `electron` looks for it.
 * @param {string} folder
 */
export function install(folder) {
  rmSync(dist, { recursive: true, force: true })
  renameSync(folder, dist)
  writeFileSync(join(paths.electron, 'path.txt'), executable)
}

/** Takes the runtime out of node_modules, which `npm ci` empties, so that it need not be loaded again. */
export function parkRuntime() {
  if (!existsSync(join(dist, 'version'))) return
  mkdirSync(paths.runtime, { recursive: true })
  rmSync(parked, { recursive: true, force: true })
  renameSync(dist, parked)
}

/** The runtime that was parked, when it is of the wanted version; null otherwise. */
export function parkedRuntime() {
  return isVersion(parked, wantedVersion()) ? parked : null
}

/**
 * @param {string} folder
 * @param {string} version
 */
function isVersion(folder, version) {
  return readText(join(folder, 'version'))?.trim().replace(/^v/, '') === version
}
