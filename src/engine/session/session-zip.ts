import type { Readable } from 'node:stream'
import { basename } from 'node:path'
import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { cancelled, LabError } from '@shared/errors'
import { throwIfAborted } from '../slices'

/** More than a session can have: a file that claims so is none. */
const maxEntries = 200_000
/** A larger array could not be had in one piece. */
const maxEntryBytes = 2 ** 31 - 1

const inflate = promisify(inflateRaw)

/** Whoever waits while a .clab is read. */
export interface ReadingWatch {
  readonly signal?: AbortSignal
  /** Told of the bytes of the entries that are read, as they lie in the file. */
  readonly onBytes?: (bytes: number, totalBytes: number) => void
}

/** The entries of a .clab, each checked against its size and its CRC-32 as it is read. */
export class SessionZip {
  private bytesRead = 0
  private readonly totalBytes: number

  private constructor(
    readonly path: string,
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
    private readonly watch: ReadingWatch,
  ) {
    this.totalBytes = [...entries.values()].reduce((sum, { compressedSize }) => sum + compressedSize, 0)
  }

  /** @throws LabError `session.damaged`, `session.unreadable` */
  static async open(path: string, watch: ReadingWatch = {}): Promise<SessionZip> {
    const zip = await new Promise<ZipFile>((resolve, reject) => {
      yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, opened) => {
        if (error) reject(openFailure(path, error))
        else resolve(opened)
      })
    })
    try {
      return new SessionZip(path, zip, await entriesOf(zip, path), watch)
    } catch (thrown) {
      zip.close()
      throw thrown
    }
  }

  close(): void {
    this.zip.close()
  }

  has(name: string): boolean {
    return this.entries.has(name)
  }

  /** @throws LabError `session.damaged` where there is none, or not what was written; `cancelled` */
  async read(name: string, maxBytes = maxEntryBytes): Promise<Buffer> {
    throwIfAborted(this.watch.signal)
    const entry = this.entries.get(name)
    if (entry === undefined) throw damaged(this.path, `${name} is missing`)
    if (entry.uncompressedSize > maxBytes) throw damaged(this.path, `${name} is too large`)
    try {
      const raw = await this.gathered(await this.stream(entry), entry.compressedSize)
      const bytes = entry.compressionMethod === 0 ? raw : await inflated(raw, entry.uncompressedSize)
      if (bytes.length === entry.uncompressedSize && crc32(bytes) === entry.crc32) return bytes
    } catch (error) {
      throwIfAborted(this.watch.signal)
      throw damaged(this.path, `${name}: ${String(error)}`)
    }
    throw damaged(this.path, `${name} is not what was written`)
  }

  /** As it lies in the file: yauzl's own inflating never ends where a damaged entry claims more than there is. */
  private stream(entry: Entry): Promise<Readable> {
    const decompress = entry.compressionMethod === 0 ? null : false
    return new Promise((resolve, reject) => {
      this.zip.openReadStream(
        entry,
        { decompress, decrypt: null, start: null, end: null },
        (error, stream) => {
          if (error) reject(error)
          else resolve(stream)
        },
      )
    })
  }

  /** By events: the streams of yauzl are older than iteration, which would wait for ever. */
  private gathered(stream: Readable, bytes: number): Promise<Buffer> {
    const { signal, onBytes } = this.watch
    const all = Buffer.allocUnsafeSlow(bytes)
    let at = 0
    return new Promise((resolve, reject) => {
      stream.on('data', (piece: Buffer) => {
        at += piece.copy(all, at)
        this.bytesRead += piece.length
        onBytes?.(this.bytesRead, this.totalBytes)
        if (signal?.aborted !== true) return
        reject(cancelled())
        stream.destroy()
      })
      stream.once('end', () => resolve(all.subarray(0, at)))
      stream.once('error', reject)
    })
  }
}

/** An empty one has nothing that a limit could hold for. */
async function inflated(raw: Buffer, bytes: number): Promise<Buffer> {
  return await inflate(raw, { maxOutputLength: Math.max(1, bytes) })
}

async function entriesOf(zip: ZipFile, path: string): Promise<ReadonlyMap<string, Entry>> {
  if (zip.entryCount > maxEntries) throw damaged(path, `${zip.entryCount} entries`)
  const entries = new Map<string, Entry>()
  return await new Promise((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      entries.set(entry.fileName, entry)
      zip.readEntry()
    })
    zip.once('end', () => resolve(entries))
    zip.once('error', (error) => reject(damaged(path, String(error))))
    zip.readEntry()
  })
}

function openFailure(path: string, error: NodeJS.ErrnoException): LabError {
  if (error.code === 'ENOENT') {
    const message = `${basename(path)} is not there: it was moved or removed; open it where it is now.`
    return new LabError('io', 'session.not-found', message, path)
  }
  if (error.code !== undefined) {
    const message = `${basename(path)} cannot be read (${error.code}): check its permissions.`
    return new LabError('io', 'session.unreadable', message, path)
  }
  return damaged(path, error.message)
}

/** In one sentence; what is open stays as it is. */
export function damaged(path: string, details: string): LabError {
  const message = `${basename(path)} is damaged, or no session of Centroid Lab: open another copy of it.`
  return new LabError('input', 'session.damaged', message, details)
}
