import { isAscii } from 'node:buffer'

/**
 * Length of the valid UTF-8 sequence at `at` (Unicode 15, table 3-7); 0 where there is none.
 * @param length bytes that count
 */
export function sequenceLength(bytes: Uint8Array, at: number, length = bytes.length): number {
  const first = bytes[at]
  if (first < 0x80) return 1
  const size = sizeOf(first)
  if (size === 0 || at + size > length) return 0
  const second = bytes[at + 1]
  if (second < lowestSecond(first) || second > highestSecond(first)) return 0
  for (let i = 2; i < size; i++) if (bytes[at + i] < 0x80 || bytes[at + i] > 0xbf) return 0
  return size
}

function sizeOf(first: number): number {
  if (first >= 0xc2 && first <= 0xdf) return 2
  if (first >= 0xe0 && first <= 0xef) return 3
  return first >= 0xf0 && first <= 0xf4 ? 4 : 0
}

function lowestSecond(first: number): number {
  if (first === 0xe0) return 0xa0
  return first === 0xf0 ? 0x90 : 0x80
}

function highestSecond(first: number): number {
  if (first === 0xed) return 0x9f
  return first === 0xf4 ? 0x8f : 0xbf
}

/** Bytes at the end of a block that may be the beginning of a character: they wait for the next block. */
export function cutBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return sizeOf(byte) > back ? back : 0
  }
  return 0
}

/** What bytes show of UTF-8: characters of several bytes, and bytes that belong to none. */
export interface Utf8Census {
  valid: number
  invalid: number
}

/** Adds whole characters to a census. */
export function countSequences(census: Utf8Census, bytes: Uint8Array): void {
  if (isAscii(bytes)) return
  for (let at = 0; at < bytes.length;) {
    const size = sequenceLength(bytes, at)
    if (size > 1) census.valid++
    else if (size === 0) census.invalid++
    at += Math.max(1, size)
  }
}

/** Damaged UTF-8, and no other encoding: most of what is not ASCII is valid. */
export function isMostlyUtf8({ valid, invalid }: Utf8Census): boolean {
  return valid > invalid
}
