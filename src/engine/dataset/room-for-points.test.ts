import { afterEach, expect, it, vi } from 'vitest'
import type { Precision } from '@shared/precision'
import { scratchVariable } from '../scratch/scratch-variable'
import { roomForPoints } from './room-for-points'

const room = (free: number, precision: Precision = 'float32') =>
  roomForPoints(1_000_000, 6, 'big.csv', precision, free)

afterEach(() => vi.unstubAllEnvs())

it('points lie in memory where they fit with a copy of them, else in a scratch file', () => {
  expect(room(57_000_000).location).toBe('memory')
  expect(room(32_000_000).location).toBe('scratch')
  expect(room(57_000_000, 'float64').location).toBe('scratch')
})

it('points that fit nowhere are reported before they are made, with both sizes', () => {
  vi.stubEnv(scratchVariable, '/dev/null/nowhere')
  expect(() => room(32_000_000)).toThrow(
    'Clustering 1000000 rows of big.csv by 6 features would need about 54 MiB, but 31 MiB of memory are free and the scratch folder /dev/null/nowhere cannot be used: choose fewer features, or close other programs.',
  )
  expect(() => room(0)).toThrow(expect.objectContaining({ kind: 'input', code: 'prepare.memory' }))
})
