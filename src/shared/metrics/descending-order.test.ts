import { describe, expect, it } from 'vitest'
import { descendingOrder } from './descending-order'
import { drained } from './testing/contingency'

describe('descending order', () => {
  it.each([
    [[], []],
    [[5], [0]],
    [
      [1, 3, 2, 3],
      [1, 3, 2, 0],
    ],
    [
      [65536, 65535, 4294967295, 0, 131071, 65536],
      [2, 4, 0, 5, 1, 3],
    ],
  ])('of %j is %j, equal ones in order', (values, order) => {
    expect([...drained(descendingOrder(Uint32Array.from(values)))]).toEqual(order)
  })
})
