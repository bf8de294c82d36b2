import { createWriteStream, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { paths } from './project.mjs'

const isLink = (/** @type {number} */ mode) => (mode & 0o170000) === 0o120000

/**
 * Unpacks the entries of a zip file that a function gives a target for. Uses yauzl, which comes with
 * Electron's own downloader and refuses names that lead out of the folder.
 * @param {string} zipFile
 * @param {string} folder
 * @param {(name: string) => string | null} target path below the folder, null for an entry to leave out
 */
export async function unzip(zipFile, folder, target) {
  const yauzl = createRequire(join(paths.modules, 'extract-zip', 'package.json'))('yauzl')
  const zip = await new Promise((resolve, reject) =>
    yauzl.open(zipFile, { lazyEntries: true }, (/** @type {Error} */ error, /** @type {unknown} */ opened) =>
      error ? reject(error) : resolve(opened),
    ),
  )
  await new Promise((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', resolve)
    zip.on('entry', (/** @type {ZipEntry} */ entry) => {
      const name = entry.fileName.endsWith('/') ? null : target(entry.fileName)
      const written = name === null ? Promise.resolve() : write(zip, entry, join(folder, name))
      written.then(() => zip.readEntry(), reject)
    })
    zip.readEntry()
  })
}

/**
 * @typedef {{fileName: string, externalFileAttributes: number}} ZipEntry
 * @typedef {{openReadStream(entry: ZipEntry, done: (error: Error | null, stream: NodeJS.ReadableStream) => void): void}} Zip
 */

/**
 * @param {Zip} zip
 * @param {ZipEntry} entry
 * @param {string} path
 */
async function write(zip, entry, path) {
  const mode = entry.externalFileAttributes >>> 16
  if (isLink(mode)) throw new Error(`${entry.fileName} is a link, which this package should not hold`)
  mkdirSync(dirname(path), { recursive: true })
  /** @type {NodeJS.ReadableStream} */
  const stream = await new Promise((resolve, reject) =>
    zip.openReadStream(entry, (error, opened) => (error ? reject(error) : resolve(opened))),
  )
  await pipeline(stream, createWriteStream(path, { mode: mode & 0o777 || 0o644 }))
}
