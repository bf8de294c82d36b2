import { describe, expect, it } from 'vitest'
import { isCut, scaledPhases, scaledTotalMs } from './scale-run'

/** 10 iterations of 4 ms, and 20 ms of everything else. */
const run = { iterations: 10, totalMs: 60, iteratingMs: 40 }
const phases = {
  ...{ loadMs: 7, uploadMs: 8, initMs: 2, assignMs: 30, updateMs: 9, convergeMs: 1, iterateMs: null },
  ...{ downloadMs: 6, otherMs: 4, totalMs: 60 },
}

describe('a run of fewer iterations', () => {
  it('is scaled by what its iterations took, and by nothing else', () => {
    expect(scaledTotalMs(run, 50)).toBe(20 + 50 * 4)
    expect(scaledTotalMs({ ...run, iteratingMs: null }, 50)).toBe(300)
  })

  it('has phases that add up to its total', () => {
    const scaled = scaledPhases(phases, run, 50)
    expect(scaled).toEqual({ ...phases, assignMs: 150, updateMs: 45, convergeMs: 5, totalMs: 220 })
    const whole = { ...phases, assignMs: null, updateMs: null, convergeMs: null }
    expect(scaledPhases({ ...whole, iterateMs: 44 }, run, 50)).toMatchObject({ iterateMs: 204, totalMs: 220 })
  })

  it('is one that a limit cut, and none that ended by itself', () => {
    const shortened = { iterations: 10, warmup: 0, repeats: 1 }
    expect(isCut({ shortened }, run, { maxIterations: 50 })).toBe(true)
    expect(isCut({ shortened }, { iterations: 7 }, { maxIterations: 50 })).toBe(false)
    expect(
      isCut({ shortened: { ...shortened, iterations: 50 } }, { iterations: 50 }, { maxIterations: 50 }),
    ).toBe(false)
    expect(isCut({}, run, { maxIterations: 50 })).toBe(false)
  })
})
