import { createHash } from 'node:crypto'
import { mkdtempSync, renameSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hashed, type Dataset } from '../dataset/dataset'
import { loadCpuAddon } from '../engines/native'
import type { ReadPieces } from '../engines/native-addon/file-hash'
import { openDataset } from './open-dataset'
import { joinedPieces, SourceHash } from './source-hash'

const never = new AbortController().signal
const rows = 60_000
const text = `a,b\n${Array.from({ length: rows }, (_, i) => `${i % 97}.5,${i % 89}`).join('\n')}\n`
let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hash-'))
  path = join(folder, 'data.csv')
  writeFileSync(path, text)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const sha256 = (of: string) => createHash('sha256').update(of).digest('hex')
const open = (): Promise<Dataset> => openDataset(path, {}, () => undefined, never)
const isNative = Boolean(loadCpuAddon().addon?.FileHash)

/** Its time stays. */
function rewrite(write: () => void): void {
  const { atime, mtime } = statSync(path)
  write()
  utimesSync(path, atime, mtime)
}

describe.skipIf(!isNative)('a file that is hashed behind its reading', () => {
  it('has its SHA-256 once that is waited for', async () => {
    const dataset = await open()
    expect((await hashed(dataset)).file.sha256).toBe(sha256(text))
    expect(dataset.file.sha256).toBe(sha256(text))
  })

  it('is the one that was read where another takes its place', async () => {
    const dataset = await open()
    const other = join(folder, 'other.csv')
    writeFileSync(other, text.replaceAll('.5', '.7'))
    renameSync(other, path)
    expect((await hashed(dataset)).file.sha256).toBe(sha256(text))
  })
})

describe.skipIf(!isNative)('pieces of a file', () => {
  const bytes = Buffer.from(text)
  const facts = () => {
    const { size, mtimeMs } = statSync(path)
    return { path, name: 'data.csv', bytes: size, sha256: null, modifiedMs: mtimeMs }
  }
  /** As the addon's readers tell of them. */
  const piecesOf = async (blockBytes: number): Promise<ReadPieces> => {
    const all: ReadPieces[] = []
    const { TableReader } = loadCpuAddon().addon ?? {}
    const handle = await import('node:fs/promises').then((fs) => fs.open(path))
    const reader = new (TableReader as NonNullable<typeof TableReader>)({
      ...{ file: handle.fd, delimiter: ',', quote: '"', decimal: '.', leadingLines: 0, firstRecord: 2 },
      ...{ kept: Uint8Array.of(1, 1), watched: Uint8Array.of(0, 0), blockBytes, maxThreads: 2 },
    })
    for (;;) {
      const batch = await reader.next(Buffer.alloc(1 << 16))
      all.push(batch.read)
      if (batch.last) break
    }
    await handle.close()
    return joinedPieces(all)
  }

  it.each([1 << 18, 4096, 1000, 64])('of %i bytes are compared, all of them', async (blockBytes) => {
    const pieces = await piecesOf(blockBytes)
    const total = Array.from({ length: pieces.length / 3 }, (_, i) => Number(pieces[3 * i + 1]))
    expect(total.reduce((sum, one) => sum + one, 0)).toBe(bytes.length)
    const hash = await SourceHash.open(facts(), never)
    hash.add(pieces)
    expect(await hash.finish()).toBe(sha256(text))
  })

  it('that are missing are hashed as they are, and the time is compared', async () => {
    const pieces = await piecesOf(4096)
    const some = () => joinedPieces([pieces.subarray(9, 30), pieces.subarray(36, 60)])
    const hash = await SourceHash.open(facts(), never)
    hash.add(some())
    expect(await hash.finish()).toBe(sha256(text))
    const known = facts()
    const later = await SourceHash.open({ ...known, modifiedMs: known.modifiedMs - 1000 }, never)
    later.add(some())
    await expect(later.finish()).rejects.toMatchObject({ code: 'csv.changed' })
  })

  /** Of all pieces, once the file was changed. */
  const hashedAfter = async (change: () => void): Promise<string> => {
    const hash = await SourceHash.open(facts(), never)
    hash.add(await piecesOf(4096))
    rewrite(change)
    return hash.finish()
  }

  it('are refused where a byte is another, whatever the time says', async () => {
    const digit = text.at(-3) === '1' ? '2' : '1'
    const other = () => writeFileSync(path, `${text.slice(0, -3)}${digit}${text.slice(-2)}`)
    await expect(hashedAfter(other)).rejects.toMatchObject({
      code: 'csv.changed',
      message: `The file ${path} changed while it was read: wait until nothing writes to it, then open it again.`,
    })
  })

  it('are refused where the file ends before', async () => {
    const shorter = () => truncateSync(path, text.length - 1000)
    await expect(hashedAfter(shorter)).rejects.toMatchObject({ code: 'csv.changed' })
  })

  it('are the same where only the time is another', async () => {
    const touch = () => utimesSync(path, new Date(), new Date(1e12))
    expect(await hashedAfter(touch)).toBe(sha256(text))
  })

  it('are not hashed any more once that is cancelled', async () => {
    const closing = new AbortController()
    const hash = await SourceHash.open(facts(), closing.signal)
    hash.add(await piecesOf(4096))
    closing.abort()
    await expect(hash.finish()).rejects.toMatchObject({ kind: 'cancelled' })
  })

  it('that nobody wants are let go', async () => {
    const hash = await SourceHash.open(facts(), never)
    hash.add(await piecesOf(4096))
    await hash.drop()
  })
})
