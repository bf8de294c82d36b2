import { variants } from '@kernels/variants'
import type { DeviceFacts, PlanQuestion, Regime } from '@shared/plan'
import { checkSteps } from './check-step'
import { withSession, type Contender } from './contenders'
import { latticePoints, randomPoints, spreadRows } from './fixtures'
import { madeOnce } from './once'
import type { ParityCheck } from './parity-checks'
import { check } from './check'

/** A regime forced by name on a device: its checks, or why it cannot run there. */
export interface RegimeChecks {
  readonly regime: string
  readonly refusal: string | null
  readonly checks: readonly ParityCheck[]
}

const madePoints = madeOnce(randomPoints)
const madeLattice = madeOnce(latticePoints)

interface Case {
  readonly n: number
  readonly d: number
  readonly k: number
  /** Whole numbers up to this many units, whose labels must be exact; absent: blobs. */
  readonly side?: number
}

/** Between them every regime finds some that it takes; sizes are not multiples of any block. */
const cases: readonly Case[] = [
  { n: 1025, d: 2, k: 9 },
  { n: 3001, d: 2, k: 60 },
  { n: 900, d: 2, k: 16, side: 3 },
  { n: 700, d: 1, k: 3 },
  { n: 1025, d: 5, k: 33 },
  { n: 2003, d: 20, k: 61 },
  { n: 700, d: 16, k: 20, side: 1 },
  { n: 257, d: 100, k: 40 },
]
/** For hardware alone, which goes through them in time. */
const largeCases: readonly Case[] = [
  { n: 100_003, d: 2, k: 13 },
  { n: 100_003, d: 2, k: 600 },
  { n: 100_003, d: 24, k: 64 },
  { n: 30_011, d: 64, k: 100 },
  { n: 10_007, d: 130, k: 120 },
]
const steps = 3

/** The regimes of a contender's variant, in the order of its table; none where it has no table for the engine. */
export async function regimeChecks(contender: Contender): Promise<RegimeChecks[]> {
  const { engine, device, variant } = contender
  const table = variants.find(({ id }) => id === variant)?.regimes?.[engine.id] as
    readonly Regime[] | undefined
  const facts = table === undefined ? null : ((await engine.facts?.(device.id)) ?? null)
  if (table === undefined || facts === null) return []
  const sizes = device.software ? cases : [...cases, ...largeCases]
  return table.map((row) => checksOf(contender, row, facts, sizes))
}

function checksOf(
  contender: Contender,
  row: Regime,
  device: DeviceFacts,
  sizes: readonly Case[],
): RegimeChecks {
  const refusals = new Set<string>()
  const checks = sizes.flatMap((size) => {
    // A regime that counts no changes is asked for none.
    const counting = [true, false].find((each) => row.refuses(questionOf(size, device, each)) === null)
    if (counting !== undefined) return [stepCheck({ ...contender, regime: row.name }, size, counting)]
    refusals.add(row.refuses(questionOf(size, device, false)) ?? '')
    return []
  })
  const refusal = checks.length > 0 ? null : [...refusals].join(' ')
  return { regime: row.name, refusal, checks }
}

function questionOf({ n, d, k }: Case, device: DeviceFacts, countsChanges: boolean): PlanQuestion {
  return { shape: { n, d, k }, device, hints: { countsChanges } }
}

function stepCheck(contender: Contender, { n, d, k, side }: Case, countsChanges: boolean): ParityCheck {
  return {
    group: `by ${contender.regime}`,
    name: `n = ${n}, d = ${d}, k = ${k}${side === undefined ? '' : ', whole numbers'}`,
    run: async () => {
      const exactLabels = side !== undefined
      const points = exactLabels
        ? madeLattice(n, d, side, n + d)
        : madePoints({ n, d, seed: n + 31 * d + 7 * k, blobs: Math.ceil(k / 2) })
      const centroids = spreadRows(points, k)
      await withSession(contender, points, { k, trackChanged: countsChanges }, async ({ plan }) =>
        check(plan?.regime === contender.regime, `'${plan?.regime}' ran instead of '${contender.regime}'`),
      )
      await checkSteps(contender, { points, k, centroids, steps, exactLabels, countsChanges })
    },
  }
}

/** One line for a contender: which regimes ran, and why others did not. */
export function regimesRun(contender: Contender, list: readonly RegimeChecks[]): string {
  const ran = list.filter(({ refusal }) => refusal === null).map(({ regime }) => regime)
  const refused = list.flatMap(({ regime, refusal }) => (refusal === null ? [] : [`${regime} (${refusal})`]))
  const left = refused.length === 0 ? '' : `; not: ${refused.join(' ')}`
  return `${contender.name}: regimes ${ran.join(', ')}${left}`
}
