import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { SetupFailure } from './failure.mjs'

/** @typedef {{from: string | Buffer, to: string, mode?: number}} Part from: path, or the bytes; to: path below a folder */

const specifier = /(?:\bfrom\s*|\bimport\s*\(?\s*)["'`](\.{1,2}\/[^"'`]+)["'`]/g

/**
 * Copies files to where they belong; all are readable by everybody, whatever the umask of who packs.
 * @param {readonly Part[]} parts
 * @param {string} folder
 * @throws {SetupFailure} naming a file that is not there
 */
export function copyParts(parts, folder) {
  for (const { from, to, mode = 0o644 } of parts) {
    const target = join(folder, to)
    mkdirSync(dirname(target), { recursive: true, mode: 0o755 })
    if (typeof from !== 'string') writeFileSync(target, from)
    else if (existsSync(from)) copyFileSync(from, target)
    else throw new SetupFailure(`${from} belongs into the package and is not there: run npm run setup first.`)
    chmodSync(target, mode)
  }
}

/**
 * Every file below a folder.
 * @param {string} folder
 * @returns {string[]} paths relative to it, sorted
 */
export function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
}

const packageName = /(?:\bfrom\s*|\bimport\s*\(?\s*)["'`]((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[\w./-]*)?["'`]/g

/**
 * Packages that built files ask for when they run.
 * @param {readonly string[]} files
 * @param {readonly string[]} there those that a package carries
 * @returns {string[]} the others
 */
export function missingPackages(files, there) {
  const asked = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(packageName)].map(([, name]) => name),
  )
  return [...new Set(asked)].filter((name) => !there.includes(name) && !builtinModules.includes(name)).sort()
}

/**
 * A built program with every module that it imports, so that programs built together can be taken apart.
 * @param {string} entry
 * @returns {string[]} absolute paths, the entry first
 */
export function withImports(entry) {
  const found = new Set([resolve(entry)])
  for (const file of found) {
    for (const [, named] of readFileSync(file, 'utf8').matchAll(specifier)) {
      const path = resolve(dirname(file), named)
      if (existsSync(path)) found.add(path)
    }
  }
  return [...found]
}
