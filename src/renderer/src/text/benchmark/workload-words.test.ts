import { expect, it } from 'vitest'
import { workloadWords } from './workload-words'

it('knows no size of what could not be read', () => {
  expect(workloadWords({ n: 0, d: 0, k: 3 })).toBe('size unknown, k = 3')
  expect(workloadWords({ n: 205, d: 2, k: 256 })).toBe('N = 205, d = 2, k = 256')
})
