import type { FileHandle } from 'node:fs/promises'
import type { Dataset } from '../dataset/dataset'
import { fileRow } from '../dataset/file-row'
import { gatheredData, rowParts, rowsOfBlock, type Talking } from '../processes/collective'
import type { RowPart } from '../engines/engine'
import { throwIfAborted } from '../slices'
import type { Stretch } from './native-reader'

const lineFeed = 10
const carriageReturn = 13

/** Looked through at a time. */
const bytesAtOnce = 4 << 20
/** Line ends of which one place is remembered. */
const endsApart = 1024

/** What the lines of a process are, or why a file is not cut. */
export type CutOutcome =
  { readonly stretch: Stretch; readonly part: RowPart; readonly because: null } | { readonly because: string }

export const tooFewRows = { because: `The file has fewer than ${rowsOfBlock} rows for each process.` }

/** Line ends of a stretch of bytes. */
interface Lines {
  readonly ends: number
  /** Behind every so many of them. */
  readonly offsets: readonly number[]
}

/** Lines of a file, of which each process counted those of its share of the bytes. */
export interface CountedLines {
  /** In the file. */
  readonly count: number
  readonly bytes: number
  /** Where the share of this process begins, and how many line ends come before it. */
  readonly from: number
  readonly before: number
  readonly own: Lines
}

export async function countLines(
  file: FileHandle,
  bytes: number,
  processes: Talking,
  signal: AbortSignal,
): Promise<CountedLines> {
  const { rank, size } = processes
  const share = (of: number) => Math.floor((bytes * of) / size)
  const [from, to] = [share(rank), share(rank + 1)]
  const own = await linesOf(file, from, to, signal)
  const counted = await gatheredData(processes, {
    ends: own.ends,
    isComplete:
      rank < size - 1 || bytes === 0 || [lineFeed, carriageReturn].includes(await lastByte(file, bytes)),
  })
  const endsOf = (parts: typeof counted) => parts.reduce((sum, { ends }) => sum + ends, 0)
  const isComplete = counted.every((each) => each.isComplete)
  const count = endsOf(counted) + (isComplete ? 0 : 1)
  return { count, bytes, from, before: endsOf(counted.slice(0, rank)), own }
}

/**
 * The lines for each process, cut where blocks of rows begin: who counted the line behind a cut finds where it begins. Each record
 * is a line.
 * @param numbering of the rows: which lines are none
 */
export async function cutLines(
  file: FileHandle,
  { count, bytes, from, before, own }: CountedLines,
  numbering: Pick<Dataset, 'firstRecord' | 'leftOutRecords' | 'blankRecords'>,
  processes: Talking,
): Promise<CutOutcome> {
  const { rank, size } = processes
  const { firstRecord, leftOutRecords, blankRecords } = numbering
  const rows = count - (firstRecord - 1) - leftOutRecords.length - blankRecords.length
  if (rows < size * rowsOfBlock) return tooFewRows
  const parts = rowParts(rows, size)
  const found: [number, number][] = []
  for (const [of, { first }] of parts.entries()) {
    // So many line ends come before its first line.
    const end = fileRow(numbering, first) - 1 - before
    if (of > 0 && end > 0 && end <= own.ends) found.push([of, await behindEnd(file, from, own, end)])
  }
  const begins = new Map((await gatheredData(processes, found)).flat())
  const part = parts[rank]
  const stretch = {
    begin: begins.get(rank) ?? 0,
    end: begins.get(rank + 1) ?? bytes,
    firstRecord: rank === 0 ? firstRecord : fileRow(numbering, part.first),
  }
  return { stretch, part, because: null }
}

async function linesOf(file: FileHandle, from: number, to: number, signal: AbortSignal): Promise<Lines> {
  const offsets: number[] = []
  let ends = 0
  for (let at = from; at < to; at += bytesAtOnce) {
    throwIfAborted(signal)
    await eachLineEnd(file, at, Math.min(bytesAtOnce, to - at), (behind) => {
      if (++ends % endsApart === 0) offsets.push(behind)
      return true
    })
  }
  return { ends, offsets }
}

/**
 * Calls `visit` with where the lines end: behind a line feed, or a carriage return that none follows.
 * @param visit answers whether there is more to be seen
 * @returns bytes that were there
 */
async function eachLineEnd(
  file: FileHandle,
  from: number,
  length: number,
  visit: (behind: number) => boolean,
): Promise<number> {
  // One byte more tells whether a carriage return is half of a line end.
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length + 1), 0, length + 1, from)
  const end = Math.min(length, bytesRead)
  const bytes = buffer.subarray(0, bytesRead)
  const next = (byte: number, at: number) => {
    const found = bytes.indexOf(byte, at)
    return found < 0 || found >= end ? end : found
  }
  for (let feed = next(lineFeed, 0), turn = next(carriageReturn, 0); Math.min(feed, turn) < end;) {
    const at = Math.min(feed, turn)
    if (at === feed) feed = next(lineFeed, at + 1)
    else {
      turn = next(carriageReturn, at + 1)
      if (bytes[at + 1] === lineFeed) continue
    }
    if (!visit(from + at + 1)) break
  }
  return end
}

/** Behind a line end, counted from 1 among those from `from` on. */
async function behindEnd(file: FileHandle, from: number, { offsets }: Lines, end: number): Promise<number> {
  const known = Math.floor(end / endsApart)
  let left = end - known * endsApart
  let found = known === 0 ? from : offsets[known - 1]
  for (let at = found; left > 0;) {
    const bytes = await eachLineEnd(file, at, bytesAtOnce, (behind) => {
      found = behind
      return --left > 0
    })
    if (bytes === 0) throw new RangeError()
    at += bytes
  }
  return found
}

async function lastByte(file: FileHandle, bytes: number): Promise<number> {
  const buffer = Buffer.alloc(1)
  await file.read(buffer, 0, 1, bytes - 1)
  return buffer[0]
}
