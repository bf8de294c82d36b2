import { describe, expect, it } from 'vitest'
import { Slices } from '../slices'
import { Chance } from '../csv/testing/chance'
import { orderByNumber } from './number-order'

/** By comparison, stable, NaN last. */
function naiveOrder(rows: readonly number[], values: readonly number[], descending: boolean): number[] {
  return rows.toSorted((a, b) => {
    const [x, y] = [values[a], values[b]]
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y))
    return descending ? y - x || 0 : x - y || 0
  })
}

const order = async (rows: readonly number[], values: readonly number[], descending: boolean) => [
  ...(await orderByNumber(Uint32Array.from(rows), (row) => values[row], descending, new Slices())),
]

describe('rows by the number of a column', () => {
  const kinds: Readonly<Record<string, (chance: Chance) => number>> = {
    'full of ties': (chance) => chance.below(4) - 2,
    'with missing cells': (chance) => (chance.yes(0.3) ? NaN : chance.below(50)),
    'of any size and sign': (chance) => (chance.next() - 0.5) * 10 ** (chance.below(600) - 300),
    'with both zeros and infinities': (chance) => chance.of([0, -0, Infinity, -Infinity, 1, -1, 5e-324]),
    'all the same': () => 7,
    'all missing': () => NaN,
  }
  for (const [name, valueOf] of Object.entries(kinds)) {
    it(`${name}: as a stable sort has them, in both directions`, async () => {
      for (let seed = 1; seed <= 20; seed++) {
        const chance = new Chance(seed)
        const values = Array.from({ length: 1 + chance.below(300) }, () => valueOf(chance))
        const rows = values.map((_, row) => row).filter(() => chance.yes(0.8))
        for (const descending of [false, true])
          expect(await order(rows, values, descending)).toEqual(naiveOrder(rows, values, descending))
      }
    })
  }

  it('of no row and of one', async () => {
    expect(await order([], [], true)).toEqual([])
    expect(await order([3], [0, 0, 0, NaN], false)).toEqual([3])
  })

  it('over several blocks', async () => {
    const values = Array.from({ length: 200_000 }, (_, row) => (row * 7919) % 1009)
    const rows = values.map((_, row) => row)
    expect(await order(rows, values, true)).toEqual(naiveOrder(rows, values, true))
  })
})
