import { expect, it } from 'vitest'
import type { Precision } from '@shared/precision'
import { assertPointsFitInMemory } from './points-fit-in-memory'

it('points that would not fit into memory are reported before they are made, with both sizes', () => {
  const room =
    (free: number, precision: Precision = 'float32') =>
    () =>
      assertPointsFitInMemory(1_000_000, 6, 'big.csv', precision, free)
  expect(room(32_000_000)).not.toThrow()
  expect(room(16 << 20)).toThrow(
    'Clustering 1000000 rows of big.csv by 6 features would need about 31 MiB of memory, but 16 MiB are free: choose fewer features, or close other programs.',
  )
  expect(room(32_000_000, 'float64')).toThrow('would need about 54 MiB of memory')
  expect(room(0)).toThrow(expect.objectContaining({ kind: 'input', code: 'prepare.memory' }))
})
