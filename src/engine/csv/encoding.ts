import { isUtf8 } from 'node:buffer'
import type { Encoding, Evidence } from '@shared/dataset'
import { countSequences, cutBytes, isMostlyUtf8, type Utf8Census } from './utf8'

export interface EncodingFound extends Evidence {
  readonly encoding: Encoding
  readonly bom: boolean
}

/** How the bytes are to be read as text, from the first block of the file. */
export function detectEncoding(head: Uint8Array, whole: boolean, override?: Encoding): EncodingFound {
  const found = byMark(head) ?? byNulPattern(head) ?? byValidity(head, whole)
  if (override === undefined || override === found.encoding) return found
  return { encoding: override, bom: false, because: 'Set by hand.', overridden: true, doubtful: false }
}

/** How sentences call them. */
export const encodingNames: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  latin1: 'Latin-1',
}

function answer(encoding: Encoding, bom: boolean, because: string, doubtful = false): EncodingFound {
  return { encoding, bom, because, overridden: false, doubtful }
}

function byMark(head: Uint8Array): EncodingFound | null {
  const because = 'The file begins with a byte order mark.'
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return answer('utf-8', true, because)
  if (head[0] === 0xff && head[1] === 0xfe) return answer('utf-16le', true, because)
  if (head[0] === 0xfe && head[1] === 0xff) return answer('utf-16be', true, because)
  return null
}

/** UTF-16 without a mark: Latin text has a zero in every second byte. */
function byNulPattern(head: Uint8Array): EncodingFound | null {
  const pairs = Math.min(head.length >> 1, 2000)
  let even = 0
  let odd = 0
  for (let i = 0; i < pairs; i++) {
    if (head[2 * i] === 0) even++
    if (head[2 * i + 1] === 0) odd++
  }
  if (pairs < 2) return null
  const because = 'Every second byte is zero and there is no byte order mark.'
  if (odd > 0.8 * pairs && even < 0.05 * pairs) return answer('utf-16le', false, because, true)
  if (even > 0.8 * pairs && odd < 0.05 * pairs) return answer('utf-16be', false, because, true)
  return null
}

function byValidity(head: Uint8Array, whole: boolean): EncodingFound {
  // A block may end within a character.
  const bytes = whole ? head : head.subarray(0, head.length - cutBytes(head))
  if (isUtf8(bytes)) return answer('utf-8', false, 'Every byte sequence read is valid UTF-8.')
  const census: Utf8Census = { valid: 0, invalid: 0 }
  countSequences(census, bytes)
  return isMostlyUtf8(census)
    ? answer(
        'utf-8',
        false,
        'Most of what is not ASCII is valid UTF-8; other bytes are read as Latin-1.',
        true,
      )
    : answer('latin1', false, 'Some bytes are not valid UTF-8; read as Latin-1 (windows-1252).', true)
}
