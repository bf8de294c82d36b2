import type { Hash } from 'node:crypto'
import { open, stat, type FileHandle } from 'node:fs/promises'
import type { Stats } from 'node:fs'
import type { Encoding } from '@shared/dataset'
import { throwIfAborted } from '../slices'
import { changedWhileRead, notAFile, readFailure } from './source-errors'

const blockBytes = 1 << 19

/** The names TextDecoder knows; Latin-1 is read as windows-1252, as every browser does. */
const decoderNames: Readonly<Record<Encoding, string>> = {
  'utf-8': 'utf-8',
  'utf-16le': 'utf-16le',
  'utf-16be': 'utf-16be',
  latin1: 'windows-1252',
}

export interface SourceFacts {
  readonly bytes: number
  readonly modifiedMs: number
}

/** Looks before anything is opened: opening a pipe would wait for its writer. */
export async function sourceFacts(path: string): Promise<SourceFacts> {
  const stats = await stat(path).catch((thrown: unknown) => {
    throw readFailure(path, thrown)
  })
  return factsOf(path, stats)
}

/** The first bytes of a file, at most `limit`. */
export async function readHead(path: string, limit: number): Promise<Uint8Array> {
  return await withSource(path, async (handle) => {
    const head = new Uint8Array(limit)
    let filled = 0
    while (filled < limit) {
      const { bytesRead } = await handle.read(head, filled, limit - filled, filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return head.subarray(0, filled)
  })
}

export interface ReadTextOptions {
  readonly encoding: Encoding
  readonly signal: AbortSignal
  /** Takes every byte read. */
  readonly hash?: Hash
  readonly onBytes?: (total: number) => void
}

/**
 * The text of a file in blocks of about 512 KiB, without a byte order mark; memory is bounded by a block.
 * @throws LabError `csv.changed` when size or time of the file is another at the end, `cancelled`.
 */
export async function* readText(path: string, options: ReadTextOptions): AsyncGenerator<string> {
  const handle = await open(path, 'r').catch((thrown: unknown) => {
    throw readFailure(path, thrown)
  })
  try {
    yield* decoded(path, handle, options)
  } catch (thrown) {
    throw isFileError(thrown) ? readFailure(path, thrown) : thrown
  } finally {
    await handle.close()
  }
}

async function* decoded(path: string, handle: FileHandle, options: ReadTextOptions): AsyncGenerator<string> {
  const before = factsOf(path, await handle.stat())
  const decoder = new TextDecoder(decoderNames[options.encoding])
  const block = new Uint8Array(blockBytes)
  let total = 0
  for (;;) {
    throwIfAborted(options.signal)
    const { bytesRead } = await handle.read(block, 0, blockBytes, total)
    if (bytesRead === 0) break
    const bytes = block.subarray(0, bytesRead)
    total += bytesRead
    options.hash?.update(bytes)
    options.onBytes?.(total)
    yield decoder.decode(bytes, { stream: true })
  }
  yield decoder.decode()
  const after = factsOf(path, await handle.stat())
  const same =
    total === before.bytes && after.bytes === before.bytes && after.modifiedMs === before.modifiedMs
  if (!same) throw changedWhileRead(path)
}

function isFileError(thrown: unknown): boolean {
  return thrown instanceof Error && 'syscall' in thrown
}

function factsOf(path: string, stats: Stats): SourceFacts {
  if (stats.isDirectory())
    throw readFailure(path, Object.assign(new Error('is a directory'), { code: 'EISDIR' }))
  if (!stats.isFile()) throw notAFile(path)
  return { bytes: stats.size, modifiedMs: stats.mtimeMs }
}

async function withSource<T>(path: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  let handle: FileHandle | undefined
  try {
    handle = await open(path, 'r')
    return await use(handle)
  } catch (thrown) {
    throw readFailure(path, thrown)
  } finally {
    await handle?.close()
  }
}
