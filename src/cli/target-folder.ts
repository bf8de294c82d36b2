import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkTarget } from '@engine/export/atomic-file'
import { refuseWrite, writeFailure } from '@engine/export/file-errors'
import { asOnlyWriter, cleanAfterDead } from '@engine/export/folder-lock'
import { LabError } from '@shared/errors'
import { explainForce } from './explain-force'

/** Refuses before any work what could not be written after it. @throws LabError `export.*` */
export async function checkTargets(
  folder: string,
  names: readonly string[],
  replace: boolean,
): Promise<void> {
  if (!(await checkFolder(folder, names[0]))) return
  await cleanAfterDead(folder)
  for (const name of names) {
    await checkTarget(join(folder, name), replace).catch((thrown: unknown) => {
      throw explainForce(thrown, 'folder')
    })
  }
}

/** The folder, or, as long as it is missing, the nearest above it, must take new files. @returns it is there */
async function checkFolder(folder: string, name: string): Promise<boolean> {
  const facts = await stat(folder).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return null
    throw writeFailure(thrown, folder)
  })
  if (facts === null) {
    await checkFolder(dirname(folder), name)
    return false
  }
  if (!facts.isDirectory()) throw wrongUse(refuseWrite('ENOTDIR', join(folder, name)))
  await access(folder, constants.W_OK).catch((thrown: unknown) => {
    throw writeFailure(thrown, folder)
  })
  return true
}

/** What was named is no folder: wrong use, before any work, as results that are there are. */
function wrongUse({ code, message, details }: LabError): LabError {
  return new LabError('input', code, message, details)
}

/** No other run writes into these folders meanwhile; two names may lead to one. */
export async function inOwnFolders(folders: readonly string[], work: () => Promise<number>): Promise<number> {
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)))
  return [...new Set(real)].reduce((inner, folder) => () => asOnlyWriter(folder, inner), work)()
}
