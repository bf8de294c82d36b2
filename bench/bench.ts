import type { DeviceFloors } from '@engine/engines/engine'
import type { Contender } from '@tests/parity/contenders'
import { makeBlobs } from './blobs'
import { takesPart, type Configuration } from './configurations'
import { Contest } from './contest'
import type { Entry } from './entry'
import { floorMs } from './floor'
import type { BenchOptions } from './options'
import { sampleOf } from './verify'

/** Stretches of iterations an entry gets at most, and runs to convergence. */
const stretchRounds = 5
const runRounds = 3

/** Those who were asked for. */
export function chosenContenders(found: readonly Contender[], options: BenchOptions): Contender[] {
  return found.filter(
    ({ engine, device, variant }) =>
      (options.engine === null || engine.id === options.engine) &&
      (options.variants === null || options.variants.includes(variant)) &&
      (options.software || !device.software),
  )
}

/**
 * All contenders of one configuration on the same points: each is verified, then they take turns, so that what the machine does besides
 * hits all of them alike.
 * @param say told of what is going on
 */
export async function runConfiguration(
  configuration: Configuration,
  contenders: readonly Contender[],
  floors: ReadonlyMap<string, DeviceFloors | null>,
  options: Pick<BenchOptions, 'asked' | 'seconds'>,
  say: (line: string) => void,
): Promise<Entry[]> {
  const present = contenders.filter(({ engine }) => takesPart(engine.id, configuration, options.asked))
  if (present.length === 0) return []
  const blobs = makeBlobs(configuration)
  const sample = await sampleOf(blobs, configuration.k)
  const contests = present.map(
    (contender) => new Contest(contender, configuration, blobs, options.seconds * 1000),
  )
  const turns = async (what: string, work: (contest: Contest) => Promise<void>) => {
    for (const [at, contest] of contests.entries()) {
      if (!contest.isOn) continue
      say(`${configuration.name}: ${what} ${present[at].name}`)
      await work(contest)
    }
  }
  await turns('verify', (contest) => contest.prepare(sample))
  for (let round = 1; round <= stretchRounds; round++) {
    await turns(`iterations ${round}`, (contest) => contest.stretch())
  }
  for (let round = 1; round <= runRounds; round++) {
    await turns(`run ${round}`, (contest) => contest.wholeRun())
  }
  return contests.map((contest, at) =>
    contest.entry(floorMs(configuration, floors.get(present[at].device.id) ?? null)),
  )
}
