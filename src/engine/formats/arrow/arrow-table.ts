import type { FileHandle } from 'node:fs/promises'
import type * as Flechette from '@uwdata/flechette'
import {
  everyRow,
  groupWithin,
  type ColumnarGroup,
  type ColumnarTable,
  type LeftOutColumn,
  type LocatedGroup,
} from '../column-cells'
import { columnarRefusal, orDamaged } from '../columnar-failure'
import { decompressZstd } from '../decompress'
import { decodeLz4Frame } from '../lz4'
import { readAt } from '../read-at'
import { arrowKind, type ArrowKind } from './arrow-kind'
import { arrowMessages, messageKinds, type ArrowMessage } from './arrow-messages'

type Library = typeof Flechette

/** Values as they stand, none of them rounded. */
const asTheyStand = { useBigInt: true, useDecimalInt: true, useBigIntTimestamp: true } as const

interface ArrowFile {
  readonly library: Library
  readonly handle: FileHandle
  readonly path: string
  readonly messages: readonly ArrowMessage[]
  /** By the index of the table's columns: the slot in the schema, and what it holds. */
  readonly columns: readonly (ArrowKind & { readonly slot: number; readonly name: string })[]
}

/**
 * The columns of an Arrow IPC file or stream (Feather 2); memory is bounded by a record batch and the dictionaries.
 * @throws LabError `csv.arrow`
 */
export async function openArrow(handle: FileHandle, path: string): Promise<ColumnarTable> {
  const library = await withCodecs()
  const { messages, ends } = await orDamaged('arrow', path, () => arrowMessages(handle))
  const { columns, leftOut } = await orDamaged('arrow', path, () => schemaOf(library, handle, path, messages))
  const file: ArrowFile = { library, handle, path, messages, columns }
  return {
    columns,
    leftOut,
    rows: messages.reduce((sum, { rows }) => sum + rows, 0),
    warnings: ends ? [] : ['The stream has no mark at its end: it may be cut off.'],
    groups: (part) => recordBatches(file, part),
    groupAt: (row) => recordBatchAt(file, row),
  }
}

/** With the dictionaries as they are there. @throws RangeError, LabError `csv.arrow` */
async function recordBatchAt(file: ArrowFile, row: number): Promise<LocatedGroup> {
  const dictionaries = new Map<number, ArrowMessage[]>()
  let first = 0
  for (const message of file.messages) {
    if (message.kind === messageKinds.dictionary) {
      const begun = message.isDelta ? (dictionaries.get(message.id) ?? []) : []
      dictionaries.set(message.id, [...begun, message])
    }
    if (message.kind !== messageKinds.batch) continue
    if (row < first + message.rows) {
      const { column } = await batchWith(file, [...dictionaries.values()].flat(), message)
      return { first, rows: message.rows, column }
    }
    first += message.rows
  }
  throw new RangeError(`The file has ${first} rows.`)
}

async function batchWith(
  file: ArrowFile,
  dictionaries: readonly ArrowMessage[],
  message: ArrowMessage,
): Promise<ColumnarGroup> {
  const { handle, path, messages } = file
  return orDamaged('arrow', path, async () => {
    const known: Uint8Array[] = []
    for (const one of [messages[0], ...dictionaries]) known.push(await bytesOf(handle, one))
    return recordBatch(file, known, message)
  })
}

async function withCodecs(): Promise<Library> {
  const library = await import('@uwdata/flechette')
  const { CompressionType, setCompressionCodec } = library
  const encode = (): never => {
    throw new Error('Nothing is written.')
  }
  setCompressionCodec(CompressionType.LZ4_FRAME, { decode: decodeLz4Frame, encode })
  setCompressionCodec(CompressionType.ZSTD, { decode: decompressZstd, encode })
  return library
}

async function schemaOf(
  { tableFromIPC }: Library,
  handle: FileHandle,
  path: string,
  messages: readonly ArrowMessage[],
): Promise<{ columns: ArrowFile['columns']; leftOut: LeftOutColumn[] }> {
  const [first] = messages
  if (first?.kind !== messageKinds.schema) throw new Error('The file does not begin with a schema.')
  const { schema } = tableFromIPC([await bytesOf(handle, first)])
  if (schema.endianness === 1) {
    throw columnarRefusal('arrow', path, 'has its high bytes first', 'write it with little-endian values')
  }
  const columns: (ArrowKind & { slot: number; name: string })[] = []
  const leftOut: LeftOutColumn[] = []
  for (const [slot, { name, type }] of schema.fields.entries()) {
    const kind = arrowKind(type)
    if (typeof kind === 'string') leftOut.push({ name, holds: kind })
    else columns.push({ name, slot, ...kind })
  }
  return { columns, leftOut }
}

function bytesOf(handle: FileHandle, { start, end }: ArrowMessage): Promise<Uint8Array> {
  return readAt(handle, start, end - start)
}

/** Those that hold rows of the part, each as far as it does. */
async function* recordBatches(file: ArrowFile, part = everyRow): AsyncGenerator<ColumnarGroup> {
  const { handle, path, messages } = file
  const schema = await orDamaged('arrow', path, () => bytesOf(handle, messages[0]))
  /** By their ids: what they hold now. */
  const dictionaries = new Map<number, Uint8Array[]>()
  let before = 0
  for (const message of messages) {
    if (before >= part.first + part.count) return
    if (message.kind === messageKinds.dictionary) {
      const bytes = await orDamaged('arrow', path, () => bytesOf(handle, message))
      const begun = message.isDelta ? (dictionaries.get(message.id) ?? []) : []
      dictionaries.set(message.id, [...begun, bytes])
    }
    if (message.kind !== messageKinds.batch || message.rows === 0) continue
    const first = before
    before += message.rows
    if (before <= part.first) continue
    const known = [schema, ...[...dictionaries.values()].flat()]
    const batch = await orDamaged('arrow', path, () => recordBatch(file, known, message))
    const within = groupWithin(batch, first, part)
    if (within !== null) yield within
  }
}

async function recordBatch(
  { library, handle, path, columns }: ArrowFile,
  known: readonly Uint8Array[],
  message: ArrowMessage,
): Promise<ColumnarGroup> {
  const table = library.tableFromIPC([...known, await bytesOf(handle, message)], asTheyStand)
  const column = (index: number) =>
    orDamaged('arrow', path, () => {
      const [batch] = table.getChildAt(columns[index].slot).data
      if (batch?.length !== message.rows) throw new Error(`Column ${columns[index].name} is too short.`)
      return columns[index].cells(batch)
    })
  return { rows: message.rows, end: message.end, column }
}
