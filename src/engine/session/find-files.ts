/** Files of a session: are they as they were, and where are those that were moved. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileState } from '@shared/session'
import { sha256OfFile } from '../sha256-of-file'

/** What a file was. */
export interface KnownFile {
  readonly id: string
  readonly path: string
  readonly bytes: number
  readonly sha256: string | null
  readonly modifiedMs: number
}

/** How deep below a folder, and how many of its files are looked at: a person waits. */
const maxDepth = 4
const maxLooked = 20_000

/** Is a file as it was: by size and time, and where the time is another, by its SHA-256. */
export async function fileState({ path, bytes, sha256, modifiedMs }: KnownFile): Promise<FileState> {
  const facts = await stat(path).catch(() => null)
  if (facts === null || !facts.isFile()) return 'missing'
  // An older version noted neither.
  if (sha256 === null) return 'there'
  if (facts.size !== bytes) return 'changed'
  if (Math.abs(facts.mtimeMs - modifiedMs) < 1) return 'there'
  return (await sha256OfFile(path)) === sha256 ? 'there' : 'changed'
}

/** Files of these sizes and SHA-256 in a folder and below it, by the id of what is looked for. */
export async function findFiles(
  folder: string,
  wanted: readonly Pick<KnownFile, 'id' | 'bytes' | 'sha256'>[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for await (const { path, bytes } of filesBelow(folder)) {
    const open = wanted.filter((each) => !found.has(each.id) && each.bytes === bytes && each.sha256 !== null)
    if (open.length === 0) continue
    const sha256 = await sha256OfFile(path)
    for (const each of open) if (each.sha256 === sha256) found.set(each.id, path)
    if (wanted.every(({ id }) => found.has(id))) break
  }
  return found
}

/** The nearest first; hidden folders are left out. */
async function* filesBelow(folder: string): AsyncGenerator<{ path: string; bytes: number }> {
  let level = [folder]
  let looked = 0
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth++) {
    const below: string[] = []
    for (const one of level) {
      for (const entry of await readdir(one, { withFileTypes: true }).catch(() => [])) {
        const path = join(one, entry.name)
        if (entry.isDirectory() && !entry.name.startsWith('.')) below.push(path)
        if (!entry.isFile()) continue
        if (++looked > maxLooked) return
        const facts = await stat(path).catch(() => null)
        if (facts !== null) yield { path, bytes: facts.size }
      }
    }
    level = below
  }
}
