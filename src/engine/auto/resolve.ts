import { variants } from '@kernels/variants'
import { typicalIterations } from '@shared/benchmark/plan-note'
import { LabError } from '@shared/errors'
import type { Points } from '../engines/engine'
import { engines } from '../engines'
import { planRun } from '../plan/plan-run'
import type { ResolvedRun } from '../run/types'
import { orAborted } from '../slices'
import { calibrate } from './calibrate'
import type { Costs } from './calibration-file'
import { contendersFor, type Choice, type EngineTable } from './contenders'
import { expectedMs, type Cost, type Shape } from './cost-model'
import { knownCosts } from './known-costs'

/**
 * Multiply-adds of an iteration below which no card is looked for where all is left to us: a core has carried out a typical run of such
 * iterations before a driver has answered that there is a card.
 */
const minCardProducts = 2 ** 20

/** Time all contenders together may take for a calibration, about. */
const calibrationMs = 1500

/**
 * What carries out a choice, best first: one entry where nothing was left to us, else all contenders by their
 * expected time (ties in the order of engines and variants). The same calibration gives the same order.
 * @throws LabError `engine-missing`, `input` (see contendersFor), `cancelled`.
 */
export function resolveRun(
  choice: Choice & { readonly k: number },
  { n, d }: Pick<Points, 'n' | 'd'>,
  signal: AbortSignal,
  table: EngineTable = engines,
): Promise<readonly ResolvedRun[]> {
  // Finding adapters and compiling take seconds where there is no GPU; a cancel is answered at once all the same.
  return orAborted(order({ ...choice, n, d }, signal, table), signal)
}

async function order(
  choice: Choice & Shape,
  signal: AbortSignal,
  table: EngineTable,
): Promise<readonly ResolvedRun[]> {
  const found = await contendersFor(await narrowed(choice, table), table)
  const contenders = found.length > 1 ? await runnable(found, choice) : found
  if (contenders.length === 1) return contenders
  const costs = await costsOf(contenders, signal)
  return rank(contenders, costs, choice)
}

/** The processor alone for what is done before a card is found; the choice as it is where anything of it is given. */
async function narrowed(choice: Choice & Shape, { cpu }: EngineTable): Promise<Choice> {
  const { engine, device, variant, regime = null, n, d, k } = choice
  const isOurs = engine === 'auto' && device === null && variant === 'auto' && regime === null
  if (!isOurs || n * d * k >= minCardProducts) return choice
  return (await cpu.availability()).available ? { ...choice, engine: 'cpu' } : choice
}

/** Without those whose table refuses the shape, or lacks the regime asked for; all of them where nothing would be left. */
async function runnable(
  contenders: readonly ResolvedRun[],
  { n, d, k, regime = null }: Choice & Shape,
): Promise<readonly ResolvedRun[]> {
  const plans = await Promise.all(contenders.map((run) => canPlan(run, { n, d, k }, regime)))
  const left = contenders.filter((_, position) => plans[position])
  return left.length > 0 ? left : contenders
}

async function canPlan(run: ResolvedRun, shape: Shape, regime: string | null): Promise<boolean> {
  const usual = { stop: 'relative-shift', timing: 'phases', trackChanged: false } as const
  try {
    await planRun(run, shape, usual, regime)
    return true
  } catch (error) {
    if (error instanceof LabError && error.kind === 'input') return false
    throw error
  }
}

/** Pure: contenders by expected time; those that failed their calibration are left out. */
export function rank(contenders: readonly ResolvedRun[], costs: Costs, shape: Shape): ResolvedRun[] {
  const timed = contenders.flatMap((run) => {
    const ms = predictMs(run, costs, shape)
    return ms === null ? [] : [{ run, ms }]
  })
  if (timed.length === 0) return [...contenders]
  return timed.sort((a, b) => a.ms - b.ms).map(({ run }) => run)
}

/**
 * Expected time of a run, by what was measured of the contender: null where nothing is known.
 * @param iterations as many as a typical run has, unless given otherwise
 */
export function predictMs(
  run: ResolvedRun,
  costs: Costs,
  shape: Shape,
  iterations = typicalIterations,
): number | null {
  const cost = costOf(run, costs)
  if (cost === null) return null
  return expectedMs(cost, shape, iterations) * shareOf(run, shape)
}

/** What its run takes of the time that its calibration foretells. */
function shareOf({ engine, variant }: ResolvedRun, shape: Shape): number {
  return variants.find(({ id }) => id === variant)?.shareOfCalibrated?.(engine.id, shape) ?? 1
}

/** Name of a contender in the calibration. The device's name is in it: another card is measured anew. */
export function nameOf({ engine, device, variant }: ResolvedRun): string {
  return [engine.id, device.id, device.name, variant].join('|')
}

/**
 * From memory or the file; what is missing there is measured once and kept.
 * @param budgetMs about what measuring may take, for all that is missing together
 * @param isPatient see calibrate; what was measured in haste is measured once more
 */
export async function costsOf(
  contenders: readonly ResolvedRun[],
  signal: AbortSignal,
  budgetMs = calibrationMs,
  isPatient = false,
): Promise<Costs> {
  const wanted = contenders.map((run) => ({
    name: nameOf(run),
    measure: (shareMs: number) => calibrate(run, shareMs, signal, isPatient),
  }))
  return knownCosts(wanted, { budgetMs, isExacting: isPatient }, signal)
}

/** What a plan needs besides the rates. @returns null where nothing is known */
export function costOf(run: ResolvedRun, costs: Costs): Cost | null {
  return costs[nameOf(run)] ?? null
}
