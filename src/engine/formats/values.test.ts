import { expect, it } from 'vitest'
import { bigEndian, decimalNumber, decimalText } from './decimal'
import { isoDate, isoTime } from './iso-time'
import { decodeLz4Block, decodeLz4Frame } from './lz4'
import { decodeRle } from './parquet/rle'

it('a block of LZ4 with a match that runs into itself', () => {
  // Literals 'ab', then 10 bytes from 2 back, then the literals 'xyz!!'.
  const block = Uint8Array.of(0x26, 0x61, 0x62, 2, 0, 0x50, ...Buffer.from('xyz!!'))
  const into = new Uint8Array(17)
  expect(decodeLz4Block(block, into, 0)).toBe(17)
  expect(Buffer.from(into).toString()).toBe('ababababababxyz!!')
})

it('blocks of a frame refer to what stands before them; what is damaged throws', () => {
  const first = Uint8Array.of(0x50, ...Buffer.from('hello'))
  const second = Uint8Array.of(0x01, 5, 0, 0x50, ...Buffer.from('world'))
  const sized = (block: Uint8Array) => [block.length, 0, 0, 0, ...block]
  const frame = Uint8Array.of(
    0x04,
    0x22,
    0x4d,
    0x18,
    0x40,
    0x40,
    0,
    ...sized(first),
    ...sized(second),
    0,
    0,
    0,
    0,
  )
  expect(Buffer.from(decodeLz4Frame(frame, 15)).toString()).toBe('hellohelloworld')
  expect(() => decodeLz4Frame(frame, 14)).toThrow(RangeError)
  expect(() => decodeLz4Frame(frame.subarray(0, 20), 15)).toThrow(RangeError)
  expect(() => decodeLz4Block(Uint8Array.of(0x10, 0x61, 9, 0), new Uint8Array(20), 0)).toThrow(RangeError)
})

it.each([
  [123456n, 2, '1234.56', 1234.56],
  [-1n, 3, '-0.001', -0.001],
  [0n, 2, '0.00', 0],
  [12n, -3, '12000', 12000],
  [12345678901234567890123n, 20, '123.45678901234567890123', 123.45678901234568],
])('%s over ten to the %i is %s', (unscaled, scale, text, number) => {
  expect(decimalText(unscaled, scale)).toBe(text)
  expect(decimalNumber(unscaled, scale)).toBe(number)
})

it('bytes with the high one first are whole numbers with a sign', () => {
  expect(bigEndian(Uint8Array.of(0xff, 0xfe))).toBe(-2n)
  expect(bigEndian(Uint8Array.of(1, 0, 0))).toBe(65536n)
})

it('a date that no calendar has stays its number', () => {
  expect([isoDate(20_780), isoDate(-1), isoDate(2e9)]).toEqual(['2026-11-23', '1969-12-31', '2000000000'])
  expect(isoTime(-1n, 'ms', true)).toBe('1969-12-31T23:59:59.999Z')
  expect(isoTime(2n ** 62n, 's', false)).toBe(String(2n ** 62n))
})

it('run lengths of Parquet: runs, packed numbers, and no more of either than there are values', () => {
  // A run of 5 times 300, then 8 numbers of 9 bits, of which 3 are wanted.
  const packed = [1, 2, 511, 0, 0, 0, 0, 0].reduce(
    (bits, value, i) => bits | (BigInt(value) << BigInt(9 * i)),
    0n,
  )
  const bytes = Uint8Array.of(
    10,
    44,
    1,
    3,
    ...Array.from({ length: 9 }, (_, i) => Number((packed >> BigInt(8 * i)) & 255n)),
  )
  expect([...decodeRle(bytes, [0, bytes.length], 9, 8)]).toEqual([300, 300, 300, 300, 300, 1, 2, 511])
  expect([...decodeRle(Uint8Array.of(0xfe, 0xff, 0xff, 0xff, 0x0f, 1), [0, 6], 1, 3)]).toEqual([1, 1, 1])
  expect([...decodeRle(new Uint8Array(), [0, 0], 0, 2)]).toEqual([0, 0])
  expect(() => decodeRle(bytes, [0, 3], 9, 8)).toThrow(RangeError)
  expect(() => decodeRle(bytes, [0, 99], 9, 8)).toThrow(RangeError)
  expect(() => decodeRle(new Uint8Array(4), [0, 4], 1, 8)).toThrow(RangeError)
})
