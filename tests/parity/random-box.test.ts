import { describe, it } from 'vitest'
import { findContenders } from './contenders'
import { randomBoxChecks } from './random-box-checks'
import { unlessRefused } from './unless-refused'

const { found } = await findContenders()

describe.each(found)('random coordinates on $name', (contender) => {
  for (const { name, run } of randomBoxChecks(contender)) it(name, unlessRefused(run))
})
