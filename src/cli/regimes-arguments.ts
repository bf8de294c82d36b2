import { invalidArgument } from '@shared/errors'
import type { RunShape } from '@shared/variant'
import { Given } from './given'
import type { OptionSpec } from './options'

/** `engines --regimes` as asked for. */
export interface RegimesQuestion {
  /** Null: every regime there is, for no shape in particular. */
  readonly shape: RunShape | null
  /** A device that need not be here; null: those that are. */
  readonly deviceFacts: string | null
  readonly json: boolean
}

export const regimesOptions: readonly OptionSpec[] = [
  {
    name: 'regimes',
    value: null,
    help: 'list the regimes of the variants; with -n, -d and -k also the plan for that shape and its reason',
  },
  { name: 'n', short: 'n', value: 'N', help: 'with --regimes: points' },
  { name: 'd', short: 'd', value: 'D', help: 'with --regimes: features' },
  { name: 'k', short: 'k', value: 'K', help: 'with --regimes: clusters' },
  {
    name: 'device-facts',
    value: 'FILE',
    help: 'with --regimes: plan for the device that this JSON file describes',
  },
]

/** @returns null where regimes were not asked for. @throws LabError `input` for options that need them, or one another. */
export function parseRegimes(values: ReadonlyMap<string, string>): RegimesQuestion | null {
  const given = new Given(values)
  const sizes = [given.whole('n', 1), given.whole('d', 1), given.whole('k', 1)] as const
  const deviceFacts = given.text('device-facts', 'a file') ?? null
  if (!given.has('regimes')) {
    const stray = ['n', 'd', 'k', 'device-facts'].find((name) => given.has(name))
    if (stray === undefined) return null
    throw invalidArgument('--regimes with it', stray.length === 1 ? `-${stray}` : `--${stray}`, null)
  }
  const [n, d, k] = sizes
  if (n === undefined && d === undefined && k === undefined) {
    if (deviceFacts !== null) throw invalidArgument('-n, -d and -k with --device-facts', 'the shape', null)
    return { shape: null, deviceFacts, json: given.has('json') }
  }
  if (n === undefined || d === undefined || k === undefined) {
    throw invalidArgument('-n, -d and -k together', 'the shape', null)
  }
  if (k > n) throw invalidArgument(`a number of at most ${n} points`, '-k', k)
  return { shape: { n, d, k }, deviceFacts, json: given.has('json') }
}
