import { describe, expect, it } from 'vitest'
import { variants } from '@kernels/variants'
import { contenderKey, type Suite } from '@shared/benchmark/suite'
import type { EngineId } from '@shared/variant'
import { changeSuite, type SuiteChanges } from './change-suite'
import { presets } from './presets'

const goldsborough = presets(1).find(({ id }) => id === 'goldsborough-table')?.suite as Suite
const changed = (changes: Partial<SuiteChanges>) => changeSuite(goldsborough, { config: {}, ...changes })
/** Variants that are declared for an engine. */
const declaredFor = (engine: EngineId) =>
  variants.filter(({ engines }) => engines[engine]).map(({ id }) => id)
const keys = (changes: Partial<SuiteChanges>) => changed(changes).contenders.map(contenderKey)

describe('changes of a suite', () => {
  it('none leave it as it is', () => expect(changed({})).toEqual(goldsborough))

  it('limit the time of a cell, and leave the limit that a suite has', () => {
    expect(changed({})).not.toHaveProperty('maxCellSeconds')
    const limited = changed({ maxCellSeconds: 60 })
    expect(limited.maxCellSeconds).toBe(60)
    expect(changeSuite(limited, { config: {} }).maxCellSeconds).toBe(60)
  })

  it('name variants on the engines of the suite, on some of them, or on one device', () => {
    expect(keys({ variants: ['fused'], outside: [] })).toEqual(['cpu/fused', 'cuda/fused', 'webgpu/fused'])
    expect(
      keys({ variants: ['fused', 'cpu/eigen', 'cuda:1/thrust'], engines: ['cpu'], outside: [] }),
    ).toEqual(['cpu/fused', 'cpu/eigen', 'cuda:1/thrust'])
    expect(keys({ variants: 'all', engines: ['cpu'], outside: ['scipy'] }).toSorted()).toEqual(
      [...declaredFor('cpu').map((id) => `cpu/${id}`), 'outside/scipy'].toSorted(),
    )
  })

  it('say what became of a variant that there is no more, by name or by key', () => {
    for (const name of ['pruned', 'cpu/pruned']) {
      expect(() => keys({ variants: ['fused', name] })).toThrow(
        /^The variant 'pruned' became part of 'fused', .*: choose fused\.$/,
      )
    }
  })

  it('take engines and baselines out', () => {
    expect(keys({ engines: ['cpu'], outside: [] })).toEqual(['cpu/sequential', 'cpu/eigen', 'cpu/fused'])
  })

  it('find the baseline by name, and another where it no longer takes part', () => {
    expect(changed({ baseline: 'eigen' }).baseline).toBe('cpu/eigen')
    expect(changed({ baseline: 'webgpu/fused' }).baseline).toBe('webgpu/fused')
    expect(changed({ variants: ['fused'] }).baseline).toBe('cpu/fused')
    expect(() => changed({ baseline: 'nobody' })).toThrow(/one of cpu\/sequential, .* for the baseline/)
  })

  it('a tolerance goes with its rule', () => {
    const strict = {
      ...goldsborough,
      config: { ...goldsborough.config, stop: 'inertia', tolerance: 5 },
    } as const
    expect(changeSuite(strict, { config: { stop: 'labels' } }).config.tolerance).toBeNull()
    expect(changeSuite(strict, { config: { seed: 2 } }).config.tolerance).toBe(5)
  })

  it('number the workers where a contender has them, and only there', () => {
    const withWorkers = changed({ variants: ['partial-sums', 'fused'], config: { workers: 7 } })
    expect(withWorkers.config.workers).toBe(7)
    const without = changeSuite(withWorkers, { variants: ['fused'], config: {} })
    expect(without.config).not.toHaveProperty('workers')
    expect(() => changed({ variants: ['fused'], config: { workers: 7 } })).toThrow(
      'Expected partial-sums, which alone has workers to number, for one of the contenders',
    )
  })

  it('work in float64 where all contenders can, and stay so', () => {
    const fine = changed({ variants: ['sequential', 'eigen'], config: { precision: 'float64' } })
    expect(fine.config.precision).toBe('float64')
    const sentence =
      /only cpu\/sequential, cpu\/eigen and outside systems with precision float64 .* for the contenders but received 'cpu\/fused'/
    expect(() => changeSuite(fine, { variants: ['fused'], config: {} })).toThrow(sentence)
    const coarse = changeSuite(fine, { variants: ['fused'], config: { precision: 'float32' } })
    expect(coarse.config.precision).toBe('float32')
  })

  it.each([
    [{ variants: ['fusd'] }, /one of .*fused.* for a variant but received 'fusd'/],
    [{ variants: ['cpu/thrust'] }, /'cpu\/thrust'/],
    [{ variants: ['thrust'], engines: ['cpu'] }, /eigen.*\(cpu\) for a variant but received 'thrust'/],
    [{ variants: 'all', engines: [], outside: [] }, /some of the engines offer/],
  ] as const)('refuse %j', (changes, sentence) => {
    expect(() => changed(changes)).toThrow(sentence)
  })
})
