import { LabError } from '@shared/errors'

/**
 * Frames between Electron main and the engine host:
 *
 *     uint32 LE  bytes of the body         } prefix
 *     uint32 LE  bytes of the header       }
 *     header     JSON { message, arrays: [{ type, length }] }
 *     payloads   the arrays' bytes, one after the other, in the byte order of this machine
 *
 * A typed array anywhere in a message travels as a payload; in the JSON it is `{ "$array": index }`, so bulk
 * data is never text. Numbers JSON cannot hold (NaN, infinities) are `{ "$number": "NaN" }`.
 */
const arrayTypes = { Float32Array, Float64Array, Int32Array, Uint32Array, Uint8Array } as const
type ArrayType = keyof typeof arrayTypes
type FrameArray = InstanceType<(typeof arrayTypes)[ArrayType]>

const prefixBytes = 8
/** Chunks are at most 1 MiB and a record with a long history a few MiB: what is larger is a fault. */
export const maximumFrameBytes = 256 * 2 ** 20

function arrayTypeOf(value: unknown): ArrayType | null {
  if (!ArrayBuffer.isView(value)) return null
  const name = value.constructor.name === 'Buffer' ? 'Uint8Array' : value.constructor.name
  if (name in arrayTypes) return name as ArrayType
  throw new TypeError(`Expected an array of ${Object.keys(arrayTypes).join(', ')} but received ${name}`)
}

/** The bytes of one frame, in pieces: prefix and header first, then a view on each array (not copied). */
export function encodeFrame(message: unknown): Uint8Array[] {
  const arrays: { type: ArrayType; length: number }[] = []
  const payloads: Uint8Array[] = []
  // `this` is the holder: a Buffer's toJSON has already run on `value`.
  const text = JSON.stringify({ message }, function (this: Record<string, unknown>, key, value: unknown) {
    const original = this[key]
    const type = arrayTypeOf(original)
    if (type !== null) {
      const view = original as FrameArray
      arrays.push({ type, length: view.length })
      payloads.push(new Uint8Array(view.buffer, view.byteOffset, view.byteLength))
      return { $array: arrays.length - 1 }
    }
    if (typeof value === 'number' && !Number.isFinite(value)) return { $number: String(value) }
    return value
  })
  const header = Buffer.from(`${text.slice(0, -1)},"arrays":${JSON.stringify(arrays)}}`)
  const prefix = Buffer.alloc(prefixBytes)
  prefix.writeUInt32LE(
    payloads.reduce((sum, payload) => sum + payload.byteLength, header.length),
    0,
  )
  prefix.writeUInt32LE(header.length, 4)
  return [Buffer.concat([prefix, header]), ...payloads]
}

function readArrays(body: Buffer, start: number, described: readonly { type: ArrayType; length: number }[]) {
  let position = start
  return described.map(({ type, length }) => {
    const Type = arrayTypes[type]
    const bytes = length * Type.BYTES_PER_ELEMENT
    if (position + bytes > body.length) throw damaged('an array reaches past the end of its frame')
    // A copy of its own: payloads are not aligned inside the frame.
    const from = body.byteOffset + position
    position += bytes
    return new Type(body.buffer.slice(from, from + bytes) as ArrayBuffer)
  })
}

function decodeBody(body: Buffer, headerBytes: number): unknown {
  const text = body.toString('utf8', 0, headerBytes)
  const arrays = readArrays(body, headerBytes, (JSON.parse(text) as { arrays: [] }).arrays)
  const revive = (_key: string, value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if ('$array' in value) return arrays[value.$array as number]
    return '$number' in value ? Number(value.$number) : value
  }
  return (JSON.parse(text, revive) as { message: unknown }).message
}

function damaged(details: string): LabError {
  return new LabError(
    'internal',
    'frame.damaged',
    'The engine process sent an unreadable answer and is starting again: repeat the last step.',
    details,
  )
}

/** Puts frames together from whatever pieces a pipe delivers. */
export class FrameReader {
  private readonly prefix = Buffer.alloc(prefixBytes)
  private body: Buffer | null = null
  private filled = 0
  private headerBytes = 0

  constructor(private readonly limitBytes = maximumFrameBytes) {}

  /** @returns the messages that this piece completed. @throws LabError for a frame that cannot be right. */
  push(chunk: Uint8Array): unknown[] {
    const messages: unknown[] = []
    let position = 0
    while (position < chunk.length) {
      position += this.fill(chunk.subarray(position))
      if (this.body === null && this.filled === prefixBytes) this.startBody()
      else if (this.body !== null && this.filled === this.body.length) messages.push(this.finish(this.body))
    }
    return messages
  }

  private fill(chunk: Uint8Array): number {
    const target = this.body ?? this.prefix
    const count = Math.min(chunk.length, target.length - this.filled)
    target.set(chunk.subarray(0, count), this.filled)
    this.filled += count
    return count
  }

  private startBody(): void {
    const bytes = this.prefix.readUInt32LE(0)
    this.headerBytes = this.prefix.readUInt32LE(4)
    if (bytes > this.limitBytes) throw damaged(`a frame of ${bytes} bytes; the limit is ${this.limitBytes}`)
    if (this.headerBytes > bytes || this.headerBytes === 0) throw damaged('a header longer than its frame')
    this.body = Buffer.allocUnsafeSlow(bytes)
    this.filled = 0
  }

  private finish(body: Buffer): unknown {
    this.body = null
    this.filled = 0
    return decodeBody(body, this.headerBytes)
  }
}
