import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'

/** @typedef {import('yauzl').Entry} Entry */
/** @typedef {import('yauzl').ZipFile} ZipFile */

const isLink = (/** @type {number} */ mode) => (mode & 0o170000) === 0o120000

/**
 * Unpacks the entries of a zip file that a function gives a target for. Names that lead out of the folder are refused.
 * @param {string} zipFile
 * @param {string} folder
 * @param {(name: string) => string | null} target path below the folder, null for an entry to leave out
 */
export async function unzip(zipFile, folder, target) {
  // Not at the top: in a fresh clone the set-up has to install it first.
  const { default: yauzl } = await import('yauzl')
  /** @type {ZipFile} */
  const zip = await new Promise((resolve, reject) =>
    yauzl.open(zipFile, { lazyEntries: true }, (error, opened) => (error ? reject(error) : resolve(opened))),
  )
  await new Promise((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', resolve)
    zip.on('entry', (/** @type {Entry} */ entry) => {
      const name = entry.fileName.endsWith('/') ? null : target(entry.fileName)
      const written = name === null ? Promise.resolve() : write(zip, entry, join(folder, name))
      written.then(() => zip.readEntry(), reject)
    })
    zip.readEntry()
  })
}

/**
 * @param {ZipFile} zip
 * @param {Entry} entry
 * @param {string} path
 */
async function write(zip, entry, path) {
  const mode = entry.externalFileAttributes >>> 16
  if (isLink(mode)) throw new Error(`${entry.fileName} is a link, which this package should not hold`)
  mkdirSync(dirname(path), { recursive: true })
  /** @type {NodeJS.ReadableStream} */
  const stream = await promisify(zip.openReadStream.bind(zip))(entry)
  await pipeline(stream, createWriteStream(path, { mode: mode & 0o777 || 0o644 }))
}
