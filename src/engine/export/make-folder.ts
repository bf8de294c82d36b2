import { mkdirSync, rmdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { LabError } from '@shared/errors'
import { isLink, leadsNowhere } from './dangling-link'
import { writeFailure } from './file-errors'

/**
 * Makes a folder with those above it, for its owner alone. Node's own recursive way asks for ever where a system takes no folders
 * (/proc), so each is asked for once. Before it returns: the window needs a folder before there is anything to wait in.
 * @returns the folders that were made, outermost first; where one cannot be made, none of them stays
 * @throws LabError `export.*`
 */
export function makeFolderNow(folder: string): readonly string[] {
  if (made(folder)) return [folder]
  if (isFolder(folder)) return []
  const above = dirname(folder)
  if (above === folder) throw takesNothing(folder)
  const folders = makeFolderNow(above)
  try {
    if (made(folder)) return [...folders, folder]
    if (isFolder(folder)) return folders
    throw isLink(folder) ? leadsNowhere(folder, 'folder') : takesNothing(above)
  } catch (thrown) {
    removeEmpty(folders)
    throw thrown
  }
}

/** The same, for who waits for files anyway. */
export async function makeFolder(folder: string): Promise<readonly string[]> {
  return makeFolderNow(folder)
}

/** Takes folders away in which nothing came to lie. */
export function removeEmpty(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder)
    } catch {
      // Something lies in it.
    }
  }
}

/** @returns false where something is in the way, or the folder above is missing */
function made(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 })
    return true
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null
    if (code === 'EEXIST' || code === 'ENOENT') return false
    throw writeFailure(thrown, folder)
  }
}

function isFolder(path: string): boolean {
  try {
    const facts = statSync(path, { throwIfNoEntry: false })
    if (facts !== undefined && !facts.isDirectory()) throw notFolder(path)
    return facts !== undefined
  } catch (thrown) {
    throw writeFailure(thrown, path)
  }
}

function notFolder(path: string): LabError {
  return new LabError('io', 'export.folder-missing', `${path} is not a folder: choose a folder.`)
}

/** Of a folder of the system's own, such as /proc, which has neither files nor folders of users. */
export function takesNothing(folder: string): LabError {
  return new LabError(
    'io',
    'export.not-writable',
    `Nothing can be made in ${folder}, which belongs to the system: choose a folder on a disk.`,
  )
}
