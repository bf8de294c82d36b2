import { endianness } from 'node:os'
import { bytesOf, type NpyKind } from './npy-header'
import type { NpyBlock } from './npy-blocks'

const arrays = {
  f4: Float32Array,
  f8: Float64Array,
  i1: Int8Array,
  i2: Int16Array,
  i4: Int32Array,
  i8: BigInt64Array,
  u1: Uint8Array,
  u2: Uint16Array,
  u4: Uint32Array,
  u8: BigUint64Array,
  b1: Uint8Array,
} as const satisfies Readonly<Record<NpyKind, unknown>>

/** The values of a block in the order of this machine's bytes; those of the block are turned where theirs is another. */
export function npyValues({ header, bytes }: NpyBlock): InstanceType<(typeof arrays)[NpyKind]> {
  const { kind, littleEndian } = header
  const size = bytesOf(kind)
  if (littleEndian !== (endianness() === 'LE')) turn(Buffer.from(bytes.buffer, 0, bytes.length), size)
  return new arrays[kind](bytes.buffer, 0, bytes.length / size)
}

function turn(bytes: Buffer, size: number): void {
  if (size === 2) bytes.swap16()
  else if (size === 4) bytes.swap32()
  else if (size === 8) bytes.swap64()
}
