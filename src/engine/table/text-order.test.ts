import { expect, it } from 'vitest'
import { Slices } from '../slices'
import { Chance } from '../csv/testing/chance'
import { compareTexts, orderByText, ranksOf } from './text-order'

const words = ['b', 'a', 'A', 'é', 'e', 'row 10', 'row 9', '', 'Z', null]

it('texts in their order, ties as they come, missing ones last in both directions', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const chance = new Chance(seed)
    const texts = Array.from({ length: chance.below(200) }, () => chance.of(words))
    for (const descending of [false, true]) {
      const naive = texts
        .map((_, i) => i)
        .sort((a, b) => {
          const [x, y] = [texts[a], texts[b]]
          if (x === null || y === null) return Number(x === null) - Number(y === null)
          return descending ? compareTexts(y, x) : compareTexts(x, y)
        })
      expect([...(await orderByText(texts, descending, new Slices()))]).toEqual(naive)
    }
  }
})

it('numbers within texts count as numbers', () => {
  expect(['row 10', 'row 9', 'Row 9'].sort(compareTexts)).toEqual(['row 9', 'Row 9', 'row 10'])
})

it('over several runs as one sort', async () => {
  const chance = new Chance(3)
  const texts = Array.from({ length: 40_000 }, () => `t${chance.below(5000)}`)
  const order = [...(await orderByText(texts, false, new Slices()))]
  const naive = texts.map((_, i) => i).sort((a, b) => compareTexts(texts[a], texts[b]))
  expect(order).toEqual(naive)
})

it('the same texts share a rank', () => {
  expect([...ranksOf(['b', 'a', 'c', 'a'])]).toEqual([1, 0, 2, 0])
})
