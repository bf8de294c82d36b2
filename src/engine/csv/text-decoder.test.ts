import { describe, expect, it } from 'vitest'
import type { Encoding } from '@shared/dataset'
import { BlockDecoder } from './text-decoder'

/** Decodes in blocks of so many bytes; answers the text and where it was damaged, in the whole of it. */
function decoded(bytes: Uint8Array, encoding: Encoding, size: number): { text: string; damaged: number[] } {
  const decoder = new BlockDecoder(encoding)
  const damaged: number[] = []
  let text = ''
  for (let at = 0; at <= bytes.length; at += size) {
    const block = decoder.decode(bytes.subarray(at, at + size), at + size > bytes.length)
    damaged.push(...block.damaged.map((offset) => text.length + offset))
    text += block.text
  }
  return { text, damaged }
}

const utf16 = (text: string, big: boolean) => {
  const bytes = Buffer.from(text, 'utf16le')
  return big ? bytes.swap16() : bytes
}
const sizes = [1, 2, 3, 4, 5, 7, 1000]

describe('a file in blocks of any size', () => {
  const text = 'größe, 東京, 🦊 and 🐢'
  it.each([
    ['UTF-8', Buffer.from(text), 'utf-8'],
    ['UTF-8 with mark', Buffer.from(`\ufeff${text}`), 'utf-8'],
    ['UTF-16 LE', utf16(`\ufeff${text}`, false), 'utf-16le'],
    ['UTF-16 BE', utf16(`\ufeff${text}`, true), 'utf-16be'],
  ] as const)('%s', (_, bytes, encoding) => {
    for (const size of sizes) expect(decoded(bytes, encoding, size)).toEqual({ text, damaged: [] })
  })

  it('Latin-1, as windows-1252', () => {
    const bytes = Uint8Array.from([0x63, 0xe9, 0x80, 0x93, 0x81])
    for (const size of sizes) expect(decoded(bytes, 'latin1', size).text).toBe('cé€“\u0081')
  })

  it.each([
    ['a Latin-1 letter', [0x61, 0xe9, 0x62], 'aéb', [1]],
    ['one at the end', [0x61, 0xe9], 'aé', [1]],
    ['a cut character', [0x61, 0xe2, 0x82, 0x62], 'aâ‚b', [1, 2]],
    ['a cut character at the end', [0x61, 0xf0, 0x9f, 0xa6], 'að\u0178¦', [1, 2, 3]],
    ['an overlong form', [0xc0, 0xaf], 'À¯', [0, 1]],
    ['half a pair', [0xed, 0xa0, 0x80, 0x61], 'í\u00a0€a', [0, 1, 2]],
    ['a letter beside a real character', [0xc3, 0xa9, 0xe9, 0xc3, 0xa9], 'ééé', [1]],
  ])('what is not UTF-8 is read as Latin-1 and told: %s', (_, bytes, text, damaged) => {
    for (const size of sizes)
      expect(decoded(Uint8Array.from(bytes), 'utf-8', size)).toEqual({ text, damaged })
  })

  it.each([false, true])('half a character of UTF-16 stays what it is and is told', (big) => {
    const text = 'a\ud83db🦊\udd8ac'
    const encoding = big ? 'utf-16be' : 'utf-16le'
    for (const size of sizes)
      expect(decoded(utf16(text, big), encoding, size)).toEqual({ text, damaged: [1, 5] })
  })
})
