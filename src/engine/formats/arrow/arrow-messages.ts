import type { FileHandle } from 'node:fs/promises'
import { readAt } from '../read-at'

/** What an IPC message brings, by its number in the format. */
export const messageKinds = { schema: 1, dictionary: 2, batch: 3 } as const

/** A message of a file, as it lies there. */
export interface ArrowMessage {
  readonly kind: number
  /** Of a record batch. */
  readonly rows: number
  /** Of a dictionary, and whether it goes on with what an earlier message began. */
  readonly id: number
  readonly isDelta: boolean
  /** Bytes, from the beginning of the file. */
  readonly start: number
  readonly end: number
}

const continuation = -1
const fileMagic = Buffer.from('ARROW1')

/** Fields within fields. */
const maxDepth = 64

/** Before the first message of a file, the padding too. */
const fileHead = 8

/** @returns all messages, without their bodies; `ends` is false where nothing marks the end of a stream @throws RangeError */
export async function arrowMessages(
  handle: FileHandle,
): Promise<{ messages: ArrowMessage[]; ends: boolean }> {
  const { size } = await handle.stat()
  const isFile = fileMagic.equals(await readAt(handle, 0, Math.min(size, fileMagic.length)))
  if (isFile) {
    const last = await readAt(handle, size - fileMagic.length, fileMagic.length)
    if (!fileMagic.equals(last)) throw new RangeError('The end of the file is missing.')
  }
  const messages: ArrowMessage[] = []
  let at = isFile ? fileHead : 0
  while (at < size) {
    const head = viewOf(await readAt(handle, at, 4))
    const isNew = head.getInt32(0, true) === continuation
    const prefix = isNew ? 8 : 4
    const length = isNew ? viewOf(await readAt(handle, at + 4, 4)).getInt32(0, true) : head.getInt32(0, true)
    if (length === 0) return { messages, ends: true }
    const message = messageOf(await readAt(handle, at + prefix, length), at, prefix)
    if (message.end > size) throw new RangeError(`The message at ${at} ends behind the file.`)
    messages.push(message)
    at = message.end
  }
  return { messages, ends: false }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}

/** The few things that it takes to find one's way (https://arrow.apache.org/docs/format/Columnar.html). */
function messageOf(metadata: Uint8Array, start: number, prefix: number): ArrowMessage {
  const view = viewOf(metadata)
  const message = new FlatTable(view, view.getInt32(0, true))
  const kind = message.at(1, (at) => view.getUint8(at), 0)
  const content = message.table(2)
  const body = message.at(3, (at) => Number(view.getBigInt64(at, true)), 0)
  if (!(body >= 0)) throw new RangeError(`The message at ${start} says that it has ${body} bytes.`)
  if (kind === messageKinds.schema && content !== null) assertFinite(content, 2, 1)
  const isDictionary = kind === messageKinds.dictionary
  const batch = isDictionary ? (content?.table(1) ?? null) : content
  const isBatch = isDictionary || kind === messageKinds.batch
  const rows = isBatch && batch !== null ? rowsOf(batch) : 0
  return {
    kind,
    rows: isDictionary ? 0 : rows,
    id: isDictionary ? (content?.whole(0) ?? 0) : 0,
    isDelta: isDictionary && content?.at(2, (at) => view.getUint8(at) !== 0, false) === true,
    start,
    end: start + prefix + metadata.length + body,
  }
}

/** Lists of a schema, of its fields and of those within them, that are no longer than the message. @throws RangeError */
function assertFinite(table: FlatTable, metadata: number, fields: number, depth = 0): void {
  if (depth > maxDepth) throw new RangeError('The schema is too deep.')
  table.items(metadata)
  for (const field of table.tables(fields)) assertFinite(field, 6, 5, depth + 1)
}

/** Rows of a batch. Counts that do not agree are damage: the library would take them at their word, and any amount of memory. */
function rowsOf(batch: FlatTable): number {
  const rows = batch.whole(0)
  const [nodes, buffers, variadic] = [batch.items(1), batch.items(2), batch.items(4)]
  const isRight = rows >= 0 && (nodes.count === 0 || nodes.wholeAt(0) === rows)
  const counts = Array.from({ length: Math.min(variadic.count, buffers.count) }, (_, i) =>
    variadic.wholeAt(i * 8),
  )
  const areRight =
    variadic.count <= buffers.count && counts.every((count) => count >= 0 && count <= buffers.count)
  if (!isRight || !areRight) throw new RangeError('The counts of a record batch do not agree.')
  return rows
}

/** A table of a flatbuffer. */
class FlatTable {
  readonly #view: DataView
  readonly #at: number

  constructor(view: DataView, at: number) {
    this.#view = view
    this.#at = at
  }

  at<T>(slot: number, read: (at: number) => T, otherwise: T): T {
    const fields = this.#at - this.#view.getInt32(this.#at, true)
    const entry = 4 + 2 * slot
    if (entry >= this.#view.getUint16(fields, true)) return otherwise
    const offset = this.#view.getUint16(fields + entry, true)
    return offset === 0 ? otherwise : read(this.#at + offset)
  }

  /** A whole number of 64 bits. */
  whole(slot: number): number {
    return this.at(slot, (at) => Number(this.#view.getBigInt64(at, true)), 0)
  }

  /** A vector: how many elements it has, and a whole number of 64 bits so many bytes behind its beginning. */
  items(slot: number): { readonly count: number; readonly wholeAt: (offset: number) => number } {
    const begin = this.at(slot, (at) => at + this.#view.getUint32(at, true), -1)
    const count = begin < 0 ? 0 : this.#view.getUint32(begin, true)
    // Of an element there are four bytes at least.
    if (count * 4 > this.#view.byteLength)
      throw new RangeError(`A list of ${count} is longer than its message.`)
    const wholeAt = (offset: number) => Number(this.#view.getBigInt64(begin + 4 + offset, true))
    return { count, wholeAt }
  }

  /** A vector of tables. */
  tables(slot: number): FlatTable[] {
    const begin = this.at(slot, (at) => at + this.#view.getUint32(at, true), -1)
    return Array.from({ length: this.items(slot).count }, (_, i) => {
      const at = begin + 4 + 4 * i
      return new FlatTable(this.#view, at + this.#view.getUint32(at, true))
    })
  }

  table(slot: number): FlatTable | null {
    return this.at(slot, (at) => new FlatTable(this.#view, at + this.#view.getInt32(at, true)), null)
  }
}
