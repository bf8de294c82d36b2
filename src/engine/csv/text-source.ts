import { constants } from 'node:buffer'
import type { Hash } from 'node:crypto'
import { open, stat, type FileHandle } from 'node:fs/promises'
import type { Stats } from 'node:fs'
import type { ColumnarFormat, Encoding } from '@shared/dataset'
import { isColumnar, packingOf } from '../formats/packing'
import { unpacked } from '../formats/unpack'
import { throwIfAborted } from '../slices'
import { changedWhileRead, firstLineTooLong, notAFile, readFailure } from './source-errors'
import { BlockDecoder, type DecodedText } from './text-decoder'

const defaultBlockBytes = 1 << 18

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

/** Line ends that the first bytes of a file must hold, and how many where lines are longer than 4 MiB. */
const enoughLines = 8
const enoughLongLines = 2
const longHead = 4 << 20

/**
 * The first bytes of a file: `least`, and more until a few lines are among them, or what shows that it is no text.
 * @param most bytes that can be looked at as one text
 * @throws LabError `csv.long-line` where even those hold no lines
 */
export async function readHead(
  path: string,
  least: number,
  most = constants.MAX_STRING_LENGTH,
): Promise<Uint8Array> {
  return await withSource(path, async (handle) => {
    const { size } = await handle.stat()
    let head: Uint8Array = new Uint8Array()
    for (let limit = least; ; limit *= 2) {
      head = await extended(handle, head, Math.min(limit, size, most))
      const wanted = head.length <= longHead ? enoughLines : enoughLongLines
      if (holdsLines(head, wanted) || holdsNul(head)) return head
      if (limit > most && size > most) throw firstLineTooLong(path)
      if (head.length < limit) return head
    }
  })
}

/** The first bytes of the text of a file. @param whole they are all there is */
export interface TextHead {
  readonly bytes: Uint8Array
  readonly whole: boolean
  /** The file has columns of its own, and no text. */
  readonly columnar: ColumnarFormat | null
}

/** As `readHead`, of a packed file those of the text that it holds. @throws LabError */
export async function readTextHead(path: string, least: number): Promise<TextHead> {
  const { bytes: size } = await sourceFacts(path)
  const packed = await withSource(path, (handle) => packedHead(path, handle, least))
  if (packed !== null) return packed
  const bytes = await readHead(path, least)
  return { bytes, whole: bytes.length === size, columnar: null }
}

async function packedHead(path: string, handle: FileHandle, least: number): Promise<TextHead | null> {
  const packing = await packingOf(handle)
  if (packing === null) return null
  if (isColumnar(packing)) return { bytes: new Uint8Array(), whole: true, columnar: packing }
  const { signal } = new AbortController()
  const head: Uint8Array[] = []
  let length = 0
  for await (const block of unpacked(rawBlocks(path, handle, { signal }), packing, path)) {
    head.push(Buffer.from(block))
    length += block.length
    if (length >= least && holdsLines(Buffer.concat(head), enoughLines)) {
      return { bytes: Buffer.concat(head), whole: false, columnar: null }
    }
  }
  return { bytes: Buffer.concat(head), whole: true, columnar: null }
}

/** A NUL character in any encoding: an image of a disk may have no line end in gigabytes. */
const nul = Buffer.alloc(4)

function holdsNul(head: Uint8Array): boolean {
  return Buffer.from(head.buffer, head.byteOffset, head.length).includes(nul)
}

async function extended(handle: FileHandle, head: Uint8Array, length: number): Promise<Uint8Array> {
  const longer = new Uint8Array(length)
  longer.set(head)
  let filled = head.length
  while (filled < length) {
    const { bytesRead } = await handle.read(longer, filled, length - filled, filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return longer.subarray(0, filled)
}

/** Has it so many line ends behind something that is not blank? */
function holdsLines(head: Uint8Array, wanted: number): boolean {
  let lines = 0
  let at = head.findIndex((byte) => byte > 32)
  if (at < 0) return false
  for (; at < head.length && lines < wanted; at++) {
    const isPair = head[at] === 13 && head[at + 1] === 10
    if ((head[at] === 10 || head[at] === 13) && !isPair) lines++
  }
  return lines >= wanted
}

export interface ReadTextOptions {
  readonly encoding: Encoding
  readonly signal: AbortSignal
  /** Takes every byte read. */
  readonly hash?: Hash
  readonly onBytes?: (total: number) => void
}

/**
 * The text of a file in blocks of about 256 KiB, without a byte order mark; memory is bounded by a block.
 * @throws LabError `csv.changed` when size or time of the file is another at the end, `cancelled`.
 */
export function readText(path: string, options: ReadTextOptions): AsyncGenerator<DecodedText> {
  return opened(path, (handle) => decoded(path, handle, options))
}

/** The bytes of a file in blocks, each good until the next is asked for. @throws LabError as `readText` */
export function readBytes(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  return opened(path, (handle) => blocks(path, handle, { signal }))
}

async function* opened<T>(path: string, read: (handle: FileHandle) => AsyncGenerator<T>): AsyncGenerator<T> {
  const handle = await open(path, 'r').catch((thrown: unknown) => {
    throw readFailure(path, thrown)
  })
  try {
    yield* read(handle)
  } catch (thrown) {
    throw isFileError(thrown) ? readFailure(path, thrown) : thrown
  } finally {
    await handle.close()
  }
}

async function* decoded(
  path: string,
  handle: FileHandle,
  options: ReadTextOptions,
): AsyncGenerator<DecodedText> {
  const decoder = new BlockDecoder(options.encoding)
  for await (const bytes of blocks(path, handle, options)) yield decoder.decode(bytes, false)
  yield decoder.decode(new Uint8Array(), true)
}

export interface ReadRawOptions extends Omit<ReadTextOptions, 'encoding'> {
  /** Read at a time. */
  readonly blockBytes?: number
}

/** What `read` makes of the bytes of a file, which it reads to their end. @throws LabError as `readText` */
export function readRaw<T>(
  path: string,
  options: ReadRawOptions,
  read: (raw: AsyncIterable<Uint8Array>, handle: FileHandle) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  return opened(path, (handle) => read(rawBlocks(path, handle, options), handle))
}

/** Of a packed file the text that it holds; bytes are hashed and counted as they stand in the file. */
async function* blocks(
  path: string,
  handle: FileHandle,
  options: Omit<ReadTextOptions, 'encoding'>,
): AsyncGenerator<Uint8Array> {
  const packing = await packingOf(handle)
  const raw = rawBlocks(path, handle, options)
  yield* packing === null ? raw : unpacked(raw, packing, path)
}

async function* rawBlocks(
  path: string,
  handle: FileHandle,
  { signal, hash, onBytes, blockBytes = defaultBlockBytes }: ReadRawOptions,
): AsyncGenerator<Uint8Array> {
  const before = factsOf(path, await handle.stat())
  const block = new Uint8Array(blockBytes)
  let total = 0
  for (;;) {
    throwIfAborted(signal)
    const { bytesRead } = await handle.read(block, 0, blockBytes, total)
    if (bytesRead === 0) break
    const bytes = block.subarray(0, bytesRead)
    total += bytesRead
    hash?.update(bytes)
    onBytes?.(total)
    yield bytes
  }
  await assertSame(path, handle, before, total)
}

/** @param total bytes that were read @throws LabError `csv.changed` */
async function assertSame(
  path: string,
  handle: FileHandle,
  before: SourceFacts,
  total: number,
): Promise<void> {
  const after = factsOf(path, await handle.stat())
  const same =
    total === before.bytes && after.bytes === before.bytes && after.modifiedMs === before.modifiedMs
  if (!same) throw changedWhileRead(path)
}

/** Opens a file for `read`, see readWhole. */
export function readColumnarSource(
  path: string,
  read: (handle: FileHandle, bytes: number) => Promise<number | null>,
): Promise<boolean> {
  return withSource(path, (handle) => readWhole(path, handle, (bytes) => read(handle, bytes)))
}

/** Reads a file to its end, by whatever way. @param read answers how many bytes it read; null: not to its end @throws LabError `csv.changed` */
export async function readWhole(
  path: string,
  handle: FileHandle,
  read: (bytes: number) => Promise<number | null>,
): Promise<boolean> {
  const before = factsOf(path, await handle.stat())
  const total = await read(before.bytes)
  if (total === null) return false
  await assertSame(path, handle, before, total)
  return true
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

/** Opens a file for what `use` reads of it. @throws LabError */
export async function withSource<T>(path: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  let handle: FileHandle | undefined
  try {
    handle = await open(path, 'r')
    return await use(handle)
  } catch (thrown) {
    throw handle === undefined || isFileError(thrown) ? readFailure(path, thrown) : thrown
  } finally {
    await handle?.close()
  }
}
