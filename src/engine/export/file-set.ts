import { copyFileSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { throwIfAborted } from '@engine/slices'
import { LabError } from '@shared/errors'
import { identityPattern, isHere, mayBeAlive, ownIdentity } from '../process-identity'
import { checkTarget, syncFolder } from './atomic-file'
import { writeFailure } from './file-errors'
import { forgetTemporary, temporaryName, trackTemporary } from './temporary-files'

/** A hidden folder of files that are all whole, and only wait to be moved up: it outlives its process. */
const setForm = new RegExp(`^\\.(${identityPattern})-[0-9a-f]{12}\\.centroid-lab\\.set$`)
const unfinished = /^\.[^/\\]*\.centroid-lab\.tmp$/

/** In a set: names in the folder above that go with the earlier run. */
const obsolete = '.obsolete.json'

/** Tells of which run the others are, so it comes last. */
const last = 'run.json'

/**
 * Writes several files into a folder so that they appear together or not at all: each into a hidden folder first, then
 * that folder becomes a set, whose files are moved up at once, before any signal is heard. A set that a kill left behind
 * is moved up by the next run (`finishSets`), so that no folder mixes two runs.
 * @param write puts the files into the folder it is given, whose names are those they are to have
 * @returns what `write` answers
 * @throws LabError `export.*`, `cancelled`; what `write` throws, with the paths that were meant
 */
export async function writeTogether<T>(
  folder: string,
  { replace, signal }: { readonly replace: boolean; readonly signal: AbortSignal },
  write: (staging: string) => Promise<T>,
): Promise<T> {
  const staging = temporaryName(folder)
  trackTemporary(staging)
  try {
    await mkdir(staging, { mode: 0o700 })
    const answer = await write(staging)
    await prepareTargets(staging, folder, replace)
    throwIfAborted(signal)
    const set = staging.replace(/tmp$/, 'set')
    renameSync(staging, set)
    moveUp(set)
    await syncFolder(folder)
    return answer
  } catch (thrown) {
    throw writeFailure(asMeant(thrown, staging, folder), folder)
  } finally {
    rmSync(staging, { force: true, recursive: true })
    forgetTemporary(staging)
  }
}

/** Where a file of an unfinished set will lie; null for every other path. */
export function meantPath(path: string): string | null {
  const staging = dirname(path)
  return unfinished.test(basename(staging)) ? join(dirname(staging), basename(path)) : null
}

/** Names files that are to go from the folder above once the set takes its place. @param staging of `writeTogether` */
export async function markObsolete(staging: string, names: readonly string[]): Promise<void> {
  await writeFile(join(staging, obsolete), JSON.stringify(names), { mode: 0o600 })
}

/** Moves up what processes that have ended had written whole in a folder. Never throws. */
export async function finishSets(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const writer = setForm.exec(name)?.[1]
    if (writer === undefined || !isHere(writer)) continue
    if (writer !== ownIdentity() && mayBeAlive(writer)) continue
    try {
      moveUp(join(folder, name))
    } catch {
      // What cannot be moved is told by the check of the targets.
    }
  }
}

/** Whoever reads of a failure asked for a file in the folder, and never heard of the temporary one. */
export function asMeant(thrown: unknown, temporary: string, folder: string): unknown {
  if (!(thrown instanceof LabError)) return thrown
  const { kind, code, message, details } = thrown
  return new LabError(kind, code, message.replaceAll(temporary, folder), details)
}

/** What could not be moved is refused before anything is. */
async function prepareTargets(staging: string, folder: string, replace: boolean): Promise<void> {
  for (const name of await readdir(staging)) {
    if (name === obsolete) continue
    const { existing, mode } = await checkTarget(join(folder, name), replace)
    if (existing) await chmod(join(staging, name), mode)
  }
}

/** Without a pause: no signal of this process comes in between. */
function moveUp(set: string): void {
  const folder = dirname(set)
  const names = readdirSync(set)
  const files = names.filter((name) => name !== last && name !== obsolete)
  for (const name of files) moveFile(join(set, name), join(folder, name))
  if (names.includes(obsolete)) {
    for (const name of namesIn(join(set, obsolete))) rmSync(join(folder, name), { force: true })
  }
  if (names.includes(last)) moveFile(join(set, last), join(folder, last))
  rmSync(set, { force: true, recursive: true })
}

function namesIn(path: string): readonly string[] {
  const names: unknown = JSON.parse(readFileSync(path, 'utf8'))
  return Array.isArray(names) ? names.map((name) => basename(String(name))) : []
}

/** A symbolic link keeps pointing where it points, to another disk perhaps. */
function moveFile(from: string, to: string): void {
  const target = realOf(to)
  try {
    renameSync(from, target)
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EXDEV')) throw thrown
    copyFileSync(from, target)
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
