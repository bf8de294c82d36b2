import type { FileHandle } from 'node:fs/promises'
import type { ColumnarFormat } from '@shared/dataset'

/** What a table is packed in that is no text itself, but can be read as the text it holds. */
export type Packing = 'gzip' | 'zstd'

/** How the files of each begin; a stream of Arrow begins with the mark of a message. */
const magic: readonly (readonly [Packing | ColumnarFormat, readonly number[]])[] = [
  ['gzip', [0x1f, 0x8b]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['npy', [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]],
  ['parquet', [0x50, 0x41, 0x52, 0x31]],
  ['arrow', [0x41, 0x52, 0x52, 0x4f, 0x57, 0x31]],
  ['arrow', [0xff, 0xff, 0xff, 0xff]],
]

const longestMagic = 6

/** By the first bytes of a file, whatever its name is; null for plain text and for what is no table. */
export async function packingOf(handle: FileHandle): Promise<Packing | ColumnarFormat | null> {
  const head = new Uint8Array(longestMagic)
  const { bytesRead } = await handle.read(head, 0, longestMagic, 0)
  const found = magic.find(([, bytes]) => isAt(head.subarray(0, bytesRead), bytes))
  return found?.[0] ?? null
}

/** Has it columns of its own? */
export function isColumnar(packing: Packing | ColumnarFormat | null): packing is ColumnarFormat {
  return packing === 'npy' || packing === 'parquet' || packing === 'arrow'
}

function isAt(head: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, i) => head[i] === byte)
}
