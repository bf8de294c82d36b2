import { expect, it } from 'vitest'
import { statisticsOf } from './statistics'

it('gives the numbers worked out by hand', () => {
  // mean 5, squares around it 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 = 32, over 7
  expect(statisticsOf([9, 2, 4, 4, 4, 5, 5, 7])).toEqual({
    count: 8,
    mean: 5,
    median: 4.5,
    deviation: Math.sqrt(32 / 7),
    min: 2,
    max: 9,
  })
  expect(statisticsOf([3, 1, 2])).toMatchObject({ median: 2, deviation: 1 })
})

it('says nothing where nothing is defined', () => {
  const nothing = { mean: null, median: null, deviation: null, min: null, max: null }
  expect(statisticsOf([])).toEqual({ count: 0, ...nothing })
  expect(statisticsOf([7])).toEqual({ count: 1, mean: 7, median: 7, deviation: null, min: 7, max: 7 })
})
