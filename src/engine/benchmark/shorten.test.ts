import { describe, expect, it } from 'vitest'
import type { PlannedCell } from '@shared/benchmark/document'
import type { Suite } from '@shared/benchmark/suite'
import { withinLimit } from './shorten'
import { suiteOf } from './testing/fakes'

const cell: PlannedCell = {
  ...{ dataset: 'a', k: 5, contender: 'cpu/a', n: 10, d: 2, engine: 'cpu', device: 'cpu', variant: 'a' },
  ...{ deviceName: 'CPU', predictedMs: null, memoryBytes: 0, skipped: null },
}

/** Five repeats and a warm-up of 50 iterations, and a second for each iteration: 300 s. */
function limited(maxCellSeconds: number, isFixed = true, changes: Partial<Suite> = {}) {
  const suite = suiteOf(['a'], { repeats: 5, maxCellSeconds, ...changes })
  const asked = { ...suite, config: { ...suite.config, maxIterations: 50 } }
  const predict = ({ warmup, repeats, config }: Suite) => 1000 * (warmup + repeats) * config.maxIterations
  return withinLimit(cell, { predict, where: 'on 16 threads', isFixed }, asked)
}

describe('a cell within its limit', () => {
  it('is left as it is where it fits, and without a limit', () => {
    expect(limited(300)).toEqual({ ...cell, predictedMs: 300_000 })
    const suite = suiteOf(['a'])
    const known = { predict: () => 1e9, where: '', isFixed: true }
    expect(withinLimit(cell, known, suite)).toEqual({ ...cell, predictedMs: 1e9 })
  })

  it('loses its warm-up first, then repeats, then iterations', () => {
    expect(limited(299)).toMatchObject({
      shortened: { iterations: 50, warmup: 0, repeats: 5 },
      predictedMs: 250_000,
    })
    expect(limited(199).shortened).toEqual({ iterations: 50, warmup: 0, repeats: 3 })
    expect(limited(50).shortened).toEqual({ iterations: 50, warmup: 0, repeats: 1 })
    expect(limited(49)).toMatchObject({
      shortened: { iterations: 49, warmup: 0, repeats: 1 },
      predictedMs: 49_000,
    })
    expect(limited(3).shortened).toEqual({ iterations: 3, warmup: 0, repeats: 1 })
  })

  it('is not run where three iterations do not fit, and says what they would take', () => {
    const left = limited(2.5)
    expect(left).not.toHaveProperty('shortened')
    expect(left.skipped).toBe(
      'Not run: 5 min predicted on 16 threads; one run of 3 iterations alone would take 3 s, and the limit of a cell is 2.5 s.',
    )
  })

  it('keeps all iterations of a run that ends where it converges', () => {
    expect(limited(50, false).shortened).toEqual({ iterations: 50, warmup: 0, repeats: 1 })
    expect(limited(49, false).skipped).toBe(
      'Not run: 5 min predicted on 16 threads; one run alone would take 50 s, and the limit of a cell is 49 s.',
    )
  })

  it('is not cut where nothing was foretold', () => {
    const suite = suiteOf(['a'], { maxCellSeconds: 1 })
    const unknown = { predict: () => null, where: '', isFixed: true }
    expect(withinLimit(cell, unknown, suite)).toEqual(cell)
  })
})
