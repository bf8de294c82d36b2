import { isAscii, isUtf8 } from 'node:buffer'
import type { Encoding } from '@shared/dataset'
import { cutBytes, sequenceLength } from './utf8'

/** Decoded text of one block. */
export interface DecodedText {
  readonly text: string
  /** Where in the text bytes were read that are not valid in the encoding, ascending. */
  readonly damaged: readonly number[]
}

const byteOrderMark = '\ufeff'
const none: readonly number[] = []

/**
 * Decodes block by block, without a byte order mark. Nothing is lost or replaced: a byte that is not valid UTF-8
 * is read as Latin-1, half a character of UTF-16 stays what it is; the places are reported.
 */
export class BlockDecoder {
  readonly #encoding: Encoding
  #cut = Buffer.alloc(0)
  #isFirst = true

  constructor(encoding: Encoding) {
    this.#encoding = encoding
  }

  /** @param last nothing follows */
  decode(block: Uint8Array, last: boolean): DecodedText {
    const bytes = Buffer.concat([this.#cut, block])
    const whole = last ? bytes.length : bytes.length - this.#cutBytes(bytes)
    this.#cut = Buffer.from(bytes.subarray(whole))
    const decoded = this.#decoded(bytes.subarray(0, whole))
    if (!this.#isFirst || decoded.text === '') return decoded
    this.#isFirst = false
    const isMarked = this.#encoding !== 'latin1' && decoded.text.startsWith(byteOrderMark)
    return isMarked ? withoutMark(decoded) : decoded
  }

  #cutBytes(bytes: Uint8Array): number {
    if (this.#encoding === 'latin1') return 0
    if (this.#encoding === 'utf-8') return cutBytes(bytes)
    const odd = bytes.length % 2
    const high = bytes[bytes.length - odd - (this.#encoding === 'utf-16le' ? 1 : 2)]
    const isHalf = bytes.length > 1 && high >= 0xd8 && high <= 0xdb
    return odd + (isHalf ? 2 : 0)
  }

  #decoded(bytes: Buffer): DecodedText {
    switch (this.#encoding) {
      case 'latin1':
        return { text: latin1(bytes), damaged: none }
      case 'utf-8':
        return isUtf8(bytes) ? { text: bytes.toString('utf8'), damaged: none } : mixed(bytes)
      case 'utf-16le':
        return wide(bytes)
      case 'utf-16be':
        return wide(swapped(bytes))
    }
  }
}

/** Latin-1 is read as windows-1252, as every browser does. */
function latin1(bytes: Buffer): string {
  return isAscii(bytes) ? bytes.toString('latin1') : new TextDecoder('windows-1252').decode(bytes)
}

function withoutMark({ text, damaged }: DecodedText): DecodedText {
  return { text: text.slice(1), damaged: damaged.map((at) => at - 1) }
}

function mixed(bytes: Buffer): DecodedText {
  const damaged: number[] = []
  let text = ''
  let from = 0
  for (let at = 0; at < bytes.length;) {
    const size = sequenceLength(bytes, at)
    if (size === 0) {
      text += bytes.toString('utf8', from, at)
      damaged.push(text.length)
      text += latin1(bytes.subarray(at, at + 1))
      from = at + 1
    }
    at += Math.max(1, size)
  }
  return { text: text + bytes.toString('utf8', from), damaged }
}

/** A byte left over at the end of the file is half a character too. */
function wide(bytes: Buffer): DecodedText {
  const even = bytes.length - (bytes.length % 2)
  const text = bytes.toString('utf16le', 0, even) + latin1(bytes.subarray(even))
  const damaged = /[\ud800-\udfff]/.test(text) ? halfCharacters(text) : none
  return { text, damaged: even < bytes.length ? [...damaged, text.length - 1] : damaged }
}

function halfCharacters(text: string): number[] {
  const half = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
  return [...text.matchAll(half)].map(({ index }) => index)
}

function swapped(bytes: Buffer): Buffer {
  const even = bytes.length - (bytes.length % 2)
  return Buffer.concat([Buffer.from(bytes.subarray(0, even)).swap16(), bytes.subarray(even)])
}
