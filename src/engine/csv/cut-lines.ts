import type { FileHandle } from 'node:fs/promises'
import { gatheredData, rowParts, rowsOfBlock, type Talking } from '../processes/collective'
import type { RowPart } from '../engines/engine'
import { throwIfAborted } from '../slices'
import type { Stretch } from './native-reader'

const lineFeed = 10
const carriageReturn = 13

/** Looked through at a time. */
const bytesAtOnce = 4 << 20
/** Line ends of which one place is remembered. */
const feedsApart = 1024

/** What the lines of a process are, or why a file is not cut. */
export type CutOutcome =
  { readonly stretch: Stretch; readonly part: RowPart; readonly because: null } | { readonly because: string }

/** Line ends of a stretch of bytes. */
interface Lines {
  readonly feeds: number
  /** Where every so many of them are followed by a line. */
  readonly offsets: readonly number[]
  readonly hasLoneReturn: boolean
}

/**
 * The lines of a file for each process, cut where blocks of rows begin if every line below the header is a row: each counts
 * the lines of its share of the bytes, and finds the cuts that lie there.
 * @param firstRecord number of the first line that is a row
 */
export async function cutLines(
  file: FileHandle,
  bytes: number,
  firstRecord: number,
  processes: Talking,
  signal: AbortSignal,
): Promise<CutOutcome> {
  const { rank, size } = processes
  const share = (of: number) => Math.floor((bytes * of) / size)
  const [from, to] = [share(rank), share(rank + 1)]
  const own = await linesOf(file, from, to, signal)
  const counted = await gatheredData(processes, {
    feeds: own.feeds,
    hasLoneReturn: own.hasLoneReturn,
    isComplete: rank < size - 1 || bytes === 0 || (await lastByte(file, bytes)) === lineFeed,
  })
  if (counted.some(({ hasLoneReturn }) => hasLoneReturn))
    return { because: 'The file has lone carriage returns.' }
  const feeds = counted.reduce((sum, each) => sum + each.feeds, 0)
  const lines = feeds + (counted.every(({ isComplete }) => isComplete) ? 0 : 1)
  const rows = lines - (firstRecord - 1)
  if (rows < size * rowsOfBlock)
    return { because: `The file has fewer than ${rowsOfBlock} rows for each process.` }
  const parts = rowParts(rows, size)
  const before = counted.slice(0, rank).reduce((sum, each) => sum + each.feeds, 0)
  const found: [number, number][] = []
  for (const [of, { first }] of parts.entries()) {
    // So many line ends come before its first line.
    const feed = firstRecord - 1 + first - before
    if (of > 0 && feed > 0 && feed <= own.feeds) found.push([of, await behindFeed(file, from, own, feed)])
  }
  const begins = new Map((await gatheredData(processes, found)).flat())
  const part = parts[rank]
  const stretch = {
    begin: begins.get(rank) ?? 0,
    end: begins.get(rank + 1) ?? bytes,
    firstRecord: firstRecord + part.first,
  }
  return { stretch, part, because: null }
}

async function linesOf(file: FileHandle, from: number, to: number, signal: AbortSignal): Promise<Lines> {
  const offsets: number[] = []
  let feeds = 0
  let hasLoneReturn = false
  // One byte more tells whether a carriage return is half of a line end.
  const buffer = Buffer.allocUnsafe(bytesAtOnce + 1)
  for (let at = from; at < to; at += bytesAtOnce) {
    throwIfAborted(signal)
    const wanted = Math.min(bytesAtOnce, to - at)
    const { bytesRead } = await file.read(buffer, 0, wanted + 1, at)
    const all = buffer.subarray(0, bytesRead)
    const own = all.subarray(0, wanted)
    for (let i = own.indexOf(lineFeed); i >= 0; i = own.indexOf(lineFeed, i + 1)) {
      if (++feeds % feedsApart === 0) offsets.push(at + i + 1)
    }
    hasLoneReturn ||= holdsLoneReturn(all, own.length)
  }
  return { feeds, offsets, hasLoneReturn }
}

function holdsLoneReturn(bytes: Buffer, end: number): boolean {
  for (let i = bytes.indexOf(carriageReturn); i >= 0 && i < end; i = bytes.indexOf(carriageReturn, i + 1)) {
    if (bytes[i + 1] !== lineFeed) return true
  }
  return false
}

/** Behind a line end, counted from 1 among those from `from` on. */
async function behindFeed(file: FileHandle, from: number, { offsets }: Lines, feed: number): Promise<number> {
  const known = Math.floor(feed / feedsApart)
  const buffer = Buffer.allocUnsafe(bytesAtOnce)
  let left = feed - known * feedsApart
  for (let at = known === 0 ? from : offsets[known - 1]; ; at += bytesAtOnce) {
    if (left === 0) return at
    const { bytesRead } = await file.read(buffer, 0, bytesAtOnce, at)
    const bytes = buffer.subarray(0, bytesRead)
    for (let i = bytes.indexOf(lineFeed); i >= 0; i = bytes.indexOf(lineFeed, i + 1)) {
      if (--left === 0) return at + i + 1
    }
    if (bytesRead === 0) throw new RangeError()
  }
}

async function lastByte(file: FileHandle, bytes: number): Promise<number> {
  const buffer = Buffer.alloc(1)
  await file.read(buffer, 0, 1, bytes - 1)
  return buffer[0]
}
