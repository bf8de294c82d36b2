/**
 * The table of hashes without a test runner:
 *   node hashes.mjs [--engine cpu|cuda|webgpu] [--every N] [--part I/N] [--software]
 * Every case (or each N-th, or the I-th of N parts, for processes side by side) on every way there is; exit status 1 when one differs, or when nothing could be tried.
 */
import { parseArgs } from 'node:util'
import { engineIds } from '@shared/variant'
import { hashCases } from './cases'
import { checkCase, emptyTally } from './check-hashes'
import { waysOf } from './ways'

const { values } = parseArgs({
  options: {
    engine: { type: 'string' },
    every: { type: 'string', default: '1' },
    part: { type: 'string', default: '1/1' },
    /** WebGPU's software adapter instead of cards. */
    software: { type: 'boolean', default: false },
  },
})

const say = (line: string) => process.stdout.write(`${line}\n`)
const wanted = engineIds.filter((id) => values.engine === undefined || id === values.engine)
const [part, parts] = values.part.split('/').map(Number)
const cases = hashCases()
  .filter((_, number) => number % Number(values.every) === 0)
  .filter((_, number) => number % parts === part - 1)
let underWay = ''
// Who stops a run is told where it hung.
process.on('SIGTERM', () => {
  say(`STOPPED: ${underWay}`)
  process.exit(1)
})
let differences = 0
let tried = 0
for (const id of wanted) {
  const { ways, missing } = await waysOf(id, values.software && id === 'webgpu')
  if (missing !== null) {
    say(`SKIPPED ${id}: ${missing}`)
    continue
  }
  const began = performance.now()
  const tally = emptyTally()
  for (const each of cases) {
    underWay = `${tally.equal} equal, ${tally.different.length} different before ${each.name} on ${id}`
    const said = tally.different.length
    await checkCase(each, ways, tally)
    // At once: a run of minutes may be stopped before its end.
    for (const line of tally.different.slice(said)) say(`DIFFERENT ${line}`)
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const { equal, refused, different } = tally
  say(
    `${id}: ${cases.length} cases on ${ways.length} ways: ${equal} equal, ${different.length} different, ${refused} refused, ${seconds} s`,
  )
  tried += equal
  differences += different.length
}
process.exit(differences > 0 || tried === 0 ? 1 : 0)
