import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { LabError } from '@shared/errors'
import { identityPattern, mayBeAlive, ownIdentity } from '../process-identity'
import { writeFailure } from './file-errors'
import { makeFolder, removeEmpty } from './make-folder'
import { forgetTemporary, removeAbandoned, temporaryName, trackTemporary } from './temporary-files'

const lockName = '.centroid-lab.lock'
const form = new RegExp(`^${identityPattern}\\n$`)
/** Of folders that this process writes into at the moment. */
const held = new Set<string>()

/**
 * Does some work as the only one who writes into a folder, made where it is missing and taken away again where nothing
 * came to lie in it: two runs would mix their files. The
 * lock is a hidden file with the identity of its process; that of a process that has ended, however, is taken over.
 * @throws LabError `export.folder-busy`; `export.*` where nothing can be written there; what the work throws
 */
export async function asOnlyWriter<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const own = resolve(folder)
  if (held.has(own)) throw busy(own)
  held.add(own)
  const lock = join(own, lockName)
  let made: readonly string[] = []
  try {
    made = await makeFolder(own)
    await take(lock, own)
  } catch (thrown) {
    held.delete(own)
    await removeEmpty(made)
    throw thrown
  }
  const release = () => rmSync(lock, { force: true })
  process.once('exit', release)
  try {
    await removeAbandoned(own)
    return await work()
  } finally {
    process.off('exit', release)
    release()
    held.delete(own)
    await removeEmpty(made)
  }
}

/** The file comes into being with its content, or not at all, because it is linked to the name. */
async function take(lock: string, folder: string): Promise<void> {
  const mine = temporaryName(folder)
  trackTemporary(mine)
  try {
    await writeFile(mine, `${ownIdentity()}\n`, { flag: 'wx', mode: 0o600 })
    for (let tries = 0; !(await placed(mine, lock)); tries++) {
      const owner = await readFile(lock, 'utf8').catch(() => null)
      if (owner !== null && (tries > 2 || isHeld(owner))) throw busy(folder)
      // Of a process that has ended: out of the way under a name that only one of several can give it.
      if (owner !== null) await rename(lock, `${mine}.old`).catch(() => undefined)
      await rm(`${mine}.old`, { force: true })
    }
  } catch (thrown) {
    throw writeFailure(thrown, lock)
  } finally {
    await rm(mine, { force: true })
    forgetTemporary(mine)
  }
}

/** @returns false where somebody else's is there */
async function placed(mine: string, lock: string): Promise<boolean> {
  try {
    await link(mine, lock)
    return true
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null
    if (code === 'EEXIST') return false
    // A disk that knows no links, such as FAT.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS') throw thrown
    return writeFile(lock, `${ownIdentity()}\n`, { flag: 'wx', mode: 0o600 }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false
        throw error
      },
    )
  }
}

function isHeld(owner: string): boolean {
  // What is no identity was cut off while it was written.
  return form.test(owner) && mayBeAlive(owner.trim())
}

function busy(folder: string): LabError {
  return new LabError(
    'io',
    'export.folder-busy',
    `Another run is writing into ${folder}: wait for its end, or choose another folder.`,
  )
}
