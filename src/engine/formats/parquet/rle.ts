/**
 * Decodes `count` whole numbers of `width` bits, run-length encoded or packed
 * (https://github.com/apache/parquet-format/blob/master/Encodings.md, RLE). What is damaged never takes more room than this.
 * @throws RangeError where the bytes from `from` to `end` do not hold so many
 */
export function decodeRle(
  bytes: Uint8Array,
  [from, end]: readonly [number, number],
  width: number,
  count: number,
): Uint32Array {
  const values = new Uint32Array(count)
  if (width === 0) return values
  if (width > 32 || end > bytes.length) throw new RangeError('The run lengths are damaged.')
  let at = from
  const next = (): number => {
    if (at >= end) throw new RangeError('The run lengths end too early.')
    return bytes[at++]
  }
  const bytesOfValue = Math.ceil(width / 8)
  for (let filled = 0; filled < count;) {
    const head = varint(next)
    if (head % 2 === 0) {
      const last = Math.min(count, filled + head / 2)
      values.fill(littleEndian(next, bytesOfValue), filled, last)
      filled = last
    } else {
      const packed = ((head - 1) / 2) * width
      const last = Math.min(count, filled + (packed / width) * 8)
      const behind = Math.min(end, at + packed)
      unpack(next, width, values.subarray(filled, last))
      filled = last
      at = behind
    }
  }
  return values
}

function varint(next: () => number): number {
  let value = 0
  for (let scale = 1; ; scale *= 128) {
    const byte = next()
    value += (byte & 127) * scale
    if (byte < 128) return value
    if (scale > 2 ** 35) throw new RangeError('The run lengths are damaged.')
  }
}

function littleEndian(next: () => number, bytes: number): number {
  let value = 0
  for (let i = 0, scale = 1; i < bytes; i++, scale *= 256) value += next() * scale
  return value
}

/** Fewer than 40 bits are held, which a number does exactly. */
function unpack(next: () => number, width: number, values: Uint32Array): void {
  const range = 2 ** width
  let held = 0
  let bits = 0
  for (let i = 0; i < values.length; i++) {
    for (; bits < width; bits += 8) held += next() * 2 ** bits
    const rest = Math.floor(held / range)
    values[i] = held - rest * range
    held = rest
    bits -= width
  }
}
