import { describe, expect, it } from 'vitest'
import { findContenders } from './contenders'
import { checkAgreement, parityChecks } from './parity-checks'
import { unlessRefused } from './unless-refused'

const { found, missing } = await findContenders()

for (const { id, reason } of missing) {
  console.warn(`parity of ${id} is skipped: ${reason}`)
  it.skip(`${id}: ${reason}`, () => undefined)
}

it('has something to test', () => {
  expect(found.length).toBeGreaterThan(0)
})

for (const contender of found) {
  const checks = parityChecks(contender)
  for (const group of new Set(checks.map((each) => each.group))) {
    describe(`${contender.name} ${group}`, () => {
      for (const { name, run } of checks.filter((each) => each.group === group)) it(name, unlessRefused(run))
    })
  }
}

describe('all variants and devices together', () => {
  it('agree to the last label on whole numbers', () => checkAgreement(found))
})
