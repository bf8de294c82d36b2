import { describe, expect, it } from 'vitest'
import { emptyPolicies, initMethods, stopRules } from '@shared/run-config'
import { hashCases } from './cases'
import { checkCase, emptyTally } from './check-hashes'
import expected from './expected.json'
import { referenceHash } from './reference-run'
import { waysOf } from './ways'

const cases = hashCases()

describe('the table of hashes', () => {
  it('has a hash for every case, and nothing else', () => {
    expect(Object.keys(expected)).toEqual(cases.map(({ name }) => name))
    expect(cases.length).toBeGreaterThanOrEqual(300)
  })

  it('covers every seeding but files, stop rule and empty policy', () => {
    const seen = (key: 'init' | 'stop' | 'empty') => new Set(cases.map(({ config }) => config[key]))
    expect(seen('init').size).toBe(initMethods.length - 1)
    expect(seen('stop').size).toBe(stopRules.length)
    expect(seen('empty').size).toBe(emptyPolicies.length)
  })

  it('is what exact arithmetic gives', async () => {
    for (const { name, config, points } of cases.filter((_, number) => number % 30 === 0)) {
      expect(await referenceHash(points(), config), name).toBe((expected as Record<string, string>)[name])
    }
  })
})

describe('fused on the processor', async () => {
  const { ways, missing } = await waysOf('cpu', false)
  if (missing !== null) return it.skip(missing, () => undefined)

  it('gives every hash, whatever the threads, the instruction set and the regime', async () => {
    const tally = emptyTally()
    // Each case on a quarter of the ways, so that neighbours have them all.
    for (const [number, each] of cases.entries()) {
      const some = ways.filter((_, at) => at % 4 === number % 4)
      await checkCase(each, some, tally)
    }
    expect(tally.different).toEqual([])
    expect(tally.equal).toBeGreaterThan(1100)
  })
})
