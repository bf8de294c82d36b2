/**
 * The parity suite without a test runner, for machines that have only Node and the built files:
 *   node parity.mjs [--engine ID] [--variant ID] [--software]
 * One line a contender, with how many checks it was not made for; exit status 1 when one of them fails.
 */
import { parseArgs } from 'node:util'
import { findContenders, refusalOf, type Contender } from './contenders'
import { checkAgreement, parityChecks } from './parity-checks'
import { randomBoxChecks } from './random-box-checks'
import { regimeChecks, regimesRun } from './regime-checks'
import { sameBytesChecks } from './same-bytes'

const { values } = parseArgs({
  options: {
    engine: { type: 'string' },
    variant: { type: 'string' },
    /** Software adapters too. */
    software: { type: 'boolean', default: false },
  },
})

const { found, missing } = await findContenders()
const wanted = found.filter(isWanted)
for (const { id, reason } of missing) say(`- ${id} is not here: ${reason}`)
let failed = 0
for (const contender of wanted) failed += await runAll(contender)
if ((await attempt('all together', () => checkAgreement(wanted))) === 'failed') failed++
say(`${wanted.length} contenders, ${failed} failed checks`)
// A driver may keep threads alive.
process.exit(failed > 0 || wanted.length === 0 ? 1 : 0)

function isWanted({ engine, variant, device }: Contender): boolean {
  if (values.engine !== undefined && engine.id !== values.engine) return false
  if (values.variant !== undefined && variant !== values.variant) return false
  return values.software || !device.software
}

/** @returns how many checks failed. */
async function runAll(contender: Contender): Promise<number> {
  const began = performance.now()
  const regimes = await regimeChecks(contender)
  if (regimes.length > 0) say(regimesRun(contender, regimes))
  const forced = regimes.flatMap(({ checks }) => checks)
  const own = [...parityChecks(contender), ...sameBytesChecks(contender), ...randomBoxChecks(contender)]
  const checks = [...own, ...forced]
  const counts = { passed: 0, failed: 0, refused: 0 }
  for (const { group, name, run } of checks) {
    counts[await attempt(`${contender.name}: ${group}: ${name}`, run)]++
  }
  const { passed, failed, refused } = counts
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  say(`${contender.name}: ${passed} passed, ${failed} failed, ${refused} refused, ${seconds} s`)
  return failed
}

/** Says why when it failed; a regime may refuse a shape. */
async function attempt(name: string, work: () => Promise<void>): Promise<'passed' | 'failed' | 'refused'> {
  try {
    await work()
    return 'passed'
  } catch (error) {
    if (refusalOf(error) !== null) return 'refused'
    say(`FAILED ${name}: ${error instanceof Error ? error.message : String(error)}`)
    return 'failed'
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
