import { constants } from 'node:fs'
import { access, link, open, readlink, realpath, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { throwIfAborted } from '@engine/slices'
import { isLink, leadsNowhere } from './dangling-link'
import { refuseWrite, writeFailure } from './file-errors'
import { forgetTemporary, removeAbandoned, temporaryName, trackTemporary } from './temporary-files'

/** Text is gathered to pieces of about this many characters before it goes to the disk. */
const pieceCharacters = 1 << 18

/** Results are nobody else's business until their owner says so. A file that is replaced keeps its mode. */
const ownerOnly = 0o600

/** Where a writer puts its text. */
export interface TextSink {
  /** Resolves once there is room for more; awaiting it bounds the memory. @throws LabError `cancelled`. */
  write(text: string): Promise<void>
}

/** A sink that takes bytes too, after the text before them. */
export interface ByteSink extends TextSink {
  writeBytes(bytes: Uint8Array): Promise<void>
}

export interface AtomicOptions {
  /** Replace an existing file; otherwise it is refused. */
  readonly replace: boolean
  readonly signal: AbortSignal
}

/**
 * Writes one file so that it appears whole or not at all: into a temporary name in the same folder, flushed to
 * the disk, then renamed. On failure or cancel the temporary file is removed and what was there before stays.
 * @returns bytes written
 * @throws LabError `io` (folder missing, permission, disk full, ...), `input` when it exists, `cancelled`
 */
export async function writeAtomically(
  path: string,
  options: AtomicOptions,
  produce: (sink: FileSink) => Promise<void>,
): Promise<{ readonly path: string; readonly bytes: number }> {
  throwIfAborted(options.signal)
  try {
    const target = await checkTarget(path, options.replace)
    await removeAbandoned(dirname(target.path))
    const temporary = temporaryName(dirname(target.path))
    trackTemporary(temporary)
    try {
      const bytes = await writeTemporary(temporary, target.mode, options.signal, produce)
      throwIfAborted(options.signal)
      await moveToTarget(temporary, target.path, options.replace)
      return { path, bytes }
    } finally {
      await rm(temporary, { force: true })
      forgetTemporary(temporary)
    }
  } catch (thrown) {
    throw writeFailure(thrown, path)
  }
}

/**
 * Refuses a target that could not be written, before any work is spent on it.
 * @returns the file really meant (a symbolic link keeps pointing where it points), the mode to keep, is it there
 */
export async function checkTarget(
  path: string,
  replace: boolean,
): Promise<{ readonly path: string; readonly mode: number; readonly existing: boolean }> {
  try {
    const folder = await stat(dirname(path))
    if (!folder.isDirectory()) throw refuseWrite('ENOTDIR', path)
    await access(dirname(path), constants.W_OK)
    const existing = await stat(path).catch(absent)
    if (existing === null && isLink(path)) throw leadsNowhere(path, 'file')
    if (existing === null) return { path, mode: ownerOnly, existing: false }
    if (existing.isDirectory()) throw refuseWrite('EISDIR', path)
    if (!replace) throw refuseWrite('EEXIST', path)
    await access(path, constants.W_OK)
    return { path: await realpath(path), mode: existing.mode & 0o777, existing: true }
  } catch (thrown) {
    throw writeFailure(thrown, path)
  }
}

function absent(thrown: NodeJS.ErrnoException): null {
  if (thrown.code === 'ENOENT') return null
  throw thrown
}

async function writeTemporary(
  temporary: string,
  mode: number,
  signal: AbortSignal,
  produce: (sink: FileSink) => Promise<void>,
): Promise<number> {
  const file = await open(temporary, 'wx', ownerOnly)
  try {
    const sink = new FileSink(file, temporary, signal)
    await produce(sink)
    await sink.flush()
    await giveMode(file, mode)
    await file.sync()
    return sink.bytes
  } catch (thrown) {
    await removeOpen(file, temporary)
    throw thrown
  } finally {
    await file.close()
  }
}

/** Not when it is opened: the mask of the process would take from it what others had. */
async function giveMode(file: FileHandle, mode: number): Promise<void> {
  const { mode: now } = await file.stat()
  if ((now & 0o777) !== mode) await file.chmod(mode)
}

/** What failed is removed where it lies now: its folder may have been renamed meanwhile. */
async function removeOpen(file: FileHandle, name: string): Promise<void> {
  const now = await readlink(`/proc/self/fd/${file.fd}`).catch(() => name)
  await rm(now, { force: true }).catch(() => undefined)
}

/** Writes a file, or a stretch of one, from its beginning on. */
export class FileSink implements ByteSink {
  readonly path: string
  readonly #file: FileHandle | null
  readonly #signal: AbortSignal
  readonly #begin: number
  #pending = ''
  bytes = 0

  /** @param file null: bytes are counted and go nowhere */
  constructor(file: FileHandle | null, path: string, signal: AbortSignal, begin = 0) {
    this.#file = file
    this.path = path
    this.#signal = signal
    this.#begin = begin
  }

  /** Other processes wrote so much behind what was written here. */
  skip(bytes: number): void {
    this.bytes += bytes
  }

  async write(text: string): Promise<void> {
    this.#pending += text
    if (this.#pending.length >= pieceCharacters) await this.flush()
  }

  async writeBytes(bytes: Uint8Array): Promise<void> {
    await this.flush()
    await this.#append(bytes)
  }

  async flush(): Promise<void> {
    const piece = Buffer.from(this.#pending, 'utf8')
    this.#pending = ''
    await this.#append(piece)
  }

  async #append(bytes: Uint8Array): Promise<void> {
    throwIfAborted(this.#signal)
    // Not writeFile, which comes back to a busy event loop for each half MiB.
    const file = this.#file
    const begin = this.#begin + this.bytes
    for (let at = 0; file !== null && at < bytes.length;) {
      at += (await file.write(bytes, at, bytes.length - at, begin + at)).bytesWritten
    }
    this.bytes += bytes.length
  }
}

/** A rename replaces silently; a link refuses what came into being meanwhile, where the disk knows links. */
export async function moveToTarget(temporary: string, target: string, replace: boolean): Promise<void> {
  if (replace) await rename(temporary, target)
  else await linkOrRename(temporary, target)
  await syncFolder(dirname(target))
}

async function linkOrRename(temporary: string, target: string): Promise<void> {
  try {
    await link(temporary, target)
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST') throw thrown
    await checkTarget(target, false)
    await rename(temporary, target)
  }
}

/** Makes the new name itself last; not every file system allows it, and the file is whole either way. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}
