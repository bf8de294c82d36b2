import { describe, expect, it } from 'vitest'
import { findContenders } from './contenders'
import { regimeChecks, regimesRun } from './regime-checks'

const { found } = await findContenders()
const lists = await Promise.all(
  found.map(async (contender) => ({ contender, list: await regimeChecks(contender) })),
)

for (const { contender, list } of lists.filter((each) => each.list.length > 0)) {
  console.warn(regimesRun(contender, list))
  for (const { regime, refusal, checks } of list) {
    if (refusal !== null) it.skip(`${contender.name} by ${regime}: ${refusal}`, () => undefined)
    else
      describe(`${contender.name} by ${regime}`, () => {
        for (const { name, run } of checks) it(name, run)
      })
  }
}

it('every regime runs here or says why it cannot', () => {
  for (const { list } of lists) {
    for (const { refusal, checks } of list) expect(checks.length > 0).toBe(refusal === null)
  }
})
