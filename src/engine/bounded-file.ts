import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'

/** A file's text, or why there is none: `unfit` is the end of a sentence, as in "it is larger than 1 MiB". */
export type BoundedText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unfit'; readonly why: string }

/**
 * Reads a small file of ours. What somebody, or a fault, made of it must cost neither time nor memory: a file beyond
 * `maxBytes` is not read at all, nor is a folder, a pipe that nobody writes to, or a device without an end.
 */
export async function readTextWithin(path: string, maxBytes: number): Promise<BoundedText> {
  let file: FileHandle
  try {
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    return isMissing(error) ? { kind: 'missing' } : { kind: 'unfit', why: 'it cannot be opened' }
  }
  try {
    return await textOf(file, maxBytes)
  } catch {
    return { kind: 'unfit', why: 'it cannot be read' }
  } finally {
    await file.close()
  }
}

async function textOf(file: FileHandle, maxBytes: number): Promise<BoundedText> {
  const facts = await file.stat()
  if (!facts.isFile()) return { kind: 'unfit', why: 'it is no file' }
  if (facts.size > maxBytes) return { kind: 'unfit', why: `it is larger than ${mebibytes(maxBytes)}` }
  // One that grows meanwhile is cut off where it may end, and then is no JSON any more.
  const bytes = Buffer.alloc(facts.size)
  let length = 0
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return { kind: 'text', text: bytes.toString('utf8', 0, length) }
}

function mebibytes(bytes: number): string {
  return bytes >= 2 ** 20 ? `${bytes / 2 ** 20} MiB` : `${bytes / 2 ** 10} KiB`
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
