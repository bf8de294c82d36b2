import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { identityPattern, isHere, mayBeAlive, ownIdentity } from '../process-identity'

/** Half-written files and folders of this process. A forced exit must not leave them behind either. */
const halfWritten = new Set<string>()
let listening = false

/** Ours, with the process that writes it: `.<identity>-<random>.centroid-lab.tmp`. */
const temporaryForm = new RegExp(`^\\.(${identityPattern})-[0-9a-f]{12}\\.centroid-lab\\.tmp$`)

/** A name in a folder that nobody else has. */
export function temporaryName(folder: string): string {
  return join(folder, `.${ownIdentity()}-${randomBytes(6).toString('hex')}.centroid-lab.tmp`)
}

export function trackTemporary(path: string): void {
  halfWritten.add(path)
  if (listening) return
  listening = true
  process.once('exit', () => {
    for (const left of halfWritten) rmSync(left, { force: true, recursive: true })
  })
}

export function forgetTemporary(path: string): void {
  halfWritten.delete(path)
}

/**
 * Takes away what processes that have ended, killed for instance, left half-written in a folder; what a living one writes stays, and
 * so does what another machine may be writing. Never throws: what cannot be removed does no harm.
 */
export async function removeAbandoned(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  const left = names.filter((name) => isAbandoned(name))
  await Promise.all(
    left.map((name) =>
      rm(join(resolve(folder), name), { force: true, recursive: true }).catch(() => undefined),
    ),
  )
}

function isAbandoned(name: string): boolean {
  const identity = temporaryForm.exec(name)?.[1]
  if (identity === undefined || !isHere(identity)) return false
  // What this process wrote itself lies in a folder that was renamed meanwhile.
  if (identity === ownIdentity()) return ![...halfWritten].some((path) => basename(path) === name)
  return !mayBeAlive(identity)
}
