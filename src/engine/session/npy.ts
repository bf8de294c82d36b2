/** Arrays as NumPy keeps them: whoever unpacks a session reads them with `numpy.load`. */
import { endianness } from 'node:os'
import type { Coordinates } from '../engines/engine'

type NpyArray = Int32Array | Coordinates
const prefixBytes = 10
const alignment = 64
const maxHeaderBytes = 1 << 12

/** Header and values of an array of any shape, C order. */
export function npyOf(values: NpyArray, shape: readonly number[]): readonly Uint8Array[] {
  const kind = values instanceof Int32Array ? 'i4' : values instanceof Float32Array ? 'f4' : 'f8'
  const order = endianness() === 'LE' ? '<' : '>'
  const sizes = shape.length === 1 ? `${shape[0]},` : shape.join(', ')
  const text = `{'descr': '${order}${kind}', 'fortran_order': False, 'shape': (${sizes}), }`
  const bytes = Math.ceil((prefixBytes + text.length + 1) / alignment) * alignment
  const header = Buffer.alloc(bytes, ' ')
  header.write('\x93NUMPY\x01\x00', 'latin1')
  header.writeUInt16LE(bytes - prefixBytes, prefixBytes - 2)
  header.write(text, prefixBytes, 'latin1')
  header.write('\n', bytes - 1, 'latin1')
  return [header, new Uint8Array(values.buffer, values.byteOffset, values.byteLength)]
}

/** What a file of our own holds; null for anything else. */
export function fromNpy(bytes: Buffer): { values: NpyArray; shape: readonly number[] } | null {
  if (bytes.length < prefixBytes || bytes.toString('latin1', 0, 6) !== '\x93NUMPY') return null
  const start = prefixBytes + bytes.readUInt16LE(prefixBytes - 2)
  if (start > Math.min(bytes.length, maxHeaderBytes)) return null
  const header = bytes.toString('latin1', prefixBytes, start)
  const order = endianness() === 'LE' ? '<' : '>'
  const found = /^\{'descr': '([<>])(i4|f4|f8)', 'fortran_order': False, 'shape': \(([\d, ]*)\), \}/.exec(
    header,
  )
  if (found === null || found[1] !== order) return null
  const shape = found[3].split(',').flatMap((size) => (size.trim() === '' ? [] : [Number(size)]))
  const Type = { i4: Int32Array, f4: Float32Array, f8: Float64Array }[found[2] as 'i4' | 'f4' | 'f8']
  const count = shape.reduce((product, size) => product * size, 1)
  if (bytes.length - start !== count * Type.BYTES_PER_ELEMENT) return null
  // A copy of its own: values are not aligned inside the file.
  const copy = bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + bytes.length) as ArrayBuffer
  return { values: new Type(copy), shape }
}
