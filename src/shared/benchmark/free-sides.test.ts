import { expect, it } from 'vitest'
import { freeSides, numberSide } from './free-sides'

it('names stand right of their points, else left, else nowhere', () => {
  const width = 40
  const sides = freeSides(
    [
      { left: 100, top: 10, width },
      // In the way of the first one's right.
      { left: 120, top: 10, width },
      // Both sides taken.
      { left: 110, top: 12, width },
      { left: 180, top: 50, width },
    ],
    [0, 200],
  )
  expect(sides).toEqual(['left', 'right', null, 'left'])
})

it('the number of a row is beside what is its own', () => {
  const row = { low: 100, high: 120 }
  expect(numberSide({ ...row, marks: [50, 300] }, 40, 0)).toEqual({ side: 'right', at: 120 })
  expect(numberSide({ ...row, marks: [130] }, 40, 0)).toEqual({ side: 'left', at: 100 })
  expect(numberSide({ ...row, marks: [130] }, 40, 80)).toEqual({ side: 'right', at: 130 })
  expect(numberSide({ ...row, marks: [80, 130] }, 40, 0)).toEqual({ side: 'right', at: 130 })
})
