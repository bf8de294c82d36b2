import { createHash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import type { FileFacts } from '@shared/dataset'
import { loadCpuAddon } from '../engines/native'
import { wordsOfPiece, type NativeFileHash, type ReadPieces } from '../engines/native-addon/file-hash'
import { throwIfAborted } from '../slices'
import { changedWhileRead, readFailure } from './source-errors'

/** Hashed at a time: then a cancel is heard. */
const piecesAtOnce = 128
const bytesAtOnce = 32 << 20

/** Readers may be so far ahead: what they read since is still in memory, and need not come from the disk again. */
const maxBehind = 1 << 30

const noPieces: ReadPieces = new BigUint64Array()

/**
 * The SHA-256 of a file, made behind those who read it, of the same bytes: nobody who waits for columns waits for it. Ends with `finish`
 * or `drop`.
 */
export class SourceHash {
  readonly #file: FileFacts
  readonly #handle: FileHandle
  readonly #hash: NativeFileHash
  readonly #signal: AbortSignal
  readonly #isCompared: boolean
  /** What was read and not hashed yet, in the order of the file. */
  readonly #waiting: ReadPieces[] = []
  #seen = 0
  #behind = 0
  #isComplete = false
  #working: Promise<void> = Promise.resolve()

  private constructor(file: FileFacts, handle: FileHandle, signal: AbortSignal) {
    const { FileHash } = loadCpuAddon().addon ?? {}
    this.#file = file
    this.#handle = handle
    this.#signal = signal
    this.#isCompared = Boolean(FileHash)
    this.#hash = FileHash ? new FileHash(handle.fd) : new ScriptHash(handle)
  }

  /** @throws LabError where the file cannot be opened */
  static async open(file: FileFacts, signal: AbortSignal): Promise<SourceHash> {
    const handle = await open(file.path).catch((thrown: unknown) => {
      throw readFailure(file.path, thrown)
    })
    return new SourceHash(file, handle, signal)
  }

  /** What was read next, in the order of the file. */
  add(pieces: ReadPieces): void {
    const words = piecesAtOnce * wordsOfPiece
    for (let at = 0; at < pieces.length; at += words) this.#waiting.push(pieces.subarray(at, at + words))
    this.#seen += bytesOf(pieces)
    this.#behind += bytesOf(pieces)
    if (this.#behind > maxBehind) this.#goOn()
  }

  /** Nothing follows: bytes that nobody added are not compared. @throws LabError `csv.changed`, `cancelled` */
  async finish(): Promise<string> {
    this.#isComplete = true
    this.#goOn()
    try {
      await this.#working
      await this.#hashRest()
      return this.#hash.hex()
    } catch (thrown) {
      throwIfAborted(this.#signal)
      throw readFailure(this.#file.path, thrown)
    } finally {
      await this.#handle.close()
    }
  }

  /** Nobody wants it. */
  async drop(): Promise<void> {
    this.#waiting.length = 0
    await this.#working.catch(() => undefined)
    await this.#handle.close()
  }

  #goOn(): void {
    this.#working = this.#working.then(() => this.#catchUp())
    // Who finishes is told.
    this.#working.catch(() => undefined)
  }

  async #catchUp(): Promise<void> {
    while (this.#isComplete || this.#behind > maxBehind) {
      const pieces = this.#waiting.shift()
      if (pieces === undefined) return
      const [begin, bytes] = pieces.subarray(-wordsOfPiece)
      await this.#add(pieces, Number(begin + bytes))
      this.#behind -= bytesOf(pieces)
    }
  }

  async #hashRest(): Promise<void> {
    const { bytes, modifiedMs } = this.#file
    for (let at = 0; at < bytes; at += bytesAtOnce)
      await this.#add(noPieces, Math.min(at + bytesAtOnce, bytes))
    if (this.#isCompared && this.#seen === bytes) return
    const now = await this.#handle.stat()
    if (now.size !== bytes || now.mtimeMs !== modifiedMs) throw changedWhileRead(this.#file.path)
  }

  async #add(pieces: ReadPieces, end: number): Promise<void> {
    throwIfAborted(this.#signal)
    if (!(await this.#hash.add(pieces, end))) throw changedWhileRead(this.#file.path)
  }
}

/** Of several lists, each in the order of the file, one. */
export function joinedPieces(all: readonly ReadPieces[]): ReadPieces {
  const pieces = all.flatMap((some) =>
    Array.from({ length: some.length / wordsOfPiece }, (_, i) =>
      some.subarray(i * wordsOfPiece, (i + 1) * wordsOfPiece),
    ),
  )
  pieces.sort(([begin], [other]) => (begin < other ? -1 : 1))
  const joined = new BigUint64Array(pieces.length * wordsOfPiece)
  pieces.forEach((piece, i) => joined.set(piece, i * wordsOfPiece))
  return joined
}

function bytesOf(pieces: ReadPieces): number {
  let bytes = 0
  for (let at = 1; at < pieces.length; at += wordsOfPiece) bytes += Number(pieces[at])
  return bytes
}

/** Where the addon makes none: what was read is not compared. */
class ScriptHash implements NativeFileHash {
  readonly #handle: FileHandle
  readonly #hash = createHash('sha256')
  readonly #block = new Uint8Array(1 << 20)
  #at = 0

  constructor(handle: FileHandle) {
    this.#handle = handle
  }

  async add(_pieces: ReadPieces, end: number): Promise<boolean> {
    while (this.#at < end) {
      const wanted = Math.min(this.#block.length, end - this.#at)
      const { bytesRead } = await this.#handle.read(this.#block, 0, wanted, this.#at)
      if (bytesRead === 0) return false
      this.#hash.update(this.#block.subarray(0, bytesRead))
      this.#at += bytesRead
    }
    return true
  }

  hex(): string {
    return this.#hash.digest('hex')
  }
}
