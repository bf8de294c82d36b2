import zlib from 'node:zlib'
import { LabError } from '@shared/errors'
import { decodeLz4Block } from './lz4'

/** @param size bytes that it holds @throws whatever the library throws */
export type Decompress = (bytes: Uint8Array, size: number) => Uint8Array

/** @throws LabError where this Node.js has none */
export function decompressZstd(bytes: Uint8Array): Uint8Array {
  // Node 20, which may run the development tools, has none.
  if (typeof zlib.zstdDecompressSync === 'function') return aligned(zlib.zstdDecompressSync(bytes))
  const sentence =
    'The file is compressed by Zstandard, which this Node.js cannot read: write it without compression.'
  throw new LabError('input', 'csv.not-text', sentence)
}

export const decompressGzip: Decompress = (bytes) => aligned(zlib.gunzipSync(bytes))
export const decompressBrotli: Decompress = (bytes) => aligned(zlib.brotliDecompressSync(bytes))

export const decompressLz4Raw: Decompress = (bytes, size) => {
  const into = new Uint8Array(size)
  decodeLz4Block(bytes, into, 0)
  return into
}

/** Numbers of 8 bytes are read where they lie. */
function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 ? bytes : Uint8Array.from(bytes)
}
