/** Protocol Buffers as they go over the wire: https://protobuf.dev/programming-guides/encoding. */

/** A message or a part of one: bytes to be joined. */
export type Wire = Uint8Array

const varintType = 0
const lengthType = 2

/** A field of a whole number. */
export function whole(field: number, value: number | bigint): Wire {
  return joined([varint(field * 8 + varintType), varint(value)])
}

/** A field of bytes, or of a message. */
export function bytes(field: number, content: Wire): Wire {
  return joined([varint(field * 8 + lengthType), varint(content.length), content])
}

export function text(field: number, content: string): Wire {
  return bytes(field, new TextEncoder().encode(content))
}

export function message(field: number, parts: readonly Wire[]): Wire {
  return bytes(field, joined(parts))
}

export function joined(parts: readonly Wire[]): Wire {
  return Buffer.concat(parts)
}

/** Negative numbers as 64 bits of two's complement. */
function varint(value: number | bigint): Wire {
  const out: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  while (rest > 127n) {
    out.push(Number(rest & 127n) | 128)
    rest >>= 7n
  }
  out.push(Number(rest))
  return Uint8Array.from(out)
}
