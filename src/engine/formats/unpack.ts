import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import zlib from 'node:zlib'
import type { ColumnarFormat } from '@shared/dataset'
import { LabError } from '@shared/errors'
import { changedWhileRead } from '@engine/csv/source-errors'
import { isColumnar, type Packing } from './packing'

const textBlockBytes = 1 << 18

/**
 * The text that a packed file holds, in blocks, in the encoding that it has.
 * @param raw the bytes of the file, each block good until the next is asked for
 * @throws LabError `csv.damaged-archive`, `csv.changed`; what `raw` throws
 */
export function unpacked(
  raw: AsyncIterable<Uint8Array>,
  packing: Packing | ColumnarFormat,
  path: string,
): AsyncGenerator<Uint8Array> {
  // Nobody asks for the text of such a file, unless it was another one before.
  if (isColumnar(packing)) throw changedWhileRead(path)
  return decompressed(raw, packing, path)
}

async function* decompressed(
  raw: AsyncIterable<Uint8Array>,
  packing: 'gzip' | 'zstd',
  path: string,
): AsyncGenerator<Uint8Array> {
  const text = decompressor(packing, path)
  const copied = pipeline(Readable.from(copies(raw)), text)
  // It is told by the reading, below.
  copied.catch(() => undefined)
  try {
    for await (const block of text) yield block as Buffer
    await copied
  } catch (thrown) {
    throw isOfArchive(thrown) ? damagedArchive(path, packing, thrown) : thrown
  } finally {
    text.destroy()
  }
}

/** Blocks that wait within a stream must not change. */
async function* copies(raw: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const block of raw) yield Buffer.from(block)
}

function decompressor(packing: 'gzip' | 'zstd', path: string): Transform {
  if (packing === 'gzip') return zlib.createGunzip({ chunkSize: textBlockBytes })
  // Node 20, which may run the development tools, has none.
  if (typeof zlib.createZstdDecompress === 'function')
    return zlib.createZstdDecompress({ chunkSize: textBlockBytes })
  const sentence = `The file ${path} is compressed by Zstandard, which this Node.js cannot read: decompress it first (zstd -d).`
  throw new LabError('input', 'csv.not-text', sentence)
}

/** What zlib and zstd say of bytes that they do not understand. */
function isOfArchive(thrown: unknown): thrown is NodeJS.ErrnoException {
  if (!(thrown instanceof Error) || !('code' in thrown)) return false
  return /^(Z_|ZSTD_|ERR_ZLIB|ERR_TRAILING_JUNK)/.test(String(thrown.code))
}

function damagedArchive(path: string, packing: 'gzip' | 'zstd', cause: Error): LabError {
  const name = packing === 'gzip' ? 'gzip' : 'Zstandard'
  return new LabError(
    'input',
    'csv.damaged-archive',
    `The ${name} file ${path} is damaged or cut off: fetch or compress it again.`,
    cause.message,
  )
}
