import { expect, it } from 'vitest'
import { freshWindow } from '../../test/mount'
import { useGenerateStore } from './generate'

it('takes numbers as a person groups them, and none that are no numbers', () => {
  freshWindow()
  const generate = useGenerateStore()
  generate.draft.n = '20 000'
  generate.draft.seed = '1e3'
  expect(generate.spec).toMatchObject({ n: 20_000, seed: 1000 })
  expect(generate.valid).toBe(true)
  generate.draft.n = '0x10'
  expect(generate.problems).toEqual({
    n: 'The number of points must be a whole number from 1 to 1099511627776.',
  })
})
