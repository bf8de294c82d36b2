import { describe, expect, it } from 'vitest'
import { unitPoints } from '@tests/parity/fixtures'
import { preparedPoints } from '@tests/parity/prepared-points'
import { LabError } from '@shared/errors'
import { defaultRunConfig, type RunConfig } from '@shared/run-config'
import { countDistinct } from './distinct'
import { validateConfig, validatePoints } from './validate'

const never = new AbortController().signal
const points = (values: number[], exponent = 0) =>
  preparedPoints(unitPoints(Float64Array.from(values), values.length, 1), exponent)

function messageOf(work: () => void): string {
  try {
    work()
  } catch (error) {
    if (error instanceof LabError && error.kind === 'input') return error.message
    throw error
  }
  return ''
}

describe('a configuration', () => {
  const check = (change: Partial<RunConfig>) =>
    messageOf(() => validateConfig({ ...defaultRunConfig, ...change }))

  it('that can be carried out passes', () => {
    expect(check({})).toBe('')
    expect(check({ k: 1, tolerance: 0, seed: 2 ** 53 - 1 })).toBe('')
    expect(check({ variant: 'partial-sums', workers: 7 })).toBe('')
    expect(check({ variant: 'eigen', precision: 'float64' })).toBe('')
  })

  it.each([
    [{ k: 0 }, 'Expected a whole number from 1 for k but received 0.'],
    [{ k: -3 }, 'Expected a whole number from 1 for k but received -3.'],
    [{ k: 2.5 }, 'Expected a whole number from 1 for k but received 2.5.'],
    [{ k: Number.NaN }, 'Expected a whole number from 1 for k but received NaN.'],
    [{ maxIterations: 0 }, 'Expected a whole number from 1 for max-iterations but received 0.'],
    [{ nInit: 0 }, 'Expected a whole number from 1 for n-init but received 0.'],
    [{ seed: -1 }, 'Expected a whole number from 0 for seed but received -1.'],
    [
      { seed: 2 ** 53 },
      'Expected a whole number from 0 to 9007199254740991 for seed but received 9007199254740992.',
    ],
    [
      { variant: 'partial-sums', workers: 0 },
      'Expected a whole number from 1 to 65536 for workers but received 0.',
    ],
    [
      { variant: 'partial-sums', workers: 65537 },
      'Expected a whole number from 1 to 65536 for workers but received 65537.',
    ],
    [
      { variant: 'fused', workers: 7 },
      "Expected partial-sums, which alone has workers to number, for variant but received 'fused'.",
    ],
    [
      { variant: 'fused', precision: 'float64' } as const,
      "Expected sequential or eigen with precision float64 (all others work in float32 only) for variant but received 'fused'.",
    ],
    [
      { variant: 'sequential', engine: 'cuda', precision: 'float64' } as const,
      "Expected cpu with precision float64 (the others work in float32 only) for engine but received 'cuda'.",
    ],
    [{ tolerance: -1e-9 }, 'Expected a number from 0 for tolerance but received -1e-9.'],
    [
      { stop: 'labels', tolerance: 5 } as const,
      "Expected a share of the points, 0 to 1, with the rule 'labels' for tolerance but received 5.",
    ],
    [{ tolerance: Number.NaN }, 'Expected a number from 0 for tolerance but received NaN.'],
    [
      { tolerance: Number.POSITIVE_INFINITY },
      'Expected a number from 0 for tolerance but received Infinity.',
    ],
  ] as const)('%j is refused in one sentence', (change, message) => {
    expect(check(change)).toBe(message)
  })

  it('whose last restart would leave the seeds is refused', () => {
    expect(check({ seed: 2 ** 53 - 1, nInit: 2 })).toContain('the seed of the last restart')
  })
})

describe('points', () => {
  it('fewer than k are refused with the largest k there is', () => {
    expect(messageOf(() => validatePoints(points([1, 2, 3]), 4, 'a.csv'))).toBe(
      'k is 4 but a.csv has only 3 usable rows: choose a k of at most 3.',
    )
    expect(messageOf(() => validatePoints(points([1]), 2, 'a.csv'))).toContain('only 1 usable row:')
    expect(messageOf(() => validatePoints(points([1, 2, 3]), 3, 'a.csv'))).toBe('')
  })

  it('none, or beyond what can be squared, are refused', () => {
    expect(messageOf(() => validatePoints(points([]), 1, 'a.csv'))).toContain('no usable row')
    expect(messageOf(() => validatePoints(points([1, 2], 800), 1, 'a.csv'))).toContain('too large')
    expect(messageOf(() => validatePoints(points([1, 2], -800), 1, 'a.csv'))).toContain('too small')
  })

  it('are counted as distinct by their coordinates, zero and minus zero alike', async () => {
    const { x } = points([0, -0, 1, 1, 2, 0.5])
    expect(await countDistinct({ x, n: 6, d: 1 }, 10, never)).toBe(4)
    expect(await countDistinct({ x, n: 3, d: 2 }, 10, never)).toBe(3)
    expect(await countDistinct({ x, n: 6, d: 1 }, 2, never)).toBe(2)
    expect(await countDistinct({ x: new Float32Array(5000), n: 5000, d: 1 }, 3, never)).toBe(1)
  })
})
