import { expect, it } from 'vitest'
import { printable } from './printable'

it('shows controls and leaves every other character as it is', () => {
  expect(printable('a\u001b]0;title\u0007.csv')).toBe('a\\x1b]0;title\\x07.csv')
  expect(printable('line\nbreak\u009b\u007f')).toBe('line\\x0abreak\\x9b\\x7f')
  expect(printable('invoice\u202egpj.csv')).toBe('invoice\\u{202e}gpj.csv')
  expect(printable('Größe 数据 😀 & (1).csv')).toBe('Größe 数据 😀 & (1).csv')
})
