import { rmSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { LabError } from '@shared/errors'
import { identityPattern, isHere, mayBeAlive, ownIdentity } from '../process-identity'
import { writeFailure } from './file-errors'
import { finishSets } from './file-set'
import { makeFolder, removeEmpty, takesNothing } from './make-folder'
import { removeAbandoned } from './temporary-files'

/** The lock of one process: no two have the same name, so that none can take or remove another's. */
const form = new RegExp(`^\\.centroid-lab-(${identityPattern})\\.lock$`)
const lockName = (identity: string) => `.centroid-lab-${identity}.lock`

/** Two that come at the same moment see each other and both step back; one is first the next time. */
const maxTries = 6
const stepBackMs = 40

/**
 * Does some work as the only one who writes into a folder, made where it is missing and taken away again where nothing
 * came to lie in it: two runs would mix their files. Whoever writes has a hidden file there that names its process; that of
 * a process that has ended counts for nothing and goes.
 * @throws LabError `export.folder-busy`; `export.*` where nothing can be written there; what the work throws
 */
export async function asOnlyWriter<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const own = resolve(folder)
  const made = await makeFolder(own)
  const lock = join(own, lockName(ownIdentity()))
  const release = () => rmSync(lock, { force: true })
  try {
    await take(lock, own)
    process.once('exit', release)
    try {
      await finishSets(own)
      await removeAbandoned(own)
      return await work()
    } finally {
      process.off('exit', release)
      await rm(lock, { force: true }).catch(() => undefined)
    }
  } finally {
    removeEmpty(made)
  }
}

/**
 * What processes that have ended, killed for instance, left in a folder: files that are whole take their place, the rest
 * goes. Never throws.
 */
export async function cleanAfterDead(folder: string): Promise<void> {
  await otherHolder(folder).catch(() => null)
  await finishSets(folder)
  await removeAbandoned(folder)
}

/** Its own lock first, then a look at the others': of two, at least one sees the other. */
async function take(lock: string, folder: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    await create(lock, folder)
    const holder = await otherHolder(folder).catch((thrown: unknown) => {
      throw writeFailure(thrown, folder)
    })
    if (holder === null) return
    await rm(lock, { force: true })
    if (tries === maxTries) throw isHere(holder) ? busy(folder) : busyElsewhere(folder, holder)
    await after(Math.random() * stepBackMs)
  }
}

/** @throws LabError also where this process is writing there itself */
async function create(lock: string, folder: string): Promise<void> {
  try {
    await writeFile(lock, '', { flag: 'wx', mode: 0o600 })
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null
    if (code === 'EEXIST') throw busy(folder)
    // The folder is there: a system that makes no files in it (/proc/sys) says that the name is missing.
    throw code === 'ENOENT' ? takesNothing(folder) : writeFailure(thrown, folder)
  }
}

/** @returns the identity of another process that writes there, null where there is none */
async function otherHolder(folder: string): Promise<string | null> {
  let living: string | null = null
  for (const name of await readdir(folder)) {
    const holder = form.exec(name)?.[1]
    if (holder === undefined || holder === ownIdentity()) continue
    if (mayBeAlive(holder)) living = holder
    else await rm(join(folder, name), { force: true }).catch(() => undefined)
  }
  return living
}

function busy(folder: string): LabError {
  const message = `Another run is writing into ${folder}: wait for its end, or choose another folder.`
  return new LabError('io', 'export.folder-busy', message)
}

/** Whether a process of another machine still lives cannot be known here. */
function busyElsewhere(folder: string, holder: string): LabError {
  const lock = join(folder, lockName(holder))
  const message = `A run on another machine is writing into ${folder}: wait for its end, choose another folder, or remove ${lock} if that machine was switched off.`
  return new LabError('io', 'export.folder-busy', message)
}
