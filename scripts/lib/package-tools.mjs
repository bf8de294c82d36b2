import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { SetupFailure } from './failure.mjs'
import { filesBelow } from './package-files.mjs'
import { at, paths } from './project.mjs'
import { firstLine } from './run.mjs'

/** Debian package of each program that making packages needs. */
const tools = {
  'dpkg-deb': 'dpkg',
  strip: 'binutils',
  objdump: 'binutils',
  tar: 'tar',
  gzip: 'gzip',
  ldd: 'libc-bin',
}

/**
 * @param {readonly (keyof typeof tools)[]} names
 * @throws {SetupFailure} naming all that are missing
 */
export function requireTools(names) {
  const missing = names.filter((name) => spawnSync(name, ['--version']).error !== undefined)
  if (missing.length === 0) return
  const from = [...new Set(missing.map((name) => tools[name]))].join(' ')
  throw new SetupFailure(`Packages are made with ${missing.join(' and ')}, not found here: install ${from}.`)
}

/** @throws {SetupFailure} anywhere but on the one platform whose programs are at hand */
export function requireLinux() {
  if (process.platform === 'linux' && process.arch === 'x64') return
  throw new SetupFailure(
    'Packages can be made on Linux on x86-64 only; for others see build/electron-builder.yml.',
  )
}

/** The OpenMP library that the CPU addon is linked with here. */
export function openmpLibrary() {
  const { stdout } = spawnSync('ldd', [paths.addon], { encoding: 'utf8' })
  const found = [...(stdout ?? '').matchAll(/=> (\/\S+)/g)].map(([, path]) => path)
  const path = found.find((file) => basename(file) === 'libgomp.so.1')
  if (path !== undefined) return path
  throw new SetupFailure('The OpenMP library libgomp.so.1 of the CPU addon was not found: install libgomp1.')
}

/**
 * The oldest C library that every program of a tree runs with.
 * @param {string} folder
 * @returns {string} such as 2.34
 */
export function neededLibc(folder) {
  const programs = filesBelow(folder).filter((file) => /\.(?:node|so)(?:\.\d+)*$|\/node$|window$/.test(file))
  const versions = programs.flatMap((file) => {
    const { stdout } = spawnSync('objdump', ['-T', join(folder, file)], {
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
    })
    return [...stdout.matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor))
  })
  return `2.${Math.max(17, ...new Set(versions))}`
}

/** Version of the product. */
export function version() {
  return /** @type {{version: string}} */ (JSON.parse(readFileSync(at('package.json'), 'utf8'))).version
}

/** Seconds of the last commit: the date of every packed file, so that the same sources make the same package. */
export function sourceDate() {
  return (
    process.env['SOURCE_DATE_EPOCH'] ?? firstLine('git', ['-C', at(), 'log', '-1', '--format=%ct']) ?? '0'
  )
}
