import { isUtf8 } from 'node:buffer'
import type { Hash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { changedWhileRead } from '@engine/csv/source-errors'
import { BlockDecoder } from '@engine/csv/text-decoder'
import { packingOf } from '@engine/formats/packing'
import { unpacked } from '@engine/formats/unpack'
import { throwIfAborted } from '@engine/slices'
import type { Encoding } from '@shared/dataset'

const lineFeed = 10
const carriageReturn = 13
const byteOrderMark = Buffer.from('\ufeff')

/** One is worked on, one waits, one is being read. */
const buffers = 3

export interface SourceLinesOptions {
  readonly encoding: Encoding
  readonly signal: AbortSignal
  /** Takes every byte read. */
  readonly hash?: Hash
  readonly blockBytes: number
  /** That is read, from and up to the end of a line; absent: the whole file. */
  readonly stretch?: { readonly begin: number; readonly end: number }
}

/**
 * The text of a file in UTF-8, cut behind a line end, without a byte order mark; the last block may lack its line end. Where a
 * block has no line feed it ends behind a carriage return, or is held back and an empty one stands for it. A block is good until the one behind the
 * next is asked for, so that one can be read while another is worked on.
 * @throws LabError `csv.changed`, `cancelled`
 */
export async function* sourceLines(path: string, options: SourceLinesOptions): AsyncGenerator<Buffer> {
  const isFirst = (options.stretch?.begin ?? 0) === 0
  const lines = options.encoding === 'utf-8' ? new Utf8Lines(isFirst) : new DecodedLines(options.encoding)
  const handle = await open(path, 'r')
  try {
    const packing = await packingOf(handle)
    const raw = blocks(path, handle, options)
    const text = packing === null ? raw : unpacked(raw, packing, path)
    for await (const block of text) yield lines.take(block)
    yield lines.rest()
  } finally {
    await handle.close()
  }
}

async function* blocks(
  path: string,
  handle: FileHandle,
  { signal, hash, blockBytes, stretch }: SourceLinesOptions,
): AsyncGenerator<Buffer> {
  const before = await handle.stat()
  const { begin, end } = stretch ?? { begin: 0, end: before.size }
  const room = Array.from({ length: buffers }, () => Buffer.allocUnsafeSlow(blockBytes))
  const read = (turn: number, position: number) => {
    const reading = handle.read(room[turn % buffers], 0, Math.min(blockBytes, end - position), position)
    // Whoever waits for it is told.
    reading.catch(() => undefined)
    return reading
  }
  let total = begin
  for (let turn = 0, reading = read(0, begin); ; turn++) {
    throwIfAborted(signal)
    const { bytesRead } = await reading
    if (bytesRead === 0) break
    total += bytesRead
    reading = read(turn + 1, total)
    const bytes = room[turn % buffers].subarray(0, bytesRead)
    hash?.update(bytes)
    yield bytes
  }
  const after = await handle.stat()
  const same = total === end && after.size === before.size && after.mtimeMs === before.mtimeMs
  if (!same) throw changedWhileRead(path)
}

/** Behind the last line end of a block; 0 where there is none. */
function endOfLines(bytes: Buffer): number {
  const feed = bytes.lastIndexOf(lineFeed)
  if (feed >= 0) return feed + 1
  // The last byte may be half of a line end.
  return bytes.length < 2 ? 0 : bytes.lastIndexOf(carriageReturn, bytes.length - 2) + 1
}

/** Lines of UTF-8 as they stand in the file, unless they are damaged. */
class Utf8Lines {
  /** Of a line that is not complete. */
  #begun: Buffer[] = []
  #isFirst: boolean

  /** @param isFirst of the file, where a mark may stand */
  constructor(isFirst: boolean) {
    this.#isFirst = isFirst
  }

  take(bytes: Uint8Array): Buffer {
    const block = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    const end = endOfLines(block)
    const whole = end === 0 ? Buffer.alloc(0) : this.#joined(block.subarray(0, end))
    if (end < block.length) this.#begun.push(Buffer.from(block.subarray(end)))
    return whole
  }

  rest(): Buffer {
    return this.#joined(Buffer.alloc(0))
  }

  #joined(bytes: Buffer): Buffer {
    let whole = this.#begun.length === 0 ? bytes : Buffer.concat([...this.#begun, bytes])
    this.#begun = []
    if (this.#isFirst && whole.length > 0) {
      this.#isFirst = false
      const isMarked = whole.subarray(0, byteOrderMark.length).equals(byteOrderMark)
      if (isMarked) whole = whole.subarray(byteOrderMark.length)
    }
    return isUtf8(whole) ? whole : mended(whole)
  }
}

/** Bytes that are not valid are read as everywhere. */
function mended(lines: Buffer): Buffer {
  const decoder = new BlockDecoder('utf-8')
  // A mark is one at the beginning of the file alone.
  decoder.decode(Buffer.from('\n'), false)
  return Buffer.from(decoder.decode(lines, true).text)
}

/** Lines of another encoding. */
class DecodedLines {
  readonly #decoder: BlockDecoder
  #begun = ''

  constructor(encoding: Encoding) {
    this.#decoder = new BlockDecoder(encoding)
  }

  take(block: Uint8Array): Buffer {
    const text = this.#begun + this.#decoder.decode(block, false).text
    const feed = text.lastIndexOf('\n')
    const end = feed >= 0 ? feed + 1 : text.length < 2 ? 0 : text.lastIndexOf('\r', text.length - 2) + 1
    this.#begun = text.slice(end)
    return Buffer.from(text.slice(0, end))
  }

  rest(): Buffer {
    const rest = this.#begun + this.#decoder.decode(new Uint8Array(), true).text
    this.#begun = ''
    return Buffer.from(rest)
  }
}
