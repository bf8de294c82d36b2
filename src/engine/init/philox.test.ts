import { describe, expect, it } from 'vitest'
import { Draws, philox4x32 } from './philox'

const block = (counter: readonly number[], key: readonly number[]) => {
  const out = new Uint32Array(4)
  philox4x32(counter, key, out)
  return [...out].map((word) => word.toString(16).padStart(8, '0')).join(' ')
}

describe('Philox4x32-10', () => {
  // Known answers published with Random123 (kat_vectors).
  it('gives the published words', () => {
    const ones = 0xffffffff
    expect(block([0, 0, 0, 0], [0, 0])).toBe('6627e8d5 e169c58d bc57ac4c 9b00dbd8')
    expect(block([ones, ones, ones, ones], [ones, ones])).toBe('408f276d 41c83b0e a20bc7c6 6d5451fd')
    expect(block([0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344], [0xa4093822, 0x299f31d0])).toBe(
      'd16cfe09 94fdcceb 5001e420 24126ea1',
    )
  })

  it('draws by address, whatever was drawn before', () => {
    const forwards = new Draws(7, 2)
    const backwards = new Draws(7, 2)
    const expected = [0, 1, 2].map((index) => forwards.uniform(3, index))
    expect([2, 1, 0].map((index) => backwards.uniform(3, index)).reverse()).toEqual(expected)
  })

  it('tells seeds, streams, rounds and large indices apart', () => {
    const draws = [
      new Draws(1, 1).uniform(0, 0),
      new Draws(2 ** 32 + 1, 1).uniform(0, 0),
      new Draws(1, 2).uniform(0, 0),
      new Draws(1, 1).uniform(1, 0),
      new Draws(1, 1).uniform(0, 1),
      new Draws(1, 1).uniform(0, 2 ** 32),
      new Draws(2 ** 53 - 1, 1).uniform(0, 0),
    ]
    expect(new Set(draws).size).toBe(draws.length)
  })

  it('is uniform: every tenth of the range is drawn about equally often', () => {
    const draws = new Draws(1, 1)
    const counts = new Array<number>(10).fill(0)
    for (let index = 0; index < 20_000; index++) counts[draws.below(10, 0, index)]++
    for (const count of counts) expect(Math.abs(count - 2000)).toBeLessThan(200)
  })
})
