import { rmSync } from 'node:fs'
import { join, sep } from 'node:path'
import { finished } from 'node:stream/promises'
import { createPackageFromFiles, extractFile, listPackage, statFile, uncache } from '@electron/asar'
import { filesBelow, copyParts } from './package-files.mjs'

/** @typedef {import('./package-files.mjs').Part} Part */

/**
 * Writes an archive as Electron reads it. The same entries make the same bytes, in whatever order they come.
 * @param {readonly Part[]} entries to: path inside, with slashes
 * @param {string} archive path of the file that is written
 */
export async function writeAsar(entries, archive) {
  // Beside the archive, which lies where the packages are made: a temporary folder may have no room.
  const folder = `${archive}.files`
  try {
    copyParts(entries, folder)
    const files = filesBelow(folder).map((file) => join(folder, file))
    // It answers before everything is on the disk.
    await finished(await createPackageFromFiles(folder, archive, files))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Names and contents of an archive, for checks.
 * @param {string} archive
 * @returns {Map<string, Buffer>} by path inside
 */
export function readAsar(archive) {
  // What was read before under this name may have been another archive.
  uncache(archive)
  const paths = listPackage(archive, { isPack: false }).map((path) => path.slice(1))
  const files = paths.filter((path) => !('files' in statFile(archive, path)))
  return new Map(files.map((path) => [path.replaceAll(sep, '/'), extractFile(archive, path)]))
}
