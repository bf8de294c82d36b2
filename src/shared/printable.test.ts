import { expect, it } from 'vitest'
import { printable, printableJson, printableLines } from './printable'

const hostile = 'a\x1b[31m\x07b\x9bc\u202etxt.exe\r\n\t'

it('controls become visible, everything else stays', () => {
  expect(printable(hostile)).toBe('a\\x1b[31m\\x07b\\x9bc\\u{202e}txt.exe\\x0d\\x0a\\x09')
  expect(printable('Größe in µm – 漢字 👍')).toBe('Größe in µm – 漢字 👍')
})

it('lines stay lines', () => {
  expect(printableLines('a\n\tb\x1bc\r\n')).toBe('a\n\tb\\x1bc\\x0d\n')
})

it('JSON reads back to what it was, without a raw control', () => {
  const text = printableJson({ name: hostile })
  expect(printable(text)).toBe(text)
  expect(JSON.parse(text)).toEqual({ name: hostile })
})
