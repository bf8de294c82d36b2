import { lstat, mkdir, rmdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { LabError } from '@shared/errors'
import { leadsNowhere, writeFailure } from './file-errors'

/**
 * Makes a folder with those above it, for its owner alone. Node's own recursive way asks for ever where a system takes no folders
 * (/proc), so each is asked for once.
 * @returns the folders that were made, outermost first
 * @throws LabError `export.*`
 */
export async function makeFolder(folder: string): Promise<readonly string[]> {
  if (await made(folder)) return [folder]
  if (await isFolder(folder)) return []
  const above = dirname(folder)
  if (above === folder) throw takesNothing(folder)
  const folders = await makeFolder(above)
  if (await made(folder)) return [...folders, folder]
  if (await isFolder(folder)) return folders
  await removeEmpty(folders)
  throw (await isLink(folder)) ? leadsNowhere(folder, 'folder') : takesNothing(above)
}

/** Takes folders away in which nothing came to lie. */
export async function removeEmpty(folders: readonly string[]): Promise<void> {
  for (const folder of folders.toReversed()) await rmdir(folder).catch(() => undefined)
}

/** @returns false where something is in the way, or the folder above is missing */
async function made(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 })
    return true
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null
    if (code === 'EEXIST' || code === 'ENOENT') return false
    throw writeFailure(thrown, folder)
  }
}

async function isFolder(path: string): Promise<boolean> {
  const facts = await stat(path).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return null
    throw writeFailure(thrown, path)
  })
  if (facts !== null && !facts.isDirectory()) throw notFolder(path)
  return facts !== null
}

function notFolder(path: string): LabError {
  return new LabError('io', 'export.folder-missing', `${path} is not a folder: choose a folder.`)
}

/** Of a link to a folder that is there nobody asks here. */
async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (facts) => facts.isSymbolicLink(),
    () => false,
  )
}

/** Of a folder of the system's own, such as /proc, which has neither files nor folders of users. */
export function takesNothing(folder: string): LabError {
  return new LabError(
    'io',
    'export.not-writable',
    `Nothing can be made in ${folder}, which belongs to the system: choose a folder on a disk.`,
  )
}
