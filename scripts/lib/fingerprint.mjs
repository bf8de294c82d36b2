import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from './project.mjs'

/**
 * Hash over the contents of files, so that a fresh checkout with other times does not look changed.
 * @param {readonly string[]} entries files or folders
 * @param {(path: string) => boolean} wanted which files of a folder count
 * @param {readonly string[]} [extra] other things the result depends on
 */
export function fingerprint(entries, wanted, extra = []) {
  const hash = createHash('sha256')
  for (const file of entries.flatMap((entry) => filesOf(entry, wanted)).sort()) {
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.update(extra.join('\0')).digest('hex')
}

/**
 * True when the stamp file holds this text.
 * @param {string} file
 * @param {string} text
 */
export function isStamped(file, text) {
  return readText(file) === text
}

/**
 * @param {string} file
 * @param {string} text
 */
export function stamp(file, text) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/**
 * Text of a file, or null when it cannot be read.
 * @param {string} file
 */
export function readText(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

/**
 * @param {string} entry
 * @param {(path: string) => boolean} wanted
 * @returns {string[]}
 */
function filesOf(entry, wanted) {
  const stat = statSync(entry, { throwIfNoEntry: false })
  if (stat === undefined) return []
  if (stat.isFile()) return [entry]
  return readdirSync(entry, { withFileTypes: true }).flatMap((child) => {
    const path = join(entry, child.name)
    if (child.isDirectory()) return filesOf(path, wanted)
    return child.isFile() && wanted(path) ? [path] : []
  })
}
